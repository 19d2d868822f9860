import { invalidField } from '../../common/errors/app-error.js';
import { readingsOf } from '../../common/http/raw-query.js';
import { type DeviceReport, platforms } from '../check-ins/device-report.js';
import { UNKNOWN_BUNDLE_ID } from '../channel-decision/decision.js';
import type { Platform } from '../releases/release-table.js';
import { isUuid } from '../../common/validation/uuid.js';

/** Longest value of a parameter that is recorded, in characters. */
const MAX_LENGTH = 255;
/** Ends a value that cannot be read. No name of a channel and no version contains this control character. */
const UNREADABLE = '\u001a';

/** What a device sends when it checks for an update. */
export interface UpdateCheckRequest {
  /** As it came, also one that is not recorded: `isDeviceId`. `null`: it has none. */
  readonly deviceId: string | null;
  /** At most 255 characters, like the texts of the report; `null`: it has none, or one that cannot be recorded. */
  readonly customId: string | null;
  readonly report: DeviceReport;
}

/** The parameters that a device may send, in the query. */
const parameters = [
  'appVersionCode',
  'appVersionName',
  'bundleId',
  'channelName',
  'customId',
  'deviceId',
  'osVersion',
  'platform',
  'pluginVersion',
  'runtime',
] as const;
type Parameter = (typeof parameters)[number];
const known: ReadonlySet<string> = new Set(parameters);

/** Values as they came, percent-encoded. */
type RawValues = { [P in Parameter]?: string };

/**
 * Reads the query of an update check. Accepts whatever devices send: bare keys and empty values count as absent, of a
 * parameter that comes twice the first counts, and only the platform must be there. A device cannot shorten what it
 * sends, so values that are too long or contain U+0000 are no error: ids of users are left out, channels and native
 * versions match nothing, and the other texts are cut.
 *
 * @param url the request target, with its raw query
 * @param deviceIdHeader `X-Capawesome-Device-Id`, in case the query has no device id
 * @throws InvalidRequestError when the platform is missing
 * @throws URIError when a value is not percent-encoded UTF-8
 */
export function parseUpdateCheck(url: string, deviceIdHeader?: string): UpdateCheckRequest {
  const raw = rawValues(url);
  const readings = (name: Parameter): string[] => {
    const value = raw[name];
    return value ? readingsOf(value) : [];
  };
  const platformNumber = ['0', '1', '2'].indexOf(readings('platform')[0] ?? '');
  if (platformNumber === -1) {
    throw invalidField('platform', 'platform must be 0 (Android), 1 (iOS) or 2 (Electron).');
  }
  const platform = platforms[platformNumber] ?? 'android';
  const value = (name: Parameter): string | null => readingOn(platform, readings(name));
  return {
    deviceId: value('deviceId') ?? (deviceIdHeader || null),
    customId: readCustomId(raw.customId ?? '', platform),
    report: {
      channelNames: readings('channelName').map(orUnreadable),
      platformNumber,
      platform,
      appVersionCode: orUnreadable(value('appVersionCode') ?? ''),
      appVersionName: cut(value('appVersionName') ?? ''),
      osVersion: cut(value('osVersion') ?? ''),
      pluginVersion: cut(value('pluginVersion') ?? ''),
      bundleId: uuidOrUnknown(value('bundleId')),
      runtime: cut(value('runtime') ?? '') || null,
    },
  };
}

/**
 * Reads a custom id.
 *
 * @param raw as it came; empty: there is none
 * @returns `null` when it cannot be recorded
 * @throws URIError when it is not percent-encoded UTF-8
 */
export function readCustomId(raw: string, platform: Platform): string | null {
  const customId = raw === '' ? null : readingOn(platform, readingsOf(raw));
  return customId !== null && isRecordable(customId) ? customId : null;
}

/** iOS leaves a plus sign unencoded and writes a space as %20; everyone else writes a space as a plus. */
function readingOn(platform: Platform, readings: readonly string[]): string | null {
  return (platform === 'ios' ? readings.at(-1) : readings[0]) ?? null;
}

/** Whether a value is recorded unchanged: at most 255 characters, without U+0000, which PostgreSQL cannot store. */
export function isRecordable(text: string): boolean {
  return text.length <= MAX_LENGTH && !text.includes('\0');
}

/** A value in the form in which it is recorded. */
function cut(text: string): string {
  return isRecordable(text) ? text : text.replaceAll('\0', '').slice(0, MAX_LENGTH).toWellFormed();
}

/**
 * A value that is compared: a value that cannot be recorded unchanged matches nothing, neither now nor when it is
 * explained.
 */
function orUnreadable(text: string): string {
  return isRecordable(text)
    ? text
    : cut(text)
        .slice(0, MAX_LENGTH - 1)
        .toWellFormed() + UNREADABLE;
}

/** In one pass, whatever the query contains: names as they are written, the first of each. */
function rawValues(url: string): RawValues {
  const values: RawValues = {};
  const query = url.indexOf('?') + 1;
  if (query === 0) return values;
  let equals = -1;
  for (let start = query, end; start < url.length; start = end + 1) {
    end = url.indexOf('&', start);
    if (end === -1) end = url.length;
    if (equals < start) equals = url.indexOf('=', start);
    if (equals === -1) break;
    if (equals > end) continue;
    const name = url.slice(start, equals);
    if (known.has(name)) values[name as Parameter] ??= url.slice(equals + 1, end);
  }
  return values;
}

/** What Capacitor plugins before 7.0 report for the bundle that came with the app: the folder of its files. */
const BUILT_IN_FOLDER = 'public';

/**
 * Bundles that devices were given by other servers may be called otherwise. They must not count as the bundle that came
 * with the app, which is older than every other.
 */
function uuidOrUnknown(text: string | null): string | null {
  if (text === BUILT_IN_FOLDER) return null;
  return text === null || isUuid(text) ? text : UNKNOWN_BUNDLE_ID;
}
