import { queryOptions } from '@tanstack/react-query';
import { request } from './client';
import type { components } from './schema';

/** Some of it begins to wait by the clock, without a hint: in milliseconds. */
const READ_AGAIN = 60_000;

export type InboxEntry = components['schemas']['InboxEntryDto'];

/** What waits for the person in an organization, newest first. */
export const inboxQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['inbox', organizationId],
    refetchInterval: READ_AGAIN,
    queryFn: ({ signal }) =>
      request('get', '/v1/organizations/{organizationId}/inbox', { path: { organizationId }, signal }),
  });

/** Lets a webhook get events again. @param appId `null`: it is one of the organization */
export function enableWebhook(
  organizationId: string,
  appId: string | null,
  webhookId: string,
): Promise<unknown> {
  const body = { enabled: true };
  return appId === null
    ? request('patch', '/v1/organizations/{organizationId}/webhooks/{webhookId}', {
        path: { organizationId, webhookId },
        body,
      })
    : request('patch', '/v1/apps/{appId}/webhooks/{webhookId}', { path: { appId, webhookId }, body });
}
