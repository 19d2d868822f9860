import { LRUCache } from 'lru-cache';
import { isWellFormedUrl } from '../../common/http/well-formed-url.middleware.js';
import type { DeviceReport } from '../check-ins/device-report.js';
import { parseUpdateCheck, readCustomId, type UpdateCheckRequest } from './update-check-request.js';

/** Queries in the cache, and how long they may be: a bound on its memory. */
const MAX_QUERIES = 5000;
const MAX_QUERY_LENGTH = 500;

/** A parameter whose name must be decoded, or that is none of a device's. */
const ODD_PARAMETER = /(^|&)([^&=]*[%+]|access_token(=|&|$))/;
/** Ids that need no decoding. */
const PLAIN = /^[\w.:~-]+$/;

/** Where the value of a parameter is in a query: both ends are 0 when it is absent. */
interface Position {
  readonly start: number;
  readonly end: number;
}

/**
 * A cache of parsed queries. Queries from one version of an app differ only in the ids of the device: the rest of them is
 * parsed once for all devices.
 */
export class ParsedQueries {
  /** By the query without the values of the ids. */
  private readonly reports = new LRUCache<string, DeviceReport>({ max: MAX_QUERIES });

  /**
   * As `parseUpdateCheck`.
   *
   * @param query without the question mark
   * @param deviceIdHeader `X-Capawesome-Device-Id`, used when the query has no device id
   * @returns `null` for a query that the route must answer: it may be invalid, or have another meaning
   */
  read(query: string, deviceIdHeader: string | undefined): UpdateCheckRequest | null {
    const device = positionOf('&deviceId=', query);
    const custom = positionOf('&customId=', query);
    const deviceId = query.slice(device.start, device.end);
    if (device !== ABSENT && !PLAIN.test(deviceId)) return parsePlain(query, deviceIdHeader);
    const key =
      device.start > custom.start
        ? without(custom, without(device, query))
        : without(device, without(custom, query));
    const report = this.reports.get(key);
    if (report === undefined) return this.parse(query, deviceIdHeader, key);
    const customId = query.slice(custom.start, custom.end);
    if (!isWellFormedUrl(customId)) return null;
    return {
      deviceId: deviceId || deviceIdHeader || null,
      customId: readCustomId(customId, report.platform),
      report,
    };
  }

  private parse(query: string, deviceIdHeader: string | undefined, key: string): UpdateCheckRequest | null {
    const request = parsePlain(query, deviceIdHeader);
    if (request !== null && key.length <= MAX_QUERY_LENGTH) this.reports.set(key, request.report);
    return request;
  }
}

const ABSENT: Position = { start: 0, end: 0 };

/** Where the first value of a parameter stands. @param name with the signs around it, such as `&deviceId=` */
function positionOf(name: string, query: string): Position {
  const isFirst = query.startsWith(name.slice(1));
  const before = isFirst ? -1 : query.indexOf(name);
  if (before === -1 && !isFirst) return ABSENT;
  const start = before + name.length;
  const end = query.indexOf('&', start);
  return { start, end: end === -1 ? query.length : end };
}

function without({ start, end }: Position, query: string): string {
  return start === end ? query : query.slice(0, start) + query.slice(end);
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
