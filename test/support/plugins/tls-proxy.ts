import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  createServer as createPlainServer,
  type IncomingMessage,
  request,
  type Server as PlainServer,
  type ServerResponse,
} from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
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
  private fault: { readonly match: Match; readonly fault: Fault } | null = null;
  private onStall: (() => void) | null = null;

  private constructor(
    private readonly server: Server,
    private readonly plainServer: PlainServer,
    /** The loopback address that it listens on, at port 443. */
    readonly address: string,
    private readonly targets: Readonly<Record<string, string>>,
  ) {
    const listen = (listener: Server | PlainServer, scheme: string) =>
      listener.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
        this.pass(incoming, scheme, outgoing).catch(() => outgoing.destroy());
      });
    listen(server, 'https');
    listen(plainServer, 'http');
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
        const plainServer = createPlainServer().listen(0, address);
        await once(plainServer, 'listening');
        return new TlsProxy(server, plainServer, address, targets);
      } catch (error) {
        if (attempt === 5) throw error;
      }
    }
  }

  /** For clients that do not speak TLS. */
  get plainOrigin(): string {
    return `http://${this.address}:${(this.plainServer.address() as AddressInfo).port}`;
  }

  stop(): void {
    for (const server of [this.server, this.plainServer]) {
      server.close();
      server.closeAllConnections();
    }
  }

  /** Spoils the answers to some requests, until it heals. */
  spoil(match: Match, fault: Fault): void {
    this.fault = { match, fault };
  }

  /** Spoils nothing any more. */
  heal(): void {
    this.fault = null;
  }

  /** Resolves when an answer has stalled. */
  stalled(): Promise<void> {
    return new Promise((resolve) => (this.onStall = resolve));
  }

  private async pass(incoming: IncomingMessage, scheme: string, outgoing: ServerResponse): Promise<void> {
    const { method = '', url = '/', headers } = incoming;
    const host = headers.host ?? '';
    const [path = '', ...queries] = url.split('?');
    const rawQuery = queries.join('?');
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
    const passed = request(target + url, { method, headers: { ...headers, 'x-forwarded-proto': scheme } });
    incoming.pipe(passed);
    const [response] = (await once(passed, 'response')) as [IncomingMessage];
    answer.status = response.statusCode ?? 0;
    answer.encoding = response.headers['content-encoding'];
    outgoing.writeHead(answer.status, response.headers);
    if (fault === null) response.pipe(outgoing);
    else this.sendSpoiled(await buffer(response), fault, outgoing);
  }

  private faultFor(proxied: ProxiedRequest): Fault | null {
    return this.fault?.match(proxied) === true ? this.fault.fault : null;
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
