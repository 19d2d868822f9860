import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { type ProxyTrust, requestedOrigin, statedCountry } from '../../common/http/proxy-trust.js';
import { requestIdOf } from '../../common/http/request-id.middleware.js';
import { isWellFormedUrl } from '../../common/http/well-formed-url.middleware.js';
import { Config } from '../../config/config.js';
import { CheckCounts } from './check-counts.js';
import { noUpdateAnswer, type Prepared, preparedOffer, unknownAppAnswer } from './prepared-answers.js';
import { isOffer } from './update.dto.js';
import { parseUpdateCheck, type UpdateCheckRequest } from './update-check-request.js';
import { UpdateCheckService } from './update-check.service.js';

const BEFORE_APP_ID = '/v1/apps/';
const AFTER_APP_ID = '/bundles/latest?';
const APP_ID_START = BEFORE_APP_ID.length;
const APP_ID_END = APP_ID_START + 36;

/** An id as it is written in memory: what is not found under another spelling may be there all the same. */
const LOWER_CASE_UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Tokens, bodies and conditions: devices send none of them. */
const SPECIAL_HEADERS = [
  'authorization',
  'content-length',
  'expect',
  'if-modified-since',
  'if-none-match',
  'transfer-encoding',
  'upgrade',
];
/** A parameter whose name has to be decoded, or that is none of a device's. */
const ODD_PARAMETER = /[?&]([^&=]*[%+]|access_token(=|&|$))/;

/**
 * The short road of update checks, in front of Express: answers what devices really send from memory, in one turn.
 * Everything that is not plain (other methods, tokens, bodies, errors, apps that are not in memory) is left to the
 * route, which answers the same. ADR 23 says what must not be put here.
 */
@Injectable()
export class DeviceRoad {
  constructor(
    private readonly updates: UpdateCheckService,
    private readonly counts: CheckCounts,
    private readonly config: Config,
  ) {}

  /**
   * @param trusts which proxies are believed
   * @returns whether the request was answered
   */
  answer(request: IncomingMessage, response: ServerResponse, trusts: ProxyTrust): boolean {
    const { url = '', headers } = request;
    if (!isPlain(request, url)) return false;
    const appId = url.slice(APP_ID_START, APP_ID_END);
    const check = read(url, headers['x-capawesome-device-id']);
    if (check === null) return false;
    const { countryHeader, publicUrl } = this.config.http;
    const country = countryHeader === null ? null : statedCountry(request, countryHeader, trusts);
    const decision = this.updates.checkInMemory(appId, check, { isProbe: false, country });
    if (decision === undefined) return false;
    const { short } = this.counts;
    if (decision === null) {
      if (!LOWER_CASE_UUID.test(appId)) return false;
      short.unknown_app++;
      send(request, response, 404, unknownAppAnswer(requestIdOf(request)));
    } else if (isOffer(decision)) {
      short.update++;
      const origin = publicUrl ?? requestedOrigin(request, trusts);
      send(request, response, 200, preparedOffer(appId, decision, origin));
    } else {
      short.none++;
      send(request, response, 404, noUpdateAnswer(decision, requestIdOf(request)));
    }
    return true;
  }
}

function isPlain({ method, headers }: IncomingMessage, url: string): boolean {
  return (
    method === 'GET' &&
    url.startsWith(AFTER_APP_ID, APP_ID_END) &&
    url.startsWith(BEFORE_APP_ID) &&
    !SPECIAL_HEADERS.some((name) => headers[name] !== undefined) &&
    !ODD_PARAMETER.test(url) &&
    isWellFormedUrl(url)
  );
}

/** @returns `null` for what the route has to refuse */
function read(url: string, deviceId: string | string[] | undefined): UpdateCheckRequest | null {
  try {
    return parseUpdateCheck(url, typeof deviceId === 'string' ? deviceId : undefined);
  } catch {
    return null;
  }
}

function send(request: IncomingMessage, response: ServerResponse, status: number, body: Prepared): void {
  response.writeHead(status, [
    'X-Request-Id',
    requestIdOf(request),
    'Cache-Control',
    'no-store',
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(body.length),
  ]);
  response.end(body.json, body.encoding);
}
