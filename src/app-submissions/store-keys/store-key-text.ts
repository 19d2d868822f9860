import { invalidField } from '../../common/errors/app-error.js';

/**
 * The text of an uploaded file, without a byte order mark.
 *
 * @throws InvalidRequestError when there is no file, it is empty, or is no text in UTF-8
 */
export function storeKeyTextOf(file: Pick<Express.Multer.File, 'buffer'> | undefined): string {
  if (file === undefined) throw invalidField('file', 'file is required.');
  const { buffer } = file;
  if (buffer.length === 0) throw invalidField('file', 'file is empty.');
  if (isUtf16(buffer)) throw invalidField('file', 'file is text in UTF-16: save it as UTF-8.');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(buffer);
  } catch {
    throw invalidField('file', `file is no text: upload it as it was downloaded, not ${guess(buffer)}.`);
  }
  if (text.includes('\0')) throw invalidField('file', 'file is no text: it has zero bytes.');
  return text;
}

function isUtf16(buffer: Buffer): boolean {
  const mark = buffer.subarray(0, 2).toString('hex');
  return mark === 'fffe' || mark === 'feff';
}

function guess(buffer: Buffer): string {
  if (buffer.subarray(0, 2).toString('latin1') === 'PK') return 'in a zip file';
  return buffer[0] === 0x30 ? 'a keystore or a key in DER' : 'a binary file';
}
