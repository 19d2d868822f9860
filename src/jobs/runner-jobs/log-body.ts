import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Request } from 'express';
import { InvalidRequestError, invalidField, TooLargeError, errorOf } from '../../common/errors/app-error.js';
import { MAX_LOG_PART } from './protocol.js';

/**
 * Reads a part of a log from a request, without ever holding more than its limit in memory.
 *
 * @throws TooLargeError
 * @throws InvalidRequestError when it is not gzip, although the header announces it, or is compressed in another way
 */
export async function readLogPart(request: Request): Promise<Buffer> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new InvalidRequestError(`The encoding must be gzip or identity.`, 'log_not_decoded');
  }
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MAX_LOG_PART) throw tooLarge();
    parts.push(part);
  }
  const body = Buffer.concat(parts);
  if (encoding === 'identity' || body.length === 0) return body;
  try {
    return await promisify(gunzip)(body, { maxOutputLength: MAX_LOG_PART });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw errorOf('log_not_decoded');
  }
}

/** @throws InvalidRequestError when the header is missing or no whole number */
export function uploadOffsetOf(request: Request): number {
  const text = request.headers['upload-offset'];
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text)) {
    throw invalidField('Upload-Offset', 'Upload-Offset must be a whole number.');
  }
  return Number(text);
}

function tooLarge(): TooLargeError {
  return new TooLargeError('A part of a log has at most 65,536 bytes, also after decompression.');
}
