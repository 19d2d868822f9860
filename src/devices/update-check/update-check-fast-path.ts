import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { type ProxyTrust, requestedOrigin, statedCountry } from '../../common/request-origin/proxy-trust.js';
import { hasSeveralHosts } from '../../common/http/host.js';
import { chooseRequestId } from '../../common/http/request-id.middleware.js';
import { Config } from '../../config/config.js';
import { countedConnectionOf } from '../check-ins/new-device-limits.js';
import { CheckCounts } from './check-counts.js';
import { ParsedQueries } from './parsed-queries.js';
import { type PreparedBody, preparedError, preparedOffer } from './prepared-responses.js';
import type { UpdateCheckOutcome } from './update-check-outcome.js';
import { UpdateCheckService } from './update-check.service.js';

const BEFORE_APP_ID = '/v1/apps/';
const AFTER_APP_ID = '/bundles/latest?';
const APP_ID_START = BEFORE_APP_ID.length;
const APP_ID_END = APP_ID_START + 36;
const QUERY_START = APP_ID_END + AFTER_APP_ID.length;

/** The spelling of ids in memory. An app that is not found under another spelling may still exist. */
const LOWER_CASE_UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Headers for tokens, bodies and conditions, which devices do not send. */
const SPECIAL_HEADERS = [
  'authorization',
  'content-length',
  'expect',
  'if-modified-since',
  'if-none-match',
  'transfer-encoding',
  'upgrade',
];

/**
 * The fast path of update checks, in front of Express: answers the usual requests of devices from memory, synchronously;
 * those for an app that is not in memory as soon as it is. All others (other methods, tokens, bodies, invalid queries) go to
 * the route, which gives the same response. ADR 23 lists what must not be added here.
 */
@Injectable()
export class UpdateCheckFastPath {
  private readonly queries = new ParsedQueries();

  constructor(
    private readonly updates: UpdateCheckService,
    private readonly counts: CheckCounts,
    private readonly config: Config,
  ) {}

  /**
   * @param trusts which proxies are trusted
   * @returns whether the request was answered; a promise when its app has to be loaded first
   */
  handle(request: IncomingMessage, response: ServerResponse, trusts: ProxyTrust): boolean | Promise<boolean> {
    const { url = '', headers } = request;
    if (!isPlain(request, url)) return false;
    const appId = url.slice(APP_ID_START, APP_ID_END);
    const deviceId = headers['x-capawesome-device-id'];
    const check = this.queries.read(
      url.slice(QUERY_START),
      typeof deviceId === 'string' ? deviceId : undefined,
    );
    if (check === null) return false;
    const { countryHeader } = this.config.http;
    const country = countryHeader === null ? null : statedCountry(request, countryHeader, trusts);
    const connection = countedConnectionOf(request, trusts, this.config.devices);
    const circumstances = { isProbe: false, country, connection };
    const outcome = this.updates.checkInMemory(appId, check, circumstances);
    if (outcome !== undefined) return this.respond(request, response, trusts, appId, outcome);
    if (!LOWER_CASE_UUID.test(appId)) return false;
    return this.updates.check(appId, check, circumstances).then(
      (loaded) => this.respond(request, response, trusts, appId, loaded),
      // The route fails in the same way, and has the response for it.
      () => false,
    );
  }

  private respond(
    request: IncomingMessage,
    response: ServerResponse,
    trusts: ProxyTrust,
    appId: string,
    outcome: UpdateCheckOutcome,
  ): boolean {
    if (outcome.result === 'unknown_app' && !LOWER_CASE_UUID.test(appId)) return false;
    this.counts.fast[outcome.result]++;
    const requestId = chooseRequestId(request);
    if (outcome.result === 'update') {
      const origin = this.config.http.publicUrl ?? requestedOrigin(request, trusts);
      send(response, requestId, 200, preparedOffer(appId, outcome.offer, origin));
    } else {
      send(response, requestId, outcome.error.status, preparedError(outcome.error, requestId));
    }
    return true;
  }
}

function isPlain(request: IncomingMessage, url: string): boolean {
  const { method, headers } = request;
  return (
    method === 'GET' &&
    url.startsWith(AFTER_APP_ID, APP_ID_END) &&
    url.startsWith(BEFORE_APP_ID) &&
    !hasSpecialHeaders(headers) &&
    !hasSeveralHosts(request)
  );
}

function hasSpecialHeaders(headers: IncomingHttpHeaders): boolean {
  for (const name of SPECIAL_HEADERS) if (headers[name] !== undefined) return true;
  return false;
}

function send(response: ServerResponse, requestId: string, status: number, body: PreparedBody): void {
  response.writeHead(status, [
    'X-Request-Id',
    requestId,
    'X-Content-Type-Options',
    'nosniff',
    'Cache-Control',
    'no-store',
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(body.length),
  ]);
  response.end(body.json, body.encoding);
}
