import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import type { OutboundPurpose } from '../../../config/outbound-allow.js';
import { storeOriginsOf } from '../../../config/store-origins.js';
import { hostSuffixesOf } from '../../../config/store-urls.js';
import { BoundedBody } from './bounded-body.js';
import { DestinationRules, type Verdict } from './destination-rules.js';
import { HostResolver } from './host-resolver.js';
import { OutboundRefusedError } from './outbound-refused.error.js';
import { type Route, sendRequest } from './send-request.js';

/** One call to an address that a user entered, or that another server named. */
export interface OutboundRequest {
  /** Which entries of `OUTBOUND_ALLOW` apply. */
  readonly purpose: OutboundPurpose;
  readonly url: string | URL;
  /** @default GET */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream needs the header `content-length`; when it fails, the call fails with the same error. */
  readonly body?: string | Uint8Array | Readable;
  /** Bytes of the response body that are read at most. */
  readonly maxBytes: number;
  /** Milliseconds for everything: the lookup of the name, the connection, the response and its whole body. */
  readonly timeoutMs: number;
  /** Bytes that the body must have in every period of so many milliseconds, from the start of the call. @default none */
  readonly slowest?: { readonly bytes: number; readonly withinMs: number };
}

/** The response, of any status: redirects are not followed. */
export interface OutboundResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /**
   * The body as it is on the wire (no compression is requested). Fails with `OutboundRefusedError` when it is larger than
   * `maxBytes`, late or incomplete. Read it or destroy it, which ends the connection; otherwise the timeout does.
   */
  readonly stream: Readable;
  /** Reads the whole body as UTF-8. @throws OutboundRefusedError as `stream` fails */
  text(): Promise<string>;
}

/** Calls for one organization. */
export interface OutboundCalls {
  /** See `Outbound`. @throws OutboundRefusedError */
  request(request: OutboundRequest): Promise<OutboundResponse>;
}

/**
 * Calls addresses that users entered, without letting them reach what only this server can reach: see
 * docs/security.md#outbound-calls. Every such call goes through it, and so do those to app stores, whose answers name
 * further addresses.
 */
@Injectable()
export class Outbound {
  private readonly rules: DestinationRules;
  private readonly storeOrigins: ReadonlySet<string>;
  /** For the calls to stores. */
  private readonly proxy: string | null;
  /** What the proxy may be asked for besides the stores: these hosts, and all below them. */
  private readonly uploadHosts: readonly string[];

  constructor(
    config: Config,
    private readonly resolver: HostResolver,
  ) {
    this.rules = new DestinationRules(config.outbound.allow);
    this.storeOrigins = storeOriginsOf(config.stores);
    this.proxy = config.stores.proxyUrl;
    this.uploadHosts = hostSuffixesOf(config.stores.uploadHosts);
  }

  /** @param organizationId whose work the calls are */
  of(organizationId: string): OutboundCalls {
    return { request: (request) => this.request(organizationId, request) };
  }

  /**
   * Checks what an address shows without a lookup, so that forms can refuse it immediately. Every call checks it again,
   * with what the name resolves to then.
   *
   * @throws OutboundRefusedError when no call of this purpose would be made
   */
  check(purpose: OutboundPurpose, address: string): void {
    const url = parseUrl(address);
    const host = hostOf(url);
    this.requireAllowed(purpose, url, this.rules.judgeUnresolved(purpose, host));
  }

  /**
   * @throws OutboundRefusedError when the destination is refused or cannot be reached, or when the response headers are
   *   late or announce more than `maxBytes`
   */
  private async request(organizationId: string, request: OutboundRequest): Promise<OutboundResponse> {
    const url = parseUrl(request.url);
    const host = hostOf(url);
    const body = new BoundedBody(host, request.maxBytes);
    const expired = deadline(body, request);
    try {
      const leaving = new AbortController();
      body.on('close', () => leaving.abort());
      const found = this.routeOf(organizationId, request.purpose, url, leaving.signal);
      const route = await Promise.race([found, expired]);
      const response = await Promise.race([sendRequest(url, host, request, route, body), expired]);
      const { statusCode = 0, headers } = response;
      const length = Number(headers['content-length'] ?? 0);
      if (request.method !== 'HEAD' && length > request.maxBytes) throw body.tooLarge();
      return { status: statusCode, headers, stream: body, text: () => body.text() };
    } catch (error) {
      body.destroy();
      throw error;
    }
  }

  /** Checks the destination. @returns how to get there */
  private async routeOf(
    organizationId: string,
    purpose: OutboundPurpose,
    url: URL,
    leaving: AbortSignal,
  ): Promise<Route> {
    const host = hostOf(url);
    const { proxy } = this;
    if (purpose === 'store' && proxy !== null) {
      // The proxy resolves names, in its own network.
      const verdict =
        isIP(host) === 0 ? this.rules.judgeName(purpose, host) : this.rules.judge(purpose, host, [host]);
      this.requireAllowed(purpose, url, verdict);
      this.requireProxied(purpose, url, verdict);
      return { proxy };
    }
    const addresses = await this.resolve(organizationId, purpose, host, leaving);
    this.requireAllowed(purpose, url, this.rules.judge(purpose, host, addresses));
    return { addresses };
  }

  /** The proxy may reach what Slipway cannot judge: it only gets what the operator has named. */
  private requireProxied(purpose: OutboundPurpose, url: URL, verdict: Verdict): void {
    const host = hostOf(url).toLowerCase().replace(/\.$/, '');
    const isBelow = (suffix: string): boolean => host === suffix || host.endsWith(`.${suffix}`);
    if (verdict === 'allowed' || this.storeOrigins.has(url.origin) || this.uploadHosts.some(isBelow)) return;
    throw new OutboundRefusedError(
      'address',
      `${host} is not called through the proxy for stores. An operator of this server can allow it: add ${isIP(host) === 0 ? 'it to STORE_UPLOAD_HOSTS' : `${purpose}=${host} to OUTBOUND_ALLOW`}.`,
    );
  }

  private async resolve(
    organizationId: string,
    purpose: OutboundPurpose,
    host: string,
    leaving: AbortSignal,
  ): Promise<string[]> {
    const addresses = await this.resolver.resolve(organizationId, host, leaving, purpose).catch(() => []);
    if (addresses.length === 0)
      throw new OutboundRefusedError('name', `The name ${host} cannot be resolved.`);
    return addresses;
  }

  private requireAllowed(purpose: OutboundPurpose, url: URL, verdict: Verdict): void {
    const host = hostOf(url);
    if (verdict === 'never') throw new OutboundRefusedError('address', `${host} is not a public address.`);
    if (purpose === 'store' && this.storeOrigins.has(url.origin)) return;
    // The other entries stay unknown to users: they are about the network of the operator.
    const entry = `${purpose}=${host.replace(/\.$/, '')}`;
    if (verdict === 'refused') {
      throw new OutboundRefusedError(
        'address',
        `${host} is not a public address. An operator of this server can allow it: add ${entry} to OUTBOUND_ALLOW.`,
      );
    }
    if (url.protocol === 'http:' && verdict !== 'allowed') {
      throw new OutboundRefusedError(
        'url',
        `${host} must be called with https. An operator of this server can allow http: add ${entry} to OUTBOUND_ALLOW.`,
      );
    }
  }
}

/** Destroys the body when the timeout expires, or the server is too slow, and then rejects. */
function deadline(body: BoundedBody, { timeoutMs, slowest }: OutboundRequest): Promise<never> {
  const expired = new Promise<never>((_, reject) => {
    const fail = (error: OutboundRefusedError): void => {
      body.destroy(error);
      reject(error);
    };
    const timer = setTimeout(() => fail(body.late()), timeoutMs);
    let received = 0;
    const checkPace = (bytes: number): void => {
      // What waits to be read has arrived in time.
      if (body.receivedBytes < received + bytes && body.readableLength === 0) fail(body.slow());
      received = body.receivedBytes;
    };
    const pace = slowest && setInterval(() => checkPace(slowest.bytes), slowest.withinMs);
    body.on('close', () => {
      clearTimeout(timer);
      clearInterval(pace);
    });
  });
  // It may expire while the body is read, when nothing waits for this promise.
  expired.catch(() => undefined);
  return expired;
}

/** @throws OutboundRefusedError when the text is no address that can be called */
function parseUrl(text: string | URL): URL {
  const url = URL.canParse(String(text)) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '') {
    throw new OutboundRefusedError('url', 'The address must start with https:// or http://.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundRefusedError('url', 'The address must not contain a user name or password.');
  }
  return url;
}

/** The name, or the literal address: the parser of URLs has turned every spelling into the usual one. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
