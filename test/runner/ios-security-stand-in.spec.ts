import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeAppleIdentity, makeP12 } from '../support/native-builds/apple/identity.js';
import { temporaryFolder } from '../support/processes/temporary-folders.js';
import { installSecurity } from '../support/runners/ios/security/install-security.js';
import {
  loginKeychain,
  makeMacHome,
  readCalls,
  readSearchList,
  setBehaviour,
  usableIdentities,
} from '../support/runners/ios/security/keychain-files.js';

const PASSWORD = 'keychain password';
const identity = makeAppleIdentity();
const LEGACY = { form: 'legacy', certificateAlgorithm: '3des' } as const;

let home: string;
let keychain: string;
let file: string;

beforeEach(async () => {
  home = await temporaryFolder();
  installSecurity(join(home, 'tools'));
  makeMacHome(home);
  keychain = join(home, 'a folder', 'build.keychain-db');
  file = join(home, 'key.p12');
  writeFileSync(file, makeP12(identity, 'p12 password', LEGACY), { mode: 0o600 });
});

function security(...args: string[]): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(join(home, 'tools/security'), args, {
    env: { HOME: home, PATH: '/usr/bin:/bin' },
    encoding: 'utf8',
  });
  return { code: status, output: `${stdout}${stderr}` };
}

const create = () => security('create-keychain', '-p', PASSWORD, keychain);
const unlock = () => security('unlock-keychain', '-p', PASSWORD, keychain);
const importKey = (...options: string[]) =>
  security(
    'import',
    file,
    '-k',
    keychain,
    '-f',
    'pkcs12',
    '-P',
    'p12 password',
    '-T',
    '/usr/bin/codesign',
    ...options,
  );
const setPartitions = () =>
  security('set-key-partition-list', '-S', 'apple-tool:,apple:,codesign:', '-s', '-k', PASSWORD, keychain);

it('lets codesign use an identity after all steps only', () => {
  expect(create().code).toBe(0);
  expect(unlock().code).toBe(0);
  expect(importKey()).toEqual({ code: 0, output: '1 identity imported.\n' });
  expect(security('list-keychains', '-d', 'user', '-s', keychain, loginKeychain(home)).code).toBe(0);
  expect(usableIdentities(home)).toEqual([]);
  expect(setPartitions().code).toBe(0);
  expect(usableIdentities(home)).toMatchObject([{ sha1: identity.sha1, commonName: identity.commonName }]);
  expect(security('list-keychains').output).toBe(`    "${keychain}"\n    "${loginKeychain(home)}"\n`);
  expect(security('find-identity', '-v', '-p', 'codesigning', keychain).output).toBe(
    `  1) ${identity.sha1} "${identity.commonName}"\n     1 valid identities found\n`,
  );

  expect(security('delete-keychain', keychain).code).toBe(0);

  expect(existsSync(keychain)).toBe(false);
  expect(readSearchList(home)).toEqual([loginKeychain(home)]);
  expect(readCalls(home).at(-1)).toEqual({ args: ['delete-keychain', keychain], exitCode: 0, error: null });
});

it('refuses what would ask a person', () => {
  expect(security('create-keychain', keychain).output).toMatch('asks for a password');
  create();
  expect(importKey().output).toMatch('locked');
  expect(security('unlock-keychain', keychain).output).toMatch('asks for a password');
  expect(security('unlock-keychain', '-p', 'wrong', keychain).output).toMatch('not correct');
  unlock();
  expect(setPartitions().output).toMatch('could not be found');
});

it('refuses modern files, wrong passwords and files that others can read', () => {
  create();
  unlock();
  const importBytes = (bytes: Buffer, mode = 0o600): string => {
    file = join(home, `${Math.random()}.p12`);
    writeFileSync(file, bytes, { mode });
    return importKey().output;
  };
  expect(importBytes(makeP12(identity, 'p12 password', { form: 'modern' }))).toMatch(
    'MAC verification failed',
  );
  expect(importBytes(makeP12(identity, 'other', LEGACY))).toMatch('MAC verification failed');
  expect(importBytes(makeP12(identity, 'p12 password', LEGACY), 0o644)).toMatch('Other users can read');
  expect(importBytes(Buffer.from('no file'))).toMatch('Unknown format');
  expect(importBytes(makeP12(identity, 'p12 password', LEGACY))).toMatch('1 identity imported');
});

it.each([
  [['frobnicate'], 'unknown command'],
  [['create-keychain', '-x', '-p', 'a', '/tmp/k'], 'illegal option'],
  [['create-keychain', '-p', 'a', 'relative'], 'not absolute'],
  [['delete-keychain', '/nonexistent'], 'could not be found'],
  [['list-keychains', '-d', 'user', '-s', '/tmp/other'], 'lacks the login keychain'],
  [['set-key-partition-list', '-S', 'codesign:', '-s', '-k', 'a', '/tmp/k'], '"apple:" is not'],
])('refuses %j', (args, message) => {
  const { code, output } = security(...args);
  expect(code).not.toBe(0);
  expect(output).toMatch(message);
});

it('says why an identity is not valid', () => {
  create();
  unlock();
  importKey();
  setBehaviour(home, { trustsNone: true });
  const find = (...options: string[]) =>
    security('find-identity', ...options, '-p', 'codesigning', keychain).output;
  expect(find('-v')).toBe('     0 valid identities found\n');
  expect(find()).toMatch(`1) ${identity.sha1} "${identity.commonName}" (CSSMERR_TP_NOT_TRUSTED)`);
});
