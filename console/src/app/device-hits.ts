import { useQueries } from '@tanstack/react-query';
import { deviceHitsQuery, isWholeId } from '../api/devices';
import type { Device } from '../api/types';
import { type AccountApp, useAccount } from './account';

/** Apps that are asked at once. */
const APPS = 5;

/** A device that was found, and the app that has it. */
export interface DeviceHit {
  readonly app: AccountApp;
  readonly device: Device;
}

/** Devices that have exactly a text as their id or custom id. */
interface DeviceHits {
  /** The apps that were asked, or would be for a longer text; the present one first. */
  readonly apps: readonly AccountApp[];
  readonly hits: readonly DeviceHit[];
  readonly isSearching: boolean;
}

/**
 * Finds devices by their whole id or custom id, in up to five apps: a text that is too short to be one, only in the present app.
 *
 * @param text empty: nothing is searched
 */
export function useDeviceHits(present: AccountApp | null, text: string): DeviceHits {
  const { organizations, appsOf, can } = useAccount();
  const others = organizations.flatMap(({ id }) => appsOf(id)).filter(({ id }) => id !== present?.id);
  const apps = [...(present === null ? [] : [present]), ...others]
    .filter(({ id }) => can(id, 'devices:read'))
    .slice(0, APPS);
  const found = useQueries({
    queries: apps.map(({ id }) => ({
      ...deviceHitsQuery(id, text),
      enabled: text !== '' && (id === present?.id || isWholeId(text)),
    })),
  });
  return {
    apps,
    hits: apps.flatMap((app, index) => (found[index]?.data ?? []).map((device) => ({ app, device }))),
    isSearching: found.some(({ isLoading }) => isLoading),
  };
}
