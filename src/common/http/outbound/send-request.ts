import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import type { BoundedBody } from './bounded-body.js';
import { OutboundRefusedError } from './outbound-refused.error.js';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses the connection',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  ETIMEDOUT: 'cannot be reached',
  EPROTO: 'does not speak TLS on this port',
  ERR_SSL_WRONG_VERSION_NUMBER: 'does not speak TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'does not speak TLS on this port',
  HPE_HEADER_OVERFLOW: 'sends too many response headers',
  ERR_STREAM_PREMATURE_CLOSE: 'closed the connection too early',
  ECONNRESET: 'closed the connection too early',
  ERR_PROXY_TUNNEL: 'cannot be reached through the proxy of this server',
  EPIPE: 'closed the connection too early',
};
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/;

/** Response headers larger than this end the call. */
const MAX_HEADER_BYTES = 16 * 1024;

/** What is sent: see `OutboundRequest`. */
interface SentRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | Readable;
  readonly timeoutMs: number;
}

/** What Node.js reports about an address that does not take connections. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** How a call gets to its destination: to one of the checked addresses, or through a proxy, which resolves the name. */
export type Route = { readonly addresses: readonly string[] } | { readonly proxy: string };

/** Connects as `route` says, whatever the name resolves to by now, and pipes the body. @param host of the URL */
export function sendRequest(
  url: URL,
  host: string,
  { method = 'GET', headers = {}, body, timeoutMs }: SentRequest,
  route: Route,
  target: BoundedBody,
): Promise<IncomingMessage> {
  const start = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = start(url, {
      method,
      headers: { 'user-agent': 'Slipway', 'accept-encoding': 'identity', ...headers },
      // A new connection, never one that was made for another name; and no proxy of the environment.
      ...('proxy' in route
        ? { agent: agentOf(url, route.proxy, timeoutMs) }
        : { agent: false, lookup: pinned(route.addresses) }),
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    const fail = (error: unknown): void => {
      const failure = connectionFailure(host, 'proxy' in route ? ofProxy(error) : error);
      target.destroy(failure);
      reject(failure);
    };
    request.on('error', fail);
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      fail({ code: 'HPE_UPGRADE' });
    });
    request.on('response', (response) => {
      response.on('error', fail);
      response.pipe(target);
      resolve(response);
    });
    target.on('close', () => request.destroy());
    if (!(body instanceof Readable)) {
      request.end(body);
      return;
    }
    body.on('error', (error) => {
      target.destroy(error);
      reject(error);
    });
    target.on('close', () => body.destroy());
    body.pipe(request);
  });
}

/** A lookup that returns the checked addresses: what is connected to is what was checked (DNS rebinding). */
function pinned(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all }, callback) => {
    const [first] = found;
    if (first === undefined) callback(new Error('There is no address.'), '');
    else if (all === true) callback(null, found);
    else callback(null, first.address, first.family);
  };
}

/** An agent for one call. Without its own limit, a proxy that does not answer would keep the connection for ever. */
function agentOf(url: URL, proxy: string, timeout: number): HttpAgent | HttpsAgent {
  return url.protocol === 'https:'
    ? new HttpsAgent({ proxyEnv: { HTTPS_PROXY: proxy }, timeout })
    : new HttpAgent({ proxyEnv: { HTTP_PROXY: proxy }, timeout });
}

/** With a proxy, the only connection is the one to the proxy. */
function ofProxy(error: unknown): unknown {
  const { code } = error as { code?: unknown };
  return UNREACHABLE.has(String(code)) ? { code: 'ERR_PROXY_TUNNEL' } : error;
}

/** Makes one sentence of what Node.js reports about a connection. The text of `error` does not get into it. */
function connectionFailure(host: string, error: unknown): OutboundRefusedError {
  if (error instanceof OutboundRefusedError) return error;
  const code = codeOf(error);
  if (CERTIFICATE.test(code)) {
    return new OutboundRefusedError('connection', `The certificate of ${host} is not trusted (${code}).`);
  }
  if (code.startsWith('HPE_') && REASONS[code] === undefined) {
    return new OutboundRefusedError('connection', `${host} does not send a valid HTTP response.`);
  }
  const reason = REASONS[code] ?? `cannot be called${code === '' ? '' : ` (${code})`}`;
  return new OutboundRefusedError('connection', `${host} ${reason}.`);
}

/** With several addresses, Node.js reports the failure of each. */
function codeOf(error: unknown): string {
  const { code, errors } = error as { code?: unknown; errors?: unknown[] };
  if (typeof code === 'string') return code;
  return errors?.[0] === undefined ? '' : codeOf(errors[0]);
}
