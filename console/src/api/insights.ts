import { queryOptions } from '@tanstack/react-query';
import { request } from './client';
import { serverNow } from './server-time';

const DAY = 86_400_000;
/** Days of the chart. */
const DAYS = 30;

/** Active devices by bundle of the last thirty days. */
export const devicesByBundleQuery = (appId: string) =>
  queryOptions({
    queryKey: ['devices-by-bundle', appId],
    queryFn: ({ signal }) =>
      request('get', '/v1/apps/{appId}/insights/devices', {
        path: { appId },
        query: { groupBy: 'bundle', from: dayOf(serverNow() - (DAYS - 1) * DAY), to: dayOf(serverNow()) },
        signal,
      }),
  });

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
