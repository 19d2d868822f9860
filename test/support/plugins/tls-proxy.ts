import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { prepared } from './prepared.js';

/** A request of a device, and how it was answered. */
export interface ProxiedRequest {
  readonly host: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** As it was sent. */
  readonly rawQuery: string;
  readonly headers: IncomingMessage['headers'];
  /** Also how a body was compressed. */
  readonly answer: { status: number; encoding: string | undefined };
}

/** What happens to an answer on its way. */
export type Fault =
  /** Something else answers. */
  | { readonly kind: 'answer'; readonly status: number; readonly type: string; readonly body: string }
  /** The connection ends after so many bytes of the body. */
  | { readonly kind: 'cut'; readonly after: number }
  /** Nothing more comes after so many bytes of the body. */
  | { readonly kind: 'stall'; readonly after: number }
  /** One bit of the body is another. */
  | { readonly kind: 'flip' };

/** Which requests a fault is for. */
export type Match = (request: ProxiedRequest) => boolean;

/** Ends TLS in front of Slipway and of an object storage, as a reverse proxy does, and spoils answers on demand. */
export class TlsProxy {
  /** What has passed since they were cleared. */
  readonly requests: ProxiedRequest[] = [];
  private fault: { readonly match: Match; readonly fault: Fault; times: number } | null = null;
  private onStall: (() => void) | null = null;

  private constructor(
    private readonly server: Server,
    /** The loopback address that it listens on, at port 443. */
    readonly address: string,
    private readonly targets: Readonly<Record<string, string>>,
  ) {
    server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
      this.pass(incoming, outgoing).catch(() => outgoing.destroy());
    });
  }

  /** @param targets origins by the name of the host; the others go to the first one */
  static async start(targets: Readonly<Record<string, string>>): Promise<TlsProxy> {
    const tls = { pfx: readFileSync(prepared.keyStore), passphrase: prepared.password };
    // Each suite has an address of its own.
    for (let attempt = 0; ; attempt++) {
      const address = `127.${randomInt(64, 128)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;
      const server = createServer(tls).listen(443, address);
      try {
        await once(server, 'listening');
        return new TlsProxy(server, address, targets);
      } catch (error) {
        if (attempt === 5) throw error;
      }
    }
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** Spoils the answers to some requests, until it heals or has done so often enough. */
  spoil(match: Match, fault: Fault, times = Infinity): void {
    this.fault = { match, fault, times };
  }

  /** Spoils nothing any more. */
  heal(): void {
    this.fault = null;
  }

  /** Resolves when an answer has stalled. */
  stalled(): Promise<void> {
    return new Promise((resolve) => (this.onStall = resolve));
  }

  private async pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url = '/', headers } = incoming;
    const host = headers.host ?? '';
    const [path = '', rawQuery = ''] = url.split('?', 2);
    const answer: ProxiedRequest['answer'] = { status: 0, encoding: undefined };
    const proxied = { host, path, query: new URLSearchParams(rawQuery), rawQuery, headers, answer };
    this.requests.push(proxied);

    const fault = this.faultFor(proxied);
    if (fault?.kind === 'answer') {
      answer.status = fault.status;
      outgoing.writeHead(fault.status, { 'content-type': fault.type }).end(fault.body);
      return;
    }
    const target = this.targets[host] ?? Object.values(this.targets)[0] ?? '';
    const passed = request(target + url, { method, headers: { ...headers, 'x-forwarded-proto': 'https' } });
    incoming.pipe(passed);
    const [response] = (await once(passed, 'response')) as [IncomingMessage];
    answer.status = response.statusCode ?? 0;
    answer.encoding = response.headers['content-encoding'];
    outgoing.writeHead(answer.status, response.headers);
    if (fault === null) response.pipe(outgoing);
    else this.sendSpoiled(await buffer(response), fault, outgoing);
  }

  private faultFor(proxied: ProxiedRequest): Exclude<Fault, { kind: 'none' }> | null {
    if (this.fault === null || this.fault.times === 0 || !this.fault.match(proxied)) return null;
    this.fault.times--;
    return this.fault.fault;
  }

  private sendSpoiled(
    body: Buffer,
    fault: Exclude<Fault, { kind: 'answer' }>,
    outgoing: ServerResponse,
  ): void {
    if (fault.kind === 'flip') {
      const middle = body.length >> 1;
      body[middle] = (body[middle] ?? 0) ^ 1;
      outgoing.end(body);
      return;
    }
    outgoing.write(body.subarray(0, fault.after), () => {
      if (fault.kind === 'cut') outgoing.destroy();
      else this.onStall?.();
    });
  }
}
