import { createPrivateKey } from 'node:crypto';
import { decrypt, type KeyEntry as JksKey, parseJks, type TrustedKeyEntry } from 'jks-js';
import { damaged, type KeyEntry, type Keystore, requireFewEntries, wrongPassword } from './keystore.js';

/** Magic number, version and number of entries. */
const HEADER_BYTES = 12;
/** The keyed SHA-1 hash at the end. */
const DIGEST_BYTES = 20;

/** Opens a keystore in the format JKS. @throws KeystoreError */
export function openJks(file: Buffer, password: string): Keystore {
  if (file.length < HEADER_BYTES) throw damaged();
  requireFewEntries(file.readUInt32BE(8));
  const entries = entriesOf(file, password);
  const keys = entries.filter(isKey);
  const trusted = entries.flatMap((entry) => (isKey(entry) ? [] : [entry]));
  return {
    keys: keys.map(toKeyEntry),
    certificates: [...keys.flatMap(({ chain }) => chain), ...trusted.map(({ cert }) => cert)].map(
      ({ value }) => value,
    ),
    trusted: trusted.map(({ alias }) => alias),
  };
}

function entriesOf(file: Buffer, password: string): (JksKey | TrustedKeyEntry)[] {
  try {
    return parseJks(file, password);
  } catch (error) {
    if (!(error instanceof Error) || error.message !== 'Password verification failed') throw damaged();
    // The hash is also wrong when the end of the file is missing: without a password, it is not compared.
    throw sizeOf(parseJks(file, '')) === file.length ? wrongPassword() : damaged();
  }
}

/** How many bytes these entries take in a file of version 2. */
function sizeOf(entries: readonly (JksKey | TrustedKeyEntry)[]): number {
  const certificateBytes = ({ certType, value }: { certType: string; value: Buffer }): number =>
    2 + Buffer.byteLength(certType) + 4 + value.length;
  const contentBytes = (entry: JksKey | TrustedKeyEntry): number =>
    isKey(entry)
      ? 4 + entry.protectedPrivateKey.length + 4 + sum(entry.chain.map(certificateBytes))
      : certificateBytes(entry.cert);
  // Tag, alias and time.
  const sizes = entries.map((entry) => 4 + 2 + Buffer.byteLength(entry.alias) + 8 + contentBytes(entry));
  return HEADER_BYTES + sum(sizes) + DIGEST_BYTES;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function isKey(entry: JksKey | TrustedKeyEntry): entry is JksKey {
  return 'protectedPrivateKey' in entry;
}

function toKeyEntry({ alias, protectedPrivateKey }: JksKey): KeyEntry {
  return {
    alias,
    open: (password) => {
      try {
        return createPrivateKey(decrypt(protectedPrivateKey, password ?? ''));
      } catch (error) {
        if (error instanceof Error && error.message === 'Cannot recover key') return null;
        throw error;
      }
    },
  };
}
