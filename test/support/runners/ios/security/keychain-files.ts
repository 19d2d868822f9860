import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

// What the stand-in of `security` knows about a home. Each keychain is a file, as on a Mac, but of JSON.

/** A key with its certificate in a keychain. */
export interface StoredIdentity {
  /** Of the certificate, in capital hexadecimal digits. */
  readonly sha1: string;
  readonly commonName: string;
  /** DER as Base64. */
  readonly certificate: string;
  /** PKCS#8 as Base64. */
  readonly key: string;
  /** Programs that may use the key, from `-T`. */
  readonly programs: readonly string[];
  /** From `set-key-partition-list`; `null`: macOS asks in a window before anything uses the key. */
  readonly partitions: readonly string[] | null;
}

export interface Keychain {
  readonly password: string;
  readonly isUnlocked: boolean;
  /** `null`: it locks when the Mac sleeps and after five minutes, as new keychains do. */
  readonly settings: { readonly locksOnSleep: boolean; readonly timeout: number | null } | null;
  readonly identities: readonly StoredIdentity[];
  /** Certificates without a key, DER as Base64. */
  readonly certificates: readonly string[];
}

/** How the stand-in behaves in a home. */
export interface Behaviour {
  /** The subcommand that never ends. */
  readonly hangs?: string;
  /** The subcommand that fails. */
  readonly fails?: string;
  /** Whether macOS trusts no certificate, as without Apple's intermediate certificate. */
  readonly trustsNone?: boolean;
}

export interface SecurityCall {
  readonly args: readonly string[];
  readonly exitCode: number;
  /** What it refused. */
  readonly error: string | null;
}

export const loginKeychain = (home: string): string => join(home, 'Library/Keychains/login.keychain-db');
const searchListFile = (home: string): string => join(home, 'Library/Preferences/com.apple.security.json');
const behaviourFile = (home: string): string => join(home, 'Library/security-behaviour.json');
export const callsFile = (home: string): string => join(home, 'Library/Logs/security.jsonl');

/** Makes a home with a login keychain. @param others further keychains of the search list */
export function makeMacHome(home: string, others: readonly string[] = []): void {
  writeKeychain(loginKeychain(home), {
    password: 'login password',
    isUnlocked: true,
    settings: null,
    identities: [],
    certificates: [],
  });
  writeSearchList(home, [loginKeychain(home), ...others]);
}

export function readSearchList(home: string): string[] {
  return (readJson(searchListFile(home)) as string[] | null) ?? [];
}

export function writeSearchList(home: string, paths: readonly string[]): void {
  writeJson(searchListFile(home), paths);
}

/** @returns `null`: there is none */
export function readKeychain(path: string): Keychain | null {
  return readJson(path) as Keychain | null;
}

export function writeKeychain(path: string, keychain: Keychain): void {
  writeJson(path, keychain);
}

export function readBehaviour(home: string): Behaviour {
  return (readJson(behaviourFile(home)) as Behaviour | null) ?? {};
}

export function setBehaviour(home: string, behaviour: Behaviour): void {
  writeJson(behaviourFile(home), behaviour);
}

/** What was called, in order. */
export function readCalls(home: string): SecurityCall[] {
  try {
    const lines = readFileSync(callsFile(home), 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as SecurityCall);
  } catch {
    return [];
  }
}

/**
 * The identities that `codesign` finds and uses without a window: in an unlocked keychain of the search list, with `apple:`
 * in the partition list (security(1), set-key-partition-list), and `codesign` among the programs.
 */
export function usableIdentities(home: string): StoredIdentity[] {
  return readSearchList(home)
    .map(readKeychain)
    .filter((keychain) => keychain !== null && keychain.isUnlocked)
    .flatMap((keychain) => keychain!.identities)
    .filter(
      ({ partitions, programs }) =>
        partitions?.includes('apple:') === true && programs.includes('/usr/bin/codesign'),
    );
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

function writeJson(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(value), { mode: 0o600 });
  renameSync(temporary, path);
}
