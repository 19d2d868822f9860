import { createHash } from 'node:crypto';
import type { Device } from './device.entity.js';
import type { ListDevicesQuery } from './list-devices-query.dto.js';

/** `cursor` of the first page: Base64URL of another version, so that no other cursor is the same. */
export const FIRST_CURSOR = 'first';

const VERSION = 1;
/** Version, hash of the list, and time. */
const [HASH_AT, HASH_BYTES, TIME_AT, ID_AT] = [1, 8, 9, 17];

/** Where a device stands in the list: last seen first, then by id. */
export type DevicePosition = Pick<Device, 'lastSeenAt' | 'id'>;

/** The filters of a list of devices: a cursor is made for one app and its filters. */
type Filters = Omit<ListDevicesQuery, 'limit' | 'offset' | 'cursor' | 'relations'>;

/** Where the page after a device begins. @returns Base64URL: 24 characters and four for each three bytes of the id */
export function cursorAfter(appId: string, filters: Filters, { lastSeenAt, id }: DevicePosition): string {
  const bytes = Buffer.alloc(ID_AT);
  bytes.writeUInt8(VERSION, 0);
  hashOf(appId, filters).copy(bytes, HASH_AT);
  bytes.writeBigInt64BE(BigInt(lastSeenAt.getTime()), TIME_AT);
  return Buffer.concat([bytes, Buffer.from(id)]).toString('base64url');
}

/** Reads `cursorAfter`. @returns `null`: it is malformed, or was made for another app or other filters */
export function positionIn(cursor: string, appId: string, filters: Filters): DevicePosition | null {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length <= ID_AT) return null;
  const lastSeenAt = new Date(Number(bytes.readBigInt64BE(TIME_AT)));
  const id = bytes.toString('utf8', ID_AT);
  if (Number.isNaN(lastSeenAt.getTime()) || id.includes('\0')) return null;
  // The same text again: Node.js ignores what is not Base64URL, and replaces what is not UTF-8.
  return cursorAfter(appId, filters, { lastSeenAt, id }) === cursor ? { lastSeenAt, id } : null;
}

function hashOf(appId: string, filters: Filters): Buffer {
  const { id, customId, query, appChannelId, bundleId } = filters;
  const { platform, appVersionCode, appVersionName, lastSeenFrom, lastSeenTo } = filters;
  const ids = [appChannelId?.toLowerCase(), bundleId?.toLowerCase()];
  const texts = [id, customId, query, platform, appVersionCode, appVersionName];
  const times = [lastSeenFrom?.getTime(), lastSeenTo?.getTime()];
  return createHash('sha256')
    .update(JSON.stringify([appId, ids, texts, times]))
    .digest()
    .subarray(0, HASH_BYTES);
}
