import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readBehaviour, readKeychain, readSearchList, writeKeychain } from './keychain-files.ts';
import { type Command, open, openUnlocked } from './open-keychain.ts';
import { parseOptions, RefusedCall } from './options.ts';

// Subcommands for the keys in keychains; see commands.ts for the sources of their rules.

/** keychain_import.c: the file first, then "k:t:f:P:wxa:hAT:". */
export const importItems: Command = async ([file = '', ...args]) => {
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
  // Other subcommands start faster without it.
  const { openLegacyPkcs12 } = await import('./open-pkcs12.ts');
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
export const setPartitions: Command = (args) => {
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

/** identity_find.m: "hp:s:v"; "%3d) <SHA-1> "<name>"", and in the first part why an identity is not valid. */
export const findIdentity: Command = (args, home) => {
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
