import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StepError } from '../../../../steps/build-run.js';
import type { SigningIdentity } from '../identity.js';
import { quoted } from '../plan/quoted.js';
import { legacyPkcs12 } from './legacy-pkcs12.js';
import { readSearchList, withoutFolder, writeSearchList } from './search-list.js';
import type { SecurityTool } from './security-tool.js';

/** In the folder of a job. */
export const KEYCHAIN_FILE = 'build.keychain-db';
export const KEY_FILE = 'key.p12';
/** What may use the key: Xcode signs with `codesign`, and `find-identity` looks at it. */
const PROGRAMS = ['/usr/bin/codesign', '/usr/bin/security'];
/** Without it, macOS asks in a window before `codesign` uses the key: security(1), set-key-partition-list. */
const PARTITIONS = 'apple-tool:,apple:,codesign:';
const IDENTITY = /^\s*\d+\) ([0-9A-F]{40}) .*?(?:\((CSSMERR_[A-Z_]+)\))?\s*$/;

type Step = readonly [title: string, args: readonly [string, ...string[]]];

/**
 * Makes a keychain with the identity of a build, and puts it before the others of the user.
 *
 * @param folder of the job, in `signingDir`; the caller removes what is in it, also after an error
 * @returns the path of the keychain
 * @throws StepError when macOS does not sign with the identity
 * @throws the reason of the signal
 */
export async function openKeychain(
  security: SecurityTool,
  signingDir: string,
  folder: string,
  identity: SigningIdentity,
  signal: AbortSignal,
): Promise<string> {
  const path = join(folder, KEYCHAIN_FILE);
  const password = randomPassword();
  const call = (...step: Step): Promise<void> => mustSucceed(security, step, signal);
  await makeKeychain(security, path, password, signal);
  await importKey(call, folder, path, identity);
  await call('let codesign use the key', [
    'set-key-partition-list',
    '-S',
    PARTITIONS,
    '-s',
    '-k',
    password,
    path,
  ]);
  const others = withoutFolder(await readSearchList(security, signal), signingDir);
  await writeSearchList(security, [path, ...others], signal);
  await requireIdentity(security, path, identity, signal);
  return path;
}

/** Makes a keychain that stays unlocked. @throws StepError */
export async function makeKeychain(
  security: SecurityTool,
  path: string,
  password: string,
  signal: AbortSignal,
): Promise<void> {
  const call = (...step: Step): Promise<void> => mustSucceed(security, step, signal);
  await call('make a keychain', ['create-keychain', '-p', password, path]);
  await call('unlock a keychain', ['unlock-keychain', '-p', password, path]);
  // Without -l, -u and -t, it locks neither when the Mac sleeps nor after a while.
  await call('set up a keychain', ['set-keychain-settings', path]);
}

/** Passwords of keychains and key files, for one job: every user of the Mac can see them in its list of processes. */
export function randomPassword(): string {
  return randomBytes(24).toString('hex');
}

async function importKey(
  call: (...step: Step) => Promise<void>,
  folder: string,
  keychain: string,
  identity: SigningIdentity,
): Promise<void> {
  const file = join(folder, KEY_FILE);
  const password = randomPassword();
  try {
    await writeFile(file, legacyPkcs12(identity, password), { mode: 0o600, flag: 'wx' });
    const allowed = PROGRAMS.flatMap((program) => ['-T', program]);
    await call('import the key of the certificate', [
      'import',
      file,
      '-k',
      keychain,
      '-f',
      'pkcs12',
      '-P',
      password,
      ...allowed,
    ]);
  } finally {
    await rm(file, { force: true });
  }
}

async function mustSucceed(security: SecurityTool, [title, args]: Step, signal: AbortSignal): Promise<void> {
  const { exitCode } = await security.run(args, signal);
  if (exitCode === 0) return;
  // What it prints can contain paths and passwords.
  throw new StepError(
    'sign',
    `This Mac could not ${title}: security ${args[0]} failed with exit code ${exitCode}.`,
  );
}

async function requireIdentity(
  security: SecurityTool,
  keychain: string,
  { sha1, commonName }: SigningIdentity,
  signal: AbortSignal,
): Promise<void> {
  const find = async (...options: string[]): Promise<Map<string, string | undefined>> => {
    const args = ['find-identity', ...options, '-p', 'codesigning', keychain] as const;
    return parseIdentities((await security.run(args, signal)).stdout);
  };
  if ((await find('-v')).has(sha1)) return;
  const all = await find();
  const name = `The certificate ${quoted(commonName)}`;
  if (!all.has(sha1)) throw new StepError('sign', `${name} is not in the keychain after its import.`);
  throw new StepError('sign', `${name} ${reasonOf(all.get(sha1))}`);
}

/** @param output of `security find-identity` @returns why macOS does not take them, by SHA-1 */
export function parseIdentities(output: string): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  for (const line of output.split('\n')) {
    const [, sha1, reason] = IDENTITY.exec(line) ?? [];
    // It is there twice, with the reason and without.
    if (sha1 !== undefined) found.set(sha1, reason ?? found.get(sha1));
  }
  return found;
}

function reasonOf(code: string | undefined): string {
  if (code === 'CSSMERR_TP_CERT_EXPIRED') return 'has expired: macOS does not sign with it.';
  if (code === 'CSSMERR_TP_CERT_REVOKED') return 'was revoked: macOS does not sign with it.';
  const shown = code === undefined ? '' : ` (${code})`;
  return `is not one that macOS trusts to sign${shown}: the intermediate certificate of Apple is missing on this Mac, or the certificate is not one of Apple.`;
}
