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

/** Characters of a line of PEM. */
const LINE = 64;
const BLOCK = /-----BEGIN ([A-Z ]{1,40})-----(.*?)-----END \1-----/s;
/** Line breaks as they are, and as forms and variables write them. */
const BREAKS = /\s+|\\{1,8}[nrt]/g;

/**
 * The one PEM block of a text in its usual lines, whatever became of them: indented, joined, parted by blanks, or with line
 * breaks that are written as `\n`. Text around the block is left out.
 *
 * @param label such as `PRIVATE KEY`
 * @returns `null`: the text has several blocks, or none that is whole and has this label
 */
export function plainPem(text: string, label: string): string | null {
  if (text.split('-----BEGIN').length !== 2) return null;
  const [, found, body = ''] = BLOCK.exec(text) ?? [];
  const base64 = body.replace(BREAKS, '');
  if (found !== label || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null;
  return pemOf(base64, label);
}

/** @param base64 of what a PEM block has */
export function pemOf(base64: string, label: string): string {
  const lines = base64.match(new RegExp(`.{1,${LINE}}`, 'g')) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

/** Or the beginning of one: what looked for each of its ends would take long. */
const STRING = /"(?:[^"\\]|\\(?:.|$))*(?:"|$)/.source;
/** What a form adds around strings: commas before an end, and line breaks that are written out. */
const ADDED = new RegExp(`${STRING}|,(?=\\s*(?:[}\\]]|$))|\\\\{1,8}[nrt]`, 'gs');

/**
 * Parses JSON that went through a form or a variable: with a comma too many, with real line breaks within strings, with line
 * breaks that are written as `\n` between them, or as one string of JSON.
 *
 * @throws SyntaxError when it is something else
 */
export function parseLenientJson(text: string): unknown {
  const value = parse(text);
  return typeof value === 'string' && /^\s*\{/.test(value) ? parse(value) : value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(text.replace(ADDED, (part) => (part.startsWith('"') ? escaped(part) : '')));
  }
}

/** Line breaks and tabs as strings of JSON have them. */
function escaped(string: string): string {
  return string.replaceAll('\r', '').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** A key in PKCS#8, of any kind. */
export const PRIVATE_KEY = 'a private key in PEM';

/** Or what begins like it. */
export const JSON_TEXT = 'JSON';

/** What people upload by mistake, by its beginning. */
const KINDS: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/^\s*$/, 'empty'],
  [/^\s*[{[]/, JSON_TEXT],
  [/-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/, 'an encrypted private key'],
  [/-----BEGIN EC (PRIVATE KEY|PARAMETERS)-----/, 'an EC private key that is not PKCS#8'],
  [/-----BEGIN RSA PRIVATE KEY-----/, 'an RSA private key'],
  [/-----BEGIN OPENSSH PRIVATE KEY-----/, 'an SSH key'],
  [/-----BEGIN PRIVATE KEY-----/, PRIVATE_KEY],
  [/-----BEGIN CERTIFICATE REQUEST-----/, 'a certificate request'],
  [/-----BEGIN CERTIFICATE-----/, 'a certificate'],
  [/-----BEGIN PUBLIC KEY-----/, 'a public key'],
  [/^\s*<(!doctype|html|\?xml)/i, 'an HTML or XML page'],
  [/^\s*AIza[\w-]{30,}\s*$/, 'the text of an API key'],
];

/** What the text is, such as `a certificate`; `null`: unknown. */
export function describeContent(text: string): string | null {
  return KINDS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
