import { isWellFormedUrl } from '../../common/http/well-formed-url.middleware.js';
import {
  type DeviceReport,
  MAX_LENGTH,
  parseUpdateCheck,
  type UpdateCheckRequest,
} from './update-check-request.js';

/** Queries that are remembered; then all of them are read anew. Bounded in length, for the sake of memory. */
const MAX_REMEMBERED = 5000;
const MAX_REMEMBERED_LENGTH = 500;

/** A parameter whose name has to be decoded, or that is none of a device's. */
const ODD_PARAMETER = /(^|&)([^&=]*[%+]|access_token(=|&|$))/;
/** What stands in the address as it is meant. */
const PLAIN = /^[\w.:~-]+$/;

/**
 * Reads the queries of devices. Those of one version of an app differ in the device's id alone: what stands around it is
 * read once for all of them.
 */
export class DeviceQueries {
  /** By what stands around the id. */
  private readonly remembered = new Map<string, DeviceReport>();

  /**
   * As `parseUpdateCheck`.
   *
   * @param query without the question mark
   * @param deviceIdHeader `X-Capawesome-Device-Id`, in case the query has no device id
   * @returns `null` for what the route has to answer: a query that it may refuse or understand otherwise
   */
  read(query: string, deviceIdHeader: string | undefined): UpdateCheckRequest | null {
    const start = deviceIdStart(query);
    let end = query.indexOf('&', start);
    if (end === -1) end = query.length;
    const deviceId = query.slice(start, end);
    if (start === -1 || deviceId.length > MAX_LENGTH || !PLAIN.test(deviceId)) {
      return readPlain(query, deviceIdHeader);
    }
    const around = query.slice(0, start) + query.slice(end);
    const report = this.remembered.get(around);
    if (report !== undefined) return { deviceId, customId: null, report };
    const request = readPlain(query, deviceIdHeader);
    // A custom id is another one for each device.
    if (request?.customId === null && around.length <= MAX_REMEMBERED_LENGTH) {
      if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
      this.remembered.set(around, request.report);
    }
    return request;
  }
}

/** Where the first value of `deviceId` starts; -1: there is none. */
function deviceIdStart(query: string): number {
  if (query.startsWith('deviceId=')) return 'deviceId='.length;
  const before = query.indexOf('&deviceId=');
  return before === -1 ? -1 : before + '&deviceId='.length;
}

function readPlain(query: string, deviceIdHeader: string | undefined): UpdateCheckRequest | null {
  const url = `?${query}`;
  if (ODD_PARAMETER.test(query) || !isWellFormedUrl(url)) return null;
  try {
    return parseUpdateCheck(url, deviceIdHeader);
  } catch {
    return null;
  }
}
