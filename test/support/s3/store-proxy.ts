import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** What happens to a request, or to its response. */
export type Fault =
  /** The store responds with an error. */
  | { readonly kind: 'error'; readonly status: number; readonly code: string }
  /** A proxy without a store behind it responds with a page. */
  | { readonly kind: 'page' }
  /** The connection ends before the store has the request. */
  | { readonly kind: 'cut' }
  /** The connection ends in the middle of the response. */
  | { readonly kind: 'cut-response' }
  /** The response begins after a while. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** The response stops in the middle, and the connection stays open. */
  | { readonly kind: 'stall' }
  /** A bit of the request's content is another one. */
  | { readonly kind: 'corrupt' }
  /** A bit of the response's content is another one. */
  | { readonly kind: 'corrupt-response' }
  /** The response has another `ETag`. */
  | { readonly kind: 'wrong-etag' };

/** What a fault may depend on. */
export interface SeenRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
}

/** Stands between Slipway and a store with the S3 protocol, and makes requests fail. */
export class StoreProxy {
  /** Requests so far. */
  readonly seen: SeenRequest[] = [];
  /** Their headers. */
  readonly seenHeaders: IncomingHttpHeaders[] = [];
  /** Decides about each request; `null`: it passes. */
  fault: (request: SeenRequest) => Fault | null = () => null;

  private readonly server: Server;
  private readonly target: URL;

  private constructor(server: Server, target: URL) {
    this.server = server;
    this.target = target;
  }

  /** @param target origin of the store, with `http` */
  static async start(target: string): Promise<StoreProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new StoreProxy(server, new URL(target));
    server.on('request', (incoming: IncomingMessage, response: ServerResponse) => {
      proxy.pass(incoming, response).catch(() => response.destroy());
    });
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Fails all requests, or those of some methods. */
  failAll(fault: Fault, methods: readonly string[] = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE']): void {
    this.fault = ({ method }) => (methods.includes(method) ? fault : null);
  }

  /** Fails the next requests that are chosen. */
  failNext(count: number, fault: Fault, chosen: (request: SeenRequest) => boolean = () => true): void {
    let left = count;
    this.fault = (seen) => (left > 0 && chosen(seen) && left-- > 0 ? fault : null);
  }

  /** Lets everything pass. */
  heal(): void {
    this.fault = () => null;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = { method: incoming.method ?? '', path: incoming.url ?? '' };
    this.seen.push(seen);
    this.seenHeaders.push(incoming.headers);
    const fault = this.fault(seen);
    if (fault?.kind === 'cut') {
      incoming.once('data', () => incoming.destroy());
      incoming.once('end', () => response.destroy());
      return;
    }
    const body = await buffer(incoming);
    if (fault?.kind === 'error') {
      response.writeHead(fault.status, { 'Content-Type': 'application/xml' });
      response.end(`<Error><Code>${fault.code}</Code><Message>${fault.code}</Message></Error>`);
      return;
    }
    if (fault?.kind === 'page') {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>Sign in</html>');
      return;
    }
    if (fault?.kind === 'delay') await sleep(fault.ms);
    if (fault?.kind === 'corrupt' && body.length > 0) body[0]! ^= 1;
    const { hostname, port } = this.target;
    // The signature covers the host that Slipway knows.
    const outgoing = request({
      hostname,
      port,
      method: seen.method,
      path: seen.path,
      headers: incoming.headers,
      setHost: false,
      agent: false,
    });
    // Once there is a response, `once` does not listen any more.
    outgoing.on('error', () => undefined);
    outgoing.end(body);
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    const content = await buffer(answer);
    const { connection: _, 'keep-alive': __, ...headers } = answer.headers;
    if (fault?.kind === 'wrong-etag' && headers.etag !== undefined)
      headers.etag = '"0123456789abcdef0123456789abcdef"';
    response.writeHead(answer.statusCode ?? 500, headers);
    if (fault?.kind === 'cut-response' || fault?.kind === 'stall') {
      response.flushHeaders();
      response.write(content.subarray(0, content.length / 2), () => {
        if (fault.kind === 'cut-response') response.destroy();
      });
      return;
    }
    if (fault?.kind === 'corrupt-response' && content.length > 0) content[0]! ^= 1;
    response.end(content);
  }
}
