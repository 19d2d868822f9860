import { type FieldError, invalidFields } from '../../common/errors/app-error.js';
import { readingsOf } from '../../common/http/raw-query.js';
import { type DeviceReport, platforms } from '../check-ins/device-report.js';
import { isUuid } from '../../common/validation/uuid.js';

/** Longest value of a parameter, in characters. */
export const MAX_LENGTH = 255;

/** What a device sends when it checks for an update. */
export interface UpdateCheckRequest {
  /** `null`: it has none. */
  readonly deviceId: string | null;
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
 * Reads the query of an update check. Devices are taken as they are: bare keys and empty values count as absent, of a
 * parameter that comes twice the first counts, and only the platform must be there.
 *
 * @param url the request target, with its raw query
 * @param deviceIdHeader `X-Capawesome-Device-Id`, in case the query has no device id
 * @throws InvalidRequestError when the platform is missing or a value is too long
 * @throws URIError when a value is not percent-encoded UTF-8
 */
export function parseUpdateCheck(url: string, deviceIdHeader?: string): UpdateCheckRequest {
  const raw = rawValues(url);
  const errors: FieldError[] = [];
  const readings = (name: Parameter): string[] => {
    const value = raw[name];
    const values = value ? readingsOf(value) : [];
    if (values.some((text) => text.length > MAX_LENGTH)) {
      errors.push({ field: name, message: `${name} must be at most ${MAX_LENGTH} characters long.` });
    }
    return values;
  };
  const platformNumber = ['0', '1', '2'].indexOf(readings('platform')[0] ?? '');
  if (platformNumber === -1) {
    errors.push({ field: 'platform', message: 'platform must be 0 (Android), 1 (iOS) or 2 (Electron).' });
  }
  const platform = platforms[platformNumber] ?? 'android';
  // iOS writes a plus sign as it is and a space as %20; everyone else writes a space as a plus.
  const value = (name: Parameter): string | null =>
    (platform === 'ios' ? readings(name).at(-1) : readings(name)[0]) ?? null;
  const request: UpdateCheckRequest = {
    deviceId: value('deviceId') ?? (deviceIdHeader?.slice(0, MAX_LENGTH) || null),
    customId: value('customId'),
    report: {
      channelNames: readings('channelName'),
      platformNumber,
      platform,
      appVersionCode: value('appVersionCode') ?? '',
      appVersionName: value('appVersionName') ?? '',
      osVersion: value('osVersion') ?? '',
      pluginVersion: value('pluginVersion') ?? '',
      bundleId: uuidOrNull(value('bundleId')),
      runtime: value('runtime'),
    },
  };
  if (errors.length > 0) throw invalidFields(errors);
  return request;
}

/** In one pass, whatever stands in the query: names as they are written, the first of each. */
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

/** Bundles that devices were given by other servers may be called otherwise. */
function uuidOrNull(text: string | null): string | null {
  return text !== null && isUuid(text) ? text : null;
}
