import { request } from './client';
import type { Channel } from './types';

/**
 * Lets a channel deliver again that has expired.
 *
 * @param expiresAt ISO 8601; `null`: it does not expire again
 * @param overwrite whatever others changed
 */
export function extendChannel(
  { appId, id, etag }: Channel,
  expiresAt: string | null,
  overwrite: boolean,
): Promise<unknown> {
  return request('patch', '/v1/apps/{appId}/channels/{channelId}', {
    path: { appId, channelId: id },
    body: { expiresAt },
    ifMatch: overwrite ? undefined : etag,
  });
}

/** Gives the devices that ask for no channel the releases of this one. */
export function setDefaultChannel(appId: string, channelId: string): Promise<unknown> {
  return request('patch', '/v1/apps/{appId}', { path: { appId }, body: { appChannelId: channelId } });
}

/** Offers a bundle again that has expired. */
export function keepBundle(appId: string, bundleId: string): Promise<unknown> {
  return request('patch', '/v1/apps/{appId}/bundles/{bundleId}', {
    path: { appId, bundleId },
    body: { expiresAt: null },
  });
}
