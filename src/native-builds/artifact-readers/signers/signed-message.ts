import { WorkBudget } from '../../../common/work-budget.js';

/** A value of ASN.1, where it lies. */
interface BerValue {
  readonly tag: number;
  /** With its tag and length. */
  readonly bytes: Buffer;
  readonly content: Buffer;
}
const MAX_DEPTH = 64;
/** What a value costs. Certificates and pieces of content are some hundreds: that many have room in little memory. */
const VALUE_WORK = 1024;
const MAX_WORK = 16 * 1024 * 1024;

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

/** @throws Error when it is none @throws TooMuchWorkError */
export function readSignedMessage(bytes: Buffer, work: WorkBudget = new WorkBudget(MAX_WORK)): SignedMessage {
  return new BerReader(work).signedMessage(bytes);
}

function required(value: BerValue | undefined): BerValue {
  if (value === undefined) throw new RangeError('It is no signed message.');
  return value;
}

class BerReader {
  constructor(private readonly work: WorkBudget) {}

  signedMessage(bytes: Buffer): SignedMessage {
    const wrapper = this.childrenOf(this.read(bytes)).find(({ tag }) => tag === FIELD_0);
    const fields = this.childrenOf(required(this.childrenOf(required(wrapper))[0]));
    // Version, digests, content, certificates, lists of revoked ones, signers.
    const content = required(fields.find(({ tag }) => tag === SEQUENCE));
    const certificates = fields.find(({ tag }) => tag === FIELD_0);
    const signers = fields.findLast(({ tag }) => tag === SET);
    const found =
      certificates === undefined ? [] : this.childrenOf(certificates).filter(({ tag }) => tag === SEQUENCE);
    const serial = signers === undefined ? null : this.serialOfFirst(signers);
    const [first, others] = [[] as BerValue[], [] as BerValue[]];
    for (const certificate of found) {
      const isSigner = serial !== null && this.serialOf(certificate).equals(serial);
      (isSigner ? first : others).push(certificate);
    }
    return {
      content: this.contentOf(content),
      certificates: [...first, ...others].map((certificate) => certificate.bytes),
    };
  }

  private contentOf(info: BerValue): Buffer | null {
    const wrapper = this.childrenOf(info).find(({ tag }) => tag === FIELD_0);
    const octets = wrapper === undefined ? undefined : this.childrenOf(wrapper)[0];
    return octets === undefined ? null : Buffer.concat(this.piecesOf(octets));
  }

  private piecesOf(octets: BerValue, depth = 0): Buffer[] {
    if (octets.tag === OCTETS) return [octets.content];
    if (octets.tag !== OCTETS_IN_PIECES || depth > 8) throw new RangeError('It is no content.');
    return this.childrenOf(octets).flatMap((piece) => this.piecesOf(piece, depth + 1));
  }

  /** The serial number by which the first signer names its certificate; `null`: it names it otherwise. */
  private serialOfFirst(signers: BerValue): Buffer | null {
    const [first] = this.childrenOf(signers);
    const [, name] = first === undefined ? [] : this.childrenOf(first);
    if (name?.tag !== SEQUENCE) return null;
    return this.childrenOf(name).find(({ tag }) => tag === INTEGER)?.content ?? null;
  }

  private serialOf(certificate: BerValue): Buffer {
    const [body] = this.childrenOf(certificate);
    const serial = this.childrenOf(required(body)).find(({ tag }) => tag === INTEGER);
    return required(serial).content;
  }

  /**
   * Reads one value of ASN.1 in DER or BER. Values are not copied, so that certificates stay what was hashed.
   *
   * @throws RangeError when it does not end within the bytes
   */
  private read(bytes: Buffer, at = 0, depth = 0): BerValue {
    this.work.spend(VALUE_WORK);
    if (depth > MAX_DEPTH) throw new RangeError('It is nested too deeply.');
    const tag = bytes.readUInt8(at);
    const first = bytes.readUInt8(at + 1);
    if (first === 0x80) {
      let end = at + 2;
      while (bytes.readUInt16BE(end) !== 0) end += this.read(bytes, end, depth + 1).bytes.length;
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
  private childrenOf({ content }: BerValue): BerValue[] {
    const children: BerValue[] = [];
    for (let at = 0; at < content.length;) {
      const child = this.read(content, at);
      children.push(child);
      at += child.bytes.length;
    }
    return children;
  }
}
