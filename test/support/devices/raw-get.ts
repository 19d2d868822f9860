import { Agent, get, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** An answer as a device sees it. */
export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The names of the headers as they came over the wire. */
  readonly headerNames: ReadonlySet<string>;
  /** Decoded by its `Content-Encoding`. */
  readonly body: Buffer;
  /** Where a redirect led; absent: there was none. */
  readonly redirectedTo?: URL;
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
        const { statusCode = 0, headers: answered, rawHeaders } = response;
        resolve({
          status: statusCode,
          headers: answered,
          headerNames: new Set(rawHeaders.filter((_, index) => index % 2 === 0)),
          body: decode(bytes, answered['content-encoding']),
        });
      }, reject);
    }).on('error', reject);
  });
}

/** As many as OkHttp follows. */
const MAX_REDIRECTS = 20;

/**
 * As `rawGet`, and follows redirects as OkHttp and `URLSession` do: the address is used as it is, and the same headers are
 * sent again, but a token not to another host.
 */
export async function rawGetFollowing(
  origin: string,
  target: string,
  headers: Readonly<Record<string, string>>,
): Promise<RawResponse> {
  let url = new URL(target, origin);
  let response = await rawGet(origin, target, headers);
  for (let count = 0; response.status >= 301 && response.status <= 308; count++) {
    if (count === MAX_REDIRECTS) throw new Error('There are too many redirects.');
    const { location } = response.headers;
    if (location === undefined) return response;
    const next = new URL(location, url);
    const { Authorization: _token, ...others } = headers;
    const sent = next.host === url.host ? headers : others;
    response = {
      ...(await rawGet(next.origin, location.slice(next.origin.length), sent)),
      redirectedTo: next,
    };
    url = next;
  }
  return response;
}

function decode(bytes: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'br') return brotliDecompressSync(bytes);
  if (encoding === 'gzip') return gunzipSync(bytes);
  if (encoding === 'deflate') return inflateSync(bytes);
  return bytes;
}
