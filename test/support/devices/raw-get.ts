import { Agent, get, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** An answer as a device sees it. */
export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Decoded by its `Content-Encoding`. */
  readonly body: Buffer;
}

const agent = new Agent({ keepAlive: true, maxSockets: 30 });
afterAll(() => agent.destroy());

/**
 * A GET of exactly these bytes: nothing encodes, decodes or sorts the target.
 *
 * @param target path and query as they go over the wire
 */
export async function rawGet(
  origin: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawResponse> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    get({ hostname, port, path: target, headers, agent }, (response) => {
      buffer(response).then((bytes) => {
        const { statusCode = 0, headers: answered } = response;
        resolve({ status: statusCode, headers: answered, body: decode(bytes, answered['content-encoding']) });
      }, reject);
    }).on('error', reject);
  });
}

function decode(bytes: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'br') return brotliDecompressSync(bytes);
  if (encoding === 'gzip') return gunzipSync(bytes);
  if (encoding === 'deflate') return inflateSync(bytes);
  return bytes;
}
