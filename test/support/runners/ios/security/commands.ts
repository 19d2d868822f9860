import { existsSync, rmSync } from 'node:fs';
import { findIdentity, importItems, setPartitions } from './item-commands.ts';
import { loginKeychain, readSearchList, writeKeychain, writeSearchList } from './keychain-files.ts';
import { type Command, only, open, openUnlocked, requireAbsolute } from './open-keychain.ts';
import { parseOptions, RefusedCall } from './options.ts';

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
