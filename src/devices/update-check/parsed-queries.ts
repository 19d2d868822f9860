import { LRUCache } from 'lru-cache';
import { isWellFormedUrl } from '../../common/http/well-formed-url.middleware.js';
import type { DeviceReport } from '../check-ins/device-report.js';
import { parseUpdateCheck, type UpdateCheckRequest } from './update-check-request.js';

/** Queries in the cache, and how long they may be: a bound on its memory. */
const MAX_QUERIES = 5000;
const MAX_QUERY_LENGTH = 500;

/** A parameter whose name must be decoded, or that is none of a device's. */
const ODD_PARAMETER = /(^|&)([^&=]*[%+]|access_token(=|&|$))/;
/** Ids that need no decoding. */
const PLAIN = /^[\w.:~-]+$/;

/**
 * A cache of parsed queries. Queries from one version of an app differ only in the device's id: the rest of them is parsed
 * once for all devices.
 */
export class ParsedQueries {
  /** By the query without the device's id. */
  private readonly reports = new LRUCache<string, DeviceReport>({ max: MAX_QUERIES });

  /**
   * As `parseUpdateCheck`.
   *
   * @param query without the question mark
   * @param deviceIdHeader `X-Capawesome-Device-Id`, used when the query has no device id
   * @returns `null` for a query that the route must answer: it may be invalid, or have another meaning
   */
  read(query: string, deviceIdHeader: string | undefined): UpdateCheckRequest | null {
    const start = deviceIdStart(query);
    if (start === -1) {
      const report = this.reports.get(query);
      if (report === undefined) return this.parse(query, deviceIdHeader, query);
      return { deviceId: deviceIdHeader || null, customId: null, report };
    }
    let end = query.indexOf('&', start);
    if (end === -1) end = query.length;
    const deviceId = query.slice(start, end);
    if (!PLAIN.test(deviceId)) return parsePlain(query, deviceIdHeader);
    const around = query.slice(0, start) + query.slice(end);
    const report = this.reports.get(around);
    if (report === undefined) return this.parse(query, deviceIdHeader, around);
    return { deviceId, customId: null, report };
  }

  private parse(query: string, deviceIdHeader: string | undefined, key: string): UpdateCheckRequest | null {
    const request = parsePlain(query, deviceIdHeader);
    // Each device has a custom id of its own.
    if (request?.customId === null && key.length <= MAX_QUERY_LENGTH) this.reports.set(key, request.report);
    return request;
  }
}

/** Where the first value of `deviceId` starts; -1: there is none. */
function deviceIdStart(query: string): number {
  if (query.startsWith('deviceId=')) return 'deviceId='.length;
  const before = query.indexOf('&deviceId=');
  return before === -1 ? -1 : before + '&deviceId='.length;
}

function parsePlain(query: string, deviceIdHeader: string | undefined): UpdateCheckRequest | null {
  const url = `?${query}`;
  if (ODD_PARAMETER.test(query) || !isWellFormedUrl(url)) return null;
  try {
    return parseUpdateCheck(url, deviceIdHeader);
  } catch {
    return null;
  }
}
