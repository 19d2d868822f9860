import { commented } from './channels';
import { request } from './client';
import type { Channel } from './types';

export type FreezeWindow = Channel['freezeWindows'][number];

/**
 * Changes the freeze windows of a channel, which are always set together.
 *
 * @param change of the present ones
 * @param overwrite whether to change what is there now, whatever others did since the page was read
 */
export async function changeFreezes(
  channel: Channel,
  change: (windows: readonly FreezeWindow[]) => FreezeWindow[],
  comment: string,
  overwrite: boolean,
): Promise<void> {
  const path = { appId: channel.appId, channelId: channel.id };
  const present = overwrite
    ? await request('get', '/v1/apps/{appId}/channels/{channelId}', { path })
    : channel;
  await request('patch', '/v1/apps/{appId}/channels/{channelId}', {
    path,
    body: {
      freezeWindows: change((present as Channel).freezeWindows),
      ...commented(comment),
    },
    ifMatch: (present as Channel).etag,
  });
}
