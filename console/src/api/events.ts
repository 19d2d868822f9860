import { queryOptions } from '@tanstack/react-query';
import { request } from './client';

/** The newest events of an app, or of some of its objects. @param limit 1 to 100 */
export const latestEventsQuery = (
  organizationId: string | null,
  appId: string,
  objectIds: readonly string[] | undefined,
  limit: number,
) =>
  queryOptions({
    queryKey: ['events', appId, objectIds, limit],
    enabled: organizationId !== null,
    queryFn: async ({ signal }) => {
      const { events, users = [] } = await request('get', '/v1/organizations/{organizationId}/events', {
        path: { organizationId: organizationId! },
        query: {
          order: 'newest',
          appId,
          limit,
          ...(objectIds !== undefined && { objectId: objectIds.join(',') }),
        },
        signal,
      });
      const people = new Map(users.map((user) => [user.id, user]));
      return events.map((event) => ({ event, user: people.get(event.userId ?? '') }));
    },
  });
