import { type FieldError, invalidFields } from '../../common/errors/app-error.js';
import { rawQueryValue, readingsOf } from '../../common/http/raw-query.js';
import type { DeviceCheck } from './device-decision.js';
import { isUuid } from '../../common/validation/uuid.js';
import type { Platform } from './release-table.js';

/** Longest value of a parameter, in characters. */
const MAX_LENGTH = 255;

/** By the number that devices send. */
export const platforms: readonly Platform[] = ['android', 'ios', 'electron'];

/** What a device says when it asks for its bundle. */
export interface UpdateCheckRequest extends DeviceCheck {
  /** 0 Android, 1 iOS, 2 Electron. */
  readonly platformNumber: number;
  readonly appVersionName: string;
  readonly osVersion: string;
  readonly customId: string | null;
  /** `cordova`, `electron`; `null`: Capacitor. */
  readonly runtime: string | null;
  /** The bundle that runs now; `null`: the one that came with the app. It does not change the answer. */
  readonly bundleId: string | null;
}

/**
 * Reads the query of an update check. Devices are taken as they are: bare keys and empty values count as absent, and
 * only the platform must be there.
 *
 * @param url the request target, with its raw query
 * @param deviceIdHeader `X-Capawesome-Device-Id`, in case the query has no device id
 * @throws InvalidRequestError when the platform is missing or a value is too long
 */
export function parseUpdateCheck(url: string, deviceIdHeader?: string): UpdateCheckRequest {
  const errors: FieldError[] = [];
  const readings = (name: string): string[] => {
    const raw = rawQueryValue(url, name);
    const values = raw === null ? [] : readingsOf(raw);
    if (values.some((value) => value.length > MAX_LENGTH)) {
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
  const value = (name: string): string | null =>
    (platform === 'ios' ? readings(name).at(-1) : readings(name)[0]) ?? null;
  const request: UpdateCheckRequest = {
    deviceId: value('deviceId') ?? (deviceIdHeader?.slice(0, MAX_LENGTH) || null),
    channelNames: readings('channelName'),
    platformNumber,
    platform,
    appVersionCode: value('appVersionCode') ?? '',
    appVersionName: value('appVersionName') ?? '',
    osVersion: value('osVersion') ?? '',
    pluginVersion: value('pluginVersion') ?? '',
    customId: value('customId'),
    bundleId: uuidOrNull(value('bundleId')),
    runtime: value('runtime'),
  };
  if (errors.length > 0) throw invalidFields(errors);
  return request;
}

/** Bundles that devices were given by other servers may be called otherwise. */
function uuidOrNull(text: string | null): string | null {
  return text !== null && isUuid(text) ? text : null;
}
