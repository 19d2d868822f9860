import { createPrivateKey } from 'node:crypto';
import { type Asn1, at, bytesOf, childrenOf, octetsOf, oidOf, parse } from './der.js';
import {
  damaged,
  javaTools,
  type KeyEntry,
  type Keystore,
  KeystoreError,
  requireFewEntries,
  type SigningTools,
  wrongPassword,
} from './keystore.js';
import { decrypt, isAuthentic } from './pkcs12-encryption.js';

const DATA = '1.2.840.113549.1.7.1';
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6';
const KEY_BAG = '1.2.840.113549.1.12.10.1.1';
const SHROUDED_KEY_BAG = '1.2.840.113549.1.12.10.1.2';
const CERTIFICATE_BAG = '1.2.840.113549.1.12.10.1.3';
const FRIENDLY_NAME = '1.2.840.113549.1.9.20';
const LOCAL_KEY_ID = '1.2.840.113549.1.9.21';

/** One key or certificate. */
interface Bag {
  readonly type: string;
  readonly value: Asn1;
  /** `null`: none. */
  readonly name: string | null;
  readonly belongsToKey: boolean;
}

/**
 * Opens a keystore in the format PKCS#12.
 *
 * @param password empty: also for a file that was made without one
 * @throws KeystoreError
 */
export function openPkcs12(file: Buffer, password: string, tools: SigningTools = javaTools): Keystore {
  try {
    return openWith(file, password, tools);
  } catch (error) {
    const isWrong = error instanceof KeystoreError && error.reason === 'password';
    if (password !== '' || !isWrong) throw error;
    return openWith(file, null, tools);
  }
}

function openWith(file: Buffer, password: string | null, tools: SigningTools): Keystore {
  const [version, authSafe, macData] = childrenOf(parse(file.toString('latin1')));
  if (version === undefined || authSafe === undefined || oidOf(at(authSafe, 0)) !== DATA) throw damaged();
  const content = octetsOf(at(authSafe, 1, 0));
  if (macData !== undefined && !isAuthentic(macData, content, password, tools)) throw wrongPassword();
  const bags = childrenOf(parse(content)).flatMap((info) => bagsOf(info, password, tools));
  requireFewEntries(bags.length);
  const certificates = bags.filter(({ type }) => type === CERTIFICATE_BAG);
  return {
    keys: keysOf(bags, tools),
    certificates: certificates.map(({ value }) => Buffer.from(octetsOf(at(value, 1, 0)), 'latin1')),
    trusted: certificates.filter(({ belongsToKey }) => !belongsToKey).flatMap(({ name }) => name ?? []),
  };
}

/** The entries of one part, which has its own encryption, or none. */
function bagsOf(info: Asn1, password: string | null, tools: SigningTools): Bag[] {
  const type = oidOf(at(info, 0));
  const data = at(info, 1, 0);
  if (type === DATA) return childrenOf(parse(octetsOf(data))).map(toBag);
  if (type !== ENCRYPTED_DATA) throw damaged();
  const contents = decrypt(at(data, 1, 1), octetsOf(at(data, 1, 2)), password, tools);
  if (contents === null) throw wrongPassword();
  return childrenOf(contents).map(toBag);
}

function toBag(bag: Asn1): Bag {
  const attributes = new Map(
    childrenOf(bag)
      .slice(2)
      .flatMap(childrenOf)
      .map((attribute) => [oidOf(at(attribute, 0)), at(attribute, 1)]),
  );
  const name = attributes.get(FRIENDLY_NAME);
  return {
    type: oidOf(at(bag, 0)),
    value: at(bag, 1, 0),
    name: name === undefined ? null : octetsOf(at(name, 0)),
    belongsToKey: attributes.has(LOCAL_KEY_ID),
  };
}

/** Java numbers keys without a name, so the tools that sign know them by these numbers. */
function keysOf(bags: readonly Bag[], tools: SigningTools): KeyEntry[] {
  let unnamed = 0;
  return bags
    .filter(({ type }) => type === KEY_BAG || type === SHROUDED_KEY_BAG)
    .map((bag) => ({
      alias: bag.name ?? String(++unnamed),
      open: (password) => {
        const info =
          bag.type === KEY_BAG
            ? bag.value
            : decrypt(at(bag.value, 0), octetsOf(at(bag.value, 1)), password, tools);
        return info === null ? null : createPrivateKey({ key: bytesOf(info), format: 'der', type: 'pkcs8' });
      },
    }));
}
