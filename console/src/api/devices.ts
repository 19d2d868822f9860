import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { fitsInPath, type ListPage, request, requestPage } from './client';
import type { Device } from './types';
import { serverNow } from './server-time';

/** Devices of one page. */
const PAGE = 50;
/** A check shows within 5 seconds: milliseconds between two requests, while the tab is visible. */
const POLL = 3000;
/** The same where a search reads all devices of the app. */
const SLOW_POLL = 15_000;
/** Devices of one custom id that are found at once. */
const MAX_OF_PERSON = 3;

/** Which devices a page of the list shows. */
export interface DeviceFilters {
  /** A part of the id or of the custom id. */
  readonly query?: string | undefined;
  /** The exact custom id, as the list shows it. */
  readonly customId?: string | undefined;
  /** Ids. */
  readonly channel?: string | undefined;
  readonly bundle?: string | undefined;
  /** `0` Android, `1` iOS, `2` Electron. */
  readonly platform?: string | undefined;
  /** Within so many days, of which today is the first, or since a time (ISO 8601). */
  readonly seen?: string | undefined;
}

/** A page of the devices of an app, last seen first. @param cursor `undefined`: the first page */
export const devicesQuery = (appId: string, filters: DeviceFilters, cursor: string | undefined) =>
  queryOptions({
    queryKey: ['devices', appId, filters, cursor],
    staleTime: 0,
    refetchInterval: filters.query === undefined ? POLL : SLOW_POLL,
    placeholderData: keepPreviousData,
    queryFn: ({ signal, client, queryKey }): Promise<ListPage<Device>> =>
      requestPage(
        '/v1/apps/{appId}/devices',
        {
          path: { appId },
          query: {
            ...parametersOf(filters),
            cursor: cursor ?? 'first',
            limit: PAGE,
            relations: 'appBuild,offeredAppBuild',
          },
          signal,
        },
        client.getQueryData<ListPage<Device>>(queryKey),
      ),
  });

function parametersOf({ query, customId, channel, bundle, platform, seen }: DeviceFilters) {
  return {
    ...(query !== undefined && { query }),
    ...(customId !== undefined && { customId }),
    ...(channel !== undefined && { appChannelId: channel }),
    ...(bundle !== undefined && { bundleId: bundle }),
    ...(platform !== undefined && { platform: platform as '0' }),
    ...(seen !== undefined && { lastSeenFrom: sinceOf(seen) }),
  };
}

/** The same all day long, so that a page is the same while nothing has changed. */
function sinceOf(seen: string): string {
  if (!/^\d+$/.test(seen)) return seen;
  const day = new Date(serverNow());
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - Number(seen) + 1);
  return day.toISOString();
}

/**
 * A device; `null`: there is none with this id. By the list: its query takes every id, a path does not.
 *
 * @param id as the device chose it
 */
export const deviceQuery = (appId: string, id: string) =>
  queryOptions({
    queryKey: ['device', appId, id],
    staleTime: 0,
    refetchInterval: POLL,
    queryFn: ({ signal, client, queryKey }): Promise<ListPage<Device>> =>
      requestPage(
        '/v1/apps/{appId}/devices',
        {
          path: { appId },
          query: { id, cursor: 'first', limit: 1, relations: 'appBuild,offeredAppBuild' },
          signal,
        },
        client.getQueryData<ListPage<Device>>(queryKey),
      ),
    select: ({ items }): Device | null => items[0] ?? null,
  });

/** Whether a text can be a whole id or custom id of a device. What is shorter is rather a name, or the number of a build. */
export const isWholeId = (text: string): boolean => text.length >= 8 && !/\s/.test(text);

/** The device with exactly this id, and those that last had exactly this custom id. */
export const deviceHitsQuery = (appId: string, text: string) =>
  queryOptions({
    queryKey: ['device-hits', appId, text],
    queryFn: async ({ signal }): Promise<Device[]> => {
      const devices = (by: { id: string } | { customId: string }, limit: number): Promise<Device[]> =>
        request('get', '/v1/apps/{appId}/devices', {
          path: { appId },
          query: { ...by, cursor: 'first', limit },
          signal,
        });
      const [withId, withCustomId] = await Promise.all([
        devices({ id: text }, 1),
        isWholeId(text) ? devices({ customId: text }, MAX_OF_PERSON) : [],
      ]);
      return [...withId, ...withCustomId.filter(({ id }) => id !== withId[0]?.id)];
    },
  });

/** The id that a device chose, of one that the API shows: of those of former versions, it shows some characters encoded. */
export const realId = ({ id }: Pick<Device, 'id'>): string => decodeURIComponent(id);

/** Whether the API can be asked about a device alone: its id then stands in a path. */
export const isAddressable = fitsInPath;

/** What a device gets, why, and what it would take. @param device as it is now: it is decided again when it has changed */
export const decisionQuery = (appId: string, device: Device | null | undefined) => {
  const id = device == null ? '' : realId(device);
  const { updatedAt, lastSeenAt, forcedAppChannelId } = device ?? {};
  return queryOptions({
    queryKey: ['decision', appId, id, updatedAt, lastSeenAt, forcedAppChannelId],
    enabled: isAddressable(id),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      request('get', '/v1/apps/{appId}/devices/{deviceId}/decision', {
        path: { appId, deviceId: id },
        signal,
      }),
  });
};

/** Forces a device to a channel. @param channelId `null`: to the one that it asks for */
export function forceChannel(appId: string, id: string, channelId: string | null): Promise<unknown> {
  const body = { forcedAppChannelId: channelId };
  return isAddressable(id)
    ? request('patch', '/v1/apps/{appId}/devices/{deviceId}', { path: { appId, deviceId: id }, body })
    : request('patch', '/v1/apps/{appId}/devices', { path: { appId }, query: { ids: id }, body });
}

/** Offers a bundle again that a device has rolled back. */
export function offerAgain(appId: string, id: string, bundleId: string): Promise<unknown> {
  return request('delete', '/v1/apps/{appId}/devices/{deviceId}/blocked-bundles/{bundleId}', {
    path: { appId, deviceId: id, bundleId },
  });
}

/** Forgets a device until its next check. */
export function deleteDevice(appId: string, id: string): Promise<unknown> {
  return request('delete', '/v1/apps/{appId}/devices', { path: { appId }, query: { id: [id] } });
}
