import { pem } from '../../builders/certificate.js';

/** `PBKDF2` with 2,048 iterations: an INTEGER of two bytes. */
const ITERATIONS = Buffer.from('02020800', 'hex');
/** 2^31 - 1. */
const MANY = Buffer.from('02047fffffff', 'hex');
const SEQUENCE = 0x30;

/** An encrypted private key as PEM, small and well-formed, that takes a server many minutes to open. */
export function slowKey(): string {
  const der = Buffer.from(pem('x').replace(/-----.*-----/g, ''), 'base64');
  const slow = withManyIterations(der);
  const lines = slow.toString('base64').replace(/.{64}/g, '$&\n');
  return `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${lines}\n-----END ENCRYPTED PRIVATE KEY-----\n`;
}

/** Replaces the number in an element of DER, and corrects the lengths of all sequences around it. */
function withManyIterations(der: Buffer): Buffer {
  const at = der.indexOf(ITERATIONS);
  if (at < 0) throw new Error('The key has another number of iterations.');
  const longer = Buffer.concat([der.subarray(0, at), MANY, der.subarray(at + ITERATIONS.length)]);
  for (let start = 0; start < at;) {
    const { header, length } = sizeOf(longer, start);
    const isAround = longer[start] === SEQUENCE && start + header + length > at;
    if (isAround) lengthen(longer, start, header, length + MANY.length - ITERATIONS.length);
    start += isAround ? header : header + length;
  }
  return longer;
}

function sizeOf(der: Buffer, start: number): { header: number; length: number } {
  const first = der[start + 1] ?? 0;
  if (first < 0x80) return { header: 2, length: first };
  const bytes = first & 0x7f;
  return { header: 2 + bytes, length: der.readUIntBE(start + 2, bytes) };
}

/** The lengths are of several bytes, or far from 127, so that they need no more bytes. */
function lengthen(der: Buffer, start: number, header: number, length: number): void {
  if (header === 2) der[start + 1] = length;
  else der.writeUIntBE(length, start + 2, header - 2);
}
