import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import {
  type Keychain,
  loginKeychain,
  readBehaviour,
  readKeychain,
  readSearchList,
  writeKeychain,
  writeSearchList,
} from './keychain-files.ts';
import { openLegacyPkcs12 } from './open-pkcs12.ts';
import { parseOptions, RefusedCall } from './options.ts';

/** Does a subcommand. @returns what it prints @throws RefusedCall */
export type Command = (args: readonly string[], home: string) => string;

/*
 * Options and what they mean are those of security(1), SecurityTool/macOS/security.1 of apple-oss-distributions/Security;
 * letters, order and output are those of the sources beside it. What would open a window or ask in the terminal is refused.
 */

/** keychain_create.c: "hp:P". A new keychain is locked here: a build that does not unlock it has no luck after a restart, either. */
const create: Command = (args) => {
  const options = parseOptions(args, 'hp:P');
  const password = options.value('p');
  if (password === undefined || options.has('P'))
    throw new RefusedCall('Without -p, it asks for a password.');
  const path = only(options.rest);
  if (existsSync(path)) {
    throw new RefusedCall(
      `security: SecKeychainCreate ${path}: A keychain with the same name already exists.`,
      48,
    );
  }
  writeKeychain(path, { password, isUnlocked: false, settings: null, identities: [], certificates: [] });
  return '';
};

/** keychain_unlock.c: "hup:". */
const unlock: Command = (args) => {
  const options = parseOptions(args, 'hup:');
  const password = options.value('p');
  if (password === undefined) throw new RefusedCall('Without -p, it asks for a password.');
  const [path, keychain] = open(options.rest);
  if (keychain.password !== password) {
    throw new RefusedCall(
      `security: SecKeychainUnlock ${path}: The user name or passphrase you entered is not correct.`,
      51,
    );
  }
  writeKeychain(path, { ...keychain, isUnlocked: true });
  return '';
};

/** keychain_set_settings.c: "hlt:u"; without -t, "no timeout". It asks for the password of a locked keychain. */
const setSettings: Command = (args) => {
  const options = parseOptions(args, 'hlut:');
  const [path, keychain] = openUnlocked(options.rest);
  const timeout = options.value('t');
  if (timeout !== undefined && !/^\d+$/.test(timeout)) throw new RefusedCall('-t takes seconds.');
  const locksAfterTimeout = options.has('u') && timeout !== undefined;
  writeKeychain(path, {
    ...keychain,
    settings: { locksOnSleep: options.has('l'), timeout: locksAfterTimeout ? Number(timeout) : null },
  });
  return '';
};

/** keychain_import.c: the file first, then "k:t:f:P:wxa:hAT:". */
const importItems: Command = ([file = '', ...args]) => {
  if (file === '' || file.startsWith('-')) throw new RefusedCall('The file comes before the options.');
  const options = parseOptions(args, 'k:t:f:P:wxa:hAT:');
  if (options.rest.length > 0) throw new RefusedCall(`Unknown argument "${options.rest[0]}".`);
  if (options.value('f') !== 'pkcs12') throw new RefusedCall('Only -f pkcs12 is known here.');
  if (options.has('A')) throw new RefusedCall('-A lets every program use the key ("not recommended").');
  const passphrase = options.value('P');
  if (passphrase === undefined) throw new RefusedCall('Without -P, a window asks for the passphrase.');
  const keychainPath = options.value('k');
  if (keychainPath === undefined)
    throw new RefusedCall('Without -k, it goes to the default keychain of the user.');
  const [path, keychain] = openUnlocked([keychainPath]);
  const programs = options.values('T');
  if (programs.length === 0)
    throw new RefusedCall('Without -T, a window asks before a program uses the key.');
  if (!existsSync(file)) throw new RefusedCall(`security: cannot open ${file}`, 1);
  if ((statSync(file).mode & 0o077) !== 0)
    throw new RefusedCall('Other users can read the file with the key.');
  const opened = openLegacyPkcs12(readFileSync(file), passphrase);
  if (opened.identities.length === 0) throw new RefusedCall('The file has no key.');
  const identities = opened.identities.map((identity) => ({ ...identity, programs, partitions: null }));
  if (keychain.identities.some(({ sha1 }) => identities.some((identity) => identity.sha1 === sha1))) {
    throw new RefusedCall(
      'security: SecKeychainItemImport: The specified item already exists in the keychain.',
      45,
    );
  }
  writeKeychain(path, {
    ...keychain,
    identities: [...keychain.identities, ...identities],
    certificates: [...keychain.certificates, ...opened.certificates],
  });
  const count = identities.length === 1 ? '1 identity' : `${identities.length} identities`;
  return `${count} imported.\n`;
};

/**
 * keychain_set_partition_list in keychain_find.c: options of find-key, -S and -k. To use /usr/bin/codesign, "apple:" must be an
 * element (security(1)).
 */
const setPartitions: Command = (args) => {
  const options = parseOptions(args, 'a:c:dD:ehj:k:l:rsS:t:uvw');
  const password = options.value('k');
  if (password === undefined) throw new RefusedCall('Without -k, it asks for a password.');
  const partitions = (options.value('S') ?? '').split(',').filter((name) => name !== '');
  if (!partitions.includes('apple:')) throw new RefusedCall('"apple:" is not in the partition list.');
  if (!options.has('s')) throw new RefusedCall('Without -s, it is not for keys that sign.');
  const [path, keychain] = openUnlocked(options.rest);
  if (keychain.password !== password) {
    throw new RefusedCall(
      'security: SecKeychainItemSetAccessWithPassword: The user name or passphrase you entered is not correct.',
      51,
    );
  }
  if (keychain.identities.length === 0) {
    throw new RefusedCall(
      'security: SecItemCopyMatching: The specified item could not be found in the keychain.',
      44,
    );
  }
  const identities = keychain.identities.map((identity) => ({ ...identity, partitions }));
  writeKeychain(path, { ...keychain, identities });
  return 'keychain: …\n';
};

/** keychain_list.c: "d:hs", and four spaces and the path in quotes for each keychain, without escapes. */
const list: Command = (args, home) => {
  const options = parseOptions(args, 'd:hs');
  if ((options.value('d') ?? 'user') !== 'user') throw new RefusedCall('Only the domain user is known here.');
  if (!options.has('s')) {
    if (options.rest.length > 0) throw new RefusedCall('Without -s, it takes no keychains.');
    return readSearchList(home)
      .map((path) => `    "${path}"\n`)
      .join('');
  }
  const before = readSearchList(home);
  const login = loginKeychain(home);
  if (before.includes(login) && !options.rest.includes(login)) {
    throw new RefusedCall('The new search list lacks the login keychain.');
  }
  for (const path of options.rest) requireAbsolute(path);
  writeSearchList(home, options.rest);
  return '';
};

/** identity_find.m: "hp:s:v"; "%3d) <SHA-1> "<name>"", and in the first part why an identity is not valid. */
const findIdentity: Command = (args, home) => {
  const options = parseOptions(args, 'hp:s:v');
  if (options.value('p') !== 'codesigning') throw new RefusedCall('Only -p codesigning is known here.');
  const keychains =
    options.rest.length === 0
      ? readSearchList(home).flatMap((path) => readKeychain(path) ?? [])
      : [open(options.rest)[1]];
  const all = keychains.flatMap(({ identities }) => identities);
  const { trustsNone = false } = readBehaviour(home);
  const rows = all.map(({ sha1, commonName, certificate }) => ({
    text: `${sha1} "${commonName}"`,
    problem: problemOf(new X509Certificate(Buffer.from(certificate, 'base64')), trustsNone),
  }));
  const valid = rows.filter(({ problem }) => problem === null);
  const numbered = (lines: readonly string[]): string =>
    lines.map((line, index) => `${String(index + 1).padStart(3)}) ${line}\n`).join('');
  const validPart = `${numbered(valid.map(({ text }) => text))}     ${valid.length} valid identities found\n`;
  if (options.has('v')) return validPart;
  const lines = rows.map(({ text, problem }) => (problem === null ? text : `${text} (${problem})`));
  return `\nPolicy: Code Signing\n  Matching identities\n${numbered(lines)}     ${rows.length} identities found\n\n  Valid identities only\n${validPart}`;
};

function problemOf({ validTo }: X509Certificate, trustsNone: boolean): string | null {
  if (Date.parse(validTo) < Date.now()) return 'CSSMERR_TP_CERT_EXPIRED';
  return trustsNone ? 'CSSMERR_TP_NOT_TRUSTED' : null;
}

/** keychain_delete.c: "h"; deletes the file, and removes it from the search list (security(1)). */
const deleteKeychain: Command = (args, home) => {
  const options = parseOptions(args, 'h');
  const [path] = open(options.rest);
  if (path === loginKeychain(home)) throw new RefusedCall('This is the login keychain of the user.');
  rmSync(path);
  writeSearchList(
    home,
    readSearchList(home).filter((entry) => entry !== path),
  );
  return '';
};

export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['create-keychain', create],
  ['unlock-keychain', unlock],
  ['set-keychain-settings', setSettings],
  ['import', importItems],
  ['set-key-partition-list', setPartitions],
  ['list-keychains', list],
  ['find-identity', findIdentity],
  ['delete-keychain', deleteKeychain],
]);

function only(rest: readonly string[]): string {
  const [path] = rest;
  if (path === undefined || rest.length > 1) throw new RefusedCall('It takes exactly one keychain here.');
  requireAbsolute(path);
  return path;
}

/** Other paths are below ~/Library/Keychains, where a keychain of the user could have the name. */
function requireAbsolute(path: string): void {
  if (!isAbsolute(path)) throw new RefusedCall(`The path "${path}" is not absolute.`);
}

function open(rest: readonly string[]): [string, Keychain] {
  const path = only(rest);
  const keychain = readKeychain(path);
  if (keychain === null) {
    throw new RefusedCall('security: SecKeychainOpen: The specified keychain could not be found.', 50);
  }
  return [path, keychain];
}

function openUnlocked(rest: readonly string[]): [string, Keychain] {
  const [path, keychain] = open(rest);
  if (!keychain.isUnlocked) throw new RefusedCall('The keychain is locked: a window asks for its password.');
  return [path, keychain];
}
