/** A value of ASN.1, where it lies. */
interface BerValue {
  readonly tag: number;
  /** With its tag and length. */
  readonly bytes: Buffer;
  readonly content: Buffer;
}
const MAX_DEPTH = 64;

const SEQUENCE = 0x30;
const SET = 0x31;
const OCTETS = 0x04;
const OCTETS_IN_PIECES = 0x24;
const INTEGER = 0x02;
/** The field 0 of a sequence, with its own fields. */
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

/**
 * Reads one value of ASN.1 in DER or BER. Values are not copied, so that certificates stay what was hashed.
 *
 * @throws RangeError when it does not end within the bytes
 */
function readBer(bytes: Buffer, at = 0, depth = 0): BerValue {
  if (depth > MAX_DEPTH) throw new RangeError('It is nested too deeply.');
  const tag = bytes.readUInt8(at);
  const first = bytes.readUInt8(at + 1);
  if (first === 0x80) {
    let end = at + 2;
    while (bytes.readUInt16BE(end) !== 0) end += readBer(bytes, end, depth + 1).bytes.length;
    return { tag, bytes: bytes.subarray(at, end + 2), content: bytes.subarray(at + 2, end) };
  }
  const lengthBytes = first & 0x80 ? first & 0x7f : 0;
  if (lengthBytes > 4) throw new RangeError('It is too long.');
  const start = at + 2 + lengthBytes;
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
  if (start + length > bytes.length) throw new RangeError('It ends too late.');
  return { tag, bytes: bytes.subarray(at, start + length), content: bytes.subarray(start, start + length) };
}

/** The values in a value. */
function childrenOf({ content }: BerValue): BerValue[] {
  const children: BerValue[] = [];
  for (let at = 0; at < content.length;) {
    const child = readBer(content, at);
    children.push(child);
    at += child.bytes.length;
  }
  return children;
}
