import { queryOptions } from '@tanstack/react-query';
import { request } from './client';

/** Enough for the names of what devices run. */
const BUILDS = 100;

/** The newest builds of an app, of all platforms, with their jobs. */
export const latestBuildsQuery = (appId: string) =>
  queryOptions({
    queryKey: ['builds', appId],
    queryFn: ({ signal }) =>
      request('get', '/v1/apps/{appId}/builds', {
        path: { appId },
        query: { relations: 'job', limit: BUILDS },
        signal,
      }),
  });
