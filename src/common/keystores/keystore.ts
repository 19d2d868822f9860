import type { KeyObject } from 'node:crypto';

/** What of a keystore file and of what opens it is wrong. */
export type KeystoreField = 'file' | 'password' | 'keyAlias' | 'keyPassword';

/** A file cannot be read; the message is the sentence for the caller. */
export class KeystoreError extends Error {
  constructor(
    readonly field: KeystoreField,
    message: string,
    /** `damaged`: the file is not what its beginning says; `password`: it opens nothing; `null`: as the message says. */
    readonly reason: 'damaged' | 'password' | null = null,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** A private key in a keystore. */
export interface KeyEntry {
  readonly alias: string;
  /**
   * Decrypts the key.
   *
   * @param password `null`: none at all, which differs from an empty one in PKCS#12
   * @returns `null`: the password is wrong
   * @throws KeystoreError or any other error when the key cannot be read
   */
  open(password: string | null): KeyObject | null;
}

/** A file with keys and certificates, whose password was right. */
export interface Keystore {
  readonly keys: readonly KeyEntry[];
  /** The certificates in DER, of keys and of others. */
  readonly certificates: readonly Buffer[];
  /** Names of certificates without a key. */
  readonly trusted: readonly string[];
}

/** The tools that sign with a keystore: what they can open, and what people make it with. */
export interface SigningTools {
  /** How to make a file that can be opened. */
  readonly remedy: string;
  /** Whether they open modern PKCS#12 files only with passwords of ASCII characters. */
  readonly needAscii: boolean;
}

/** Those that sign Android apps. */
export const javaTools: SigningTools = {
  remedy: 'make it again with keytool -importkeystore',
  needAscii: true,
};

/** Those that sign iOS apps. */
export const appleTools: SigningTools = {
  remedy: 'export it again from Keychain Access',
  needAscii: false,
};

/** More entries than any keystore that apps are signed with. */
const MAX_ENTRIES = 200;

/** @throws KeystoreError when a keystore has too many entries */
export function requireFewEntries(count: number): void {
  if (count <= MAX_ENTRIES) return;
  throw new KeystoreError(
    'file',
    `file has ${count} entries, and at most ${MAX_ENTRIES} are read: upload a keystore with the key of your app only.`,
  );
}

/** The file is not what its beginning says. */
export function damaged(): KeystoreError {
  return new KeystoreError(
    'file',
    'file is damaged or incomplete: it cannot be read as a keystore.',
    'damaged',
  );
}

export function wrongPassword(): KeystoreError {
  return new KeystoreError('password', 'password does not open the keystore.', 'password');
}
