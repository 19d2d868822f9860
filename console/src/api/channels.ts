import { queryOptions } from '@tanstack/react-query';
import { request } from './client';
import type { Channel } from './types';

/** Most channels in one answer; an app may have thousands. */
export const CHANNELS = 100;

/** The first channels of an app by name. @param text only those whose name or id has it, ignoring case */
export const channelsQuery = (appId: string, text = '') =>
  queryOptions({
    queryKey: ['channels', appId, text],
    queryFn: async ({ signal }) =>
      // With a session, they have all their fields: only devices without a token see a few.
      (await request('get', '/v1/apps/{appId}/channels', {
        path: { appId },
        query: { limit: CHANNELS, ...(text !== '' && { query: text }) },
        signal,
      })) as Channel[],
  });

export const channelQuery = (appId: string, channelId: string) =>
  queryOptions({
    queryKey: ['channel', appId, channelId],
    queryFn: ({ signal }) =>
      request('get', '/v1/apps/{appId}/channels/{channelId}', { path: { appId, channelId }, signal }),
  });

/** Creates a channel. @param key of the click */
export function createChannel(appId: string, name: string, key: string) {
  return request('post', '/v1/apps/{appId}/channels', {
    path: { appId },
    body: { name },
    idempotencyKey: key,
  });
}

/** Stops or resumes the delivery of a channel. */
export async function pauseChannel(
  appId: string,
  channelId: string,
  pause: boolean,
  comment: string,
): Promise<void> {
  await request('post', `/v1/apps/{appId}/channels/{channelId}/${pause ? 'pause' : 'resume'}`, {
    path: { appId, channelId },
    body: commented(comment),
  });
}

/** A comment of a person, or none. */
export const commented = (comment: string): { comment?: string } => (comment === '' ? {} : { comment });
