import { type BerValue, childrenOf, readBer } from './ber.js';

const SEQUENCE = 0x30;
const SET = 0x31;
const OCTETS = 0x04;
const OCTETS_IN_PIECES = 0x24;
const INTEGER = 0x02;
/** The field 0 of a sequence, with fields of its own. */
const FIELD_0 = 0xa0;

/** A signed message (PKCS#7, CMS), of which nothing is verified. */
export interface SignedMessage {
  /** `null`: it is elsewhere. */
  readonly content: Buffer | null;
  /** In DER, that of the first signer first. */
  readonly certificates: readonly Buffer[];
}

/** @throws Error when it is none */
export function readSignedMessage(bytes: Buffer): SignedMessage {
  const wrapper = childrenOf(readBer(bytes)).find(({ tag }) => tag === FIELD_0);
  const fields = childrenOf(childrenOf(required(wrapper))[0] ?? required(undefined));
  // Version, digests, content, certificates, lists of revoked ones, signers.
  const content = required(fields.find(({ tag }) => tag === SEQUENCE));
  const certificates = fields.find(({ tag }) => tag === FIELD_0);
  const signers = fields.findLast(({ tag }) => tag === SET);
  const found =
    certificates === undefined ? [] : childrenOf(certificates).filter(({ tag }) => tag === SEQUENCE);
  const serial = signers === undefined ? null : serialOfFirst(signers);
  const isSigner = (certificate: BerValue): boolean =>
    serial !== null && serialOf(certificate).equals(serial);
  const inOrder = [...found.filter(isSigner), ...found.filter((certificate) => !isSigner(certificate))];
  return { content: contentOf(content), certificates: inOrder.map((certificate) => certificate.bytes) };
}

function contentOf(info: BerValue): Buffer | null {
  const wrapper = childrenOf(info).find(({ tag }) => tag === FIELD_0);
  const octets = wrapper === undefined ? undefined : childrenOf(wrapper)[0];
  return octets === undefined ? null : Buffer.concat(piecesOf(octets));
}

function piecesOf(octets: BerValue, depth = 0): Buffer[] {
  if (octets.tag === OCTETS) return [octets.content];
  if (octets.tag !== OCTETS_IN_PIECES || depth > 8) throw new RangeError('It is no content.');
  return childrenOf(octets).flatMap((piece) => piecesOf(piece, depth + 1));
}

/** The serial number by which the first signer names its certificate; `null`: it names it otherwise. */
function serialOfFirst(signers: BerValue): Buffer | null {
  const [first] = childrenOf(signers);
  const [, name] = first === undefined ? [] : childrenOf(first);
  if (name?.tag !== SEQUENCE) return null;
  return childrenOf(name).find(({ tag }) => tag === INTEGER)?.content ?? null;
}

function serialOf(certificate: BerValue): Buffer {
  const [body] = childrenOf(certificate);
  const serial = childrenOf(required(body)).find(({ tag }) => tag === INTEGER);
  return required(serial).content;
}

function required(value: BerValue | undefined): BerValue {
  if (value === undefined) throw new RangeError('It is no signed message.');
  return value;
}
