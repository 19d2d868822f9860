import { randomBytes } from 'node:crypto';
import type { Response } from 'supertest';
import { sha256 } from '../sha256.js';
import type { Api } from './api.js';
import { expectOpenApi } from './expect-openapi.js';

/** One part of a multipart request. */
export interface Part {
  readonly name: string;
  readonly content: Buffer | string;
  readonly filename?: string;
  /** Content type of the part. */
  readonly type?: string;
}

/** A multipart request, to be sent whole or cut off. */
export interface Form {
  readonly contentType: string;
  readonly body: Buffer;
}

/** Puts parts together in the given order, as the official CLI does. */
export function form(parts: readonly Part[]): Form {
  const boundary = `${'-'.repeat(26)}${randomBytes(12).toString('hex')}`;
  const encoded = parts.map(({ name, content, filename, type }) => {
    const header =
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"` +
      (filename === undefined ? '' : `; filename="${filename}"`) +
      (type === undefined ? '' : `\r\nContent-Type: ${type}`);
    return Buffer.concat([Buffer.from(`${header}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')]);
  });
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...encoded, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

/** Sends a multipart request and checks the answer against the OpenAPI document. */
export async function send(
  api: Api,
  method: 'post' | 'put',
  path: string,
  { contentType, body }: Form,
): Promise<Response> {
  const response = await api.request(method, path).set('Content-Type', contentType).send(body);
  expectOpenApi(method, path, response);
  return response;
}

/** Fields that announce a file; each can be replaced, and `undefined` leaves it out. */
export type FileFields = Partial<
  Record<'checksum' | 'href' | 'mimeType' | 'name' | 'signature' | 'sizeInBytes', string | undefined>
>;

/** The parts of a file's upload in the order of the official CLI: the bytes come second. */
export function fileParts(content: Buffer | string, fields: FileFields = {}): Part[] {
  const name = fields.href?.split('/').at(-1) || 'bundle.zip';
  const texts: FileFields = {
    checksum: sha256(content),
    href: undefined,
    mimeType: 'application/octet-stream',
    name,
    signature: undefined,
    sizeInBytes: String(Buffer.byteLength(content)),
    ...fields,
  };
  const parts: Part[] = Object.entries(texts).flatMap(([field, text]) =>
    text === undefined ? [] : [{ name: field, content: text }],
  );
  parts.splice(1, 0, filePart(content, name));
  return parts;
}

/** The bytes of a file as a part of their own. */
export function filePart(content: Buffer | string, filename = 'file.bin', name = 'file'): Part {
  return { name, content, filename, type: 'application/octet-stream' };
}
