import { createPrivateKey } from 'node:crypto';
import { invalidField } from '../../common/errors/app-error.js';

/** Base64 of more than a word, also in lines. */
const BASE64 = /^[A-Za-z0-9+/]{64,}={0,2}$/;

/**
 * The text of an uploaded file, without a byte order mark. A file that is Base64 of such a text is decoded, and a private key
 * in DER becomes PEM.
 *
 * @throws InvalidRequestError when there is no file, it is empty, or is no text in UTF-8
 */
export function storeKeyTextOf(file: Pick<Express.Multer.File, 'buffer'> | undefined): string {
  if (file === undefined) throw invalidField('file', 'file is required.');
  const { buffer } = file;
  if (buffer.length === 0) throw invalidField('file', 'file is empty.');
  if (isUtf16(buffer)) throw invalidField('file', 'file is text in UTF-16: save it as UTF-8.');
  const text = decoded(buffer);
  if (text === null) {
    const pem = pemOfDer(buffer);
    if (pem !== null) return pem;
    throw invalidField('file', `file is no text: upload it as it was downloaded, not ${guess(buffer)}.`);
  }
  if (text.includes('\0')) throw invalidField('file', 'file is no text: it has zero bytes.');
  return fromBase64(text) ?? text;
}

/** @returns `null`: it is no UTF-8 */
function decoded(buffer: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer);
  } catch {
    return null;
  }
}

/** The text of a key that is here as Base64; `null`: it is none. */
function fromBase64(text: string): string | null {
  const base64 = text.replace(/\s+/g, '');
  if (!BASE64.test(base64)) return null;
  const bytes = Buffer.from(base64, 'base64');
  const inner = decoded(bytes);
  return inner !== null && /^\s*(\{|-----BEGIN )/.test(inner) ? inner : pemOfDer(bytes);
}

/** A private key in PKCS#8 as PEM; `null`: it is none. */
function pemOfDer(bytes: Buffer): string | null {
  if (bytes[0] !== 0x30) return null;
  try {
    const key = createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' });
    return key.export({ format: 'pem', type: 'pkcs8' }).toString();
  } catch {
    return null;
  }
}

function isUtf16(buffer: Buffer): boolean {
  const mark = buffer.subarray(0, 2).toString('hex');
  return mark === 'fffe' || mark === 'feff';
}

function guess(buffer: Buffer): string {
  if (buffer.subarray(0, 2).toString('latin1') === 'PK') return 'in a zip file';
  return buffer[0] === 0x30 ? 'a keystore or a key in DER' : 'a binary file';
}
