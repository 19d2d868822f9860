import { isAbsolute } from 'node:path';
import { type Keychain, readKeychain } from './keychain-files.ts';
import { RefusedCall } from './options.ts';

/** Does a subcommand. @returns what it prints @throws RefusedCall */
export type Command = (args: readonly string[], home: string) => string | Promise<string>;

/** The only keychain that a call names. */
export function only(rest: readonly string[]): string {
  const [path] = rest;
  if (path === undefined || rest.length > 1) throw new RefusedCall('It takes exactly one keychain here.');
  requireAbsolute(path);
  return path;
}

/** Other paths are below ~/Library/Keychains, where a keychain of the user could have the name. */
export function requireAbsolute(path: string): void {
  if (!isAbsolute(path)) throw new RefusedCall(`The path "${path}" is not absolute.`);
}

export function open(rest: readonly string[]): [string, Keychain] {
  const path = only(rest);
  const keychain = readKeychain(path);
  if (keychain === null) {
    throw new RefusedCall('security: SecKeychainOpen: The specified keychain could not be found.', 50);
  }
  return [path, keychain];
}

export function openUnlocked(rest: readonly string[]): [string, Keychain] {
  const [path, keychain] = open(rest);
  if (!keychain.isUnlocked) throw new RefusedCall('The keychain is locked: a window asks for its password.');
  return [path, keychain];
}
