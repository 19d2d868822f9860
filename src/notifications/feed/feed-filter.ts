import type { FeedEvent } from './feed.queries.js';

/** Which events a reader wants. */
export interface FeedFilter {
  /** `null`: all. */
  readonly types: ReadonlySet<string> | null;
  /** In lower case; `null`: of all apps, and those without one. */
  readonly appId: string | null;
  /** In lower case; `null`: with any channel, or with none. */
  readonly channelId: string | null;
  /** In lower case; `null`: about any object. */
  readonly objectIds: readonly string[] | null;
}

/** Whether the reader wants an event; whether it may see it is another question. */
export function matches(
  event: Pick<FeedEvent, 'type' | 'appId' | 'channelId' | 'objectId'>,
  { types, appId, channelId, objectIds }: FeedFilter,
): boolean {
  return (
    (types === null || types.has(event.type)) &&
    (appId === null || event.appId === appId) &&
    (channelId === null || event.channelId === channelId) &&
    (objectIds === null || objectIds.includes(event.objectId))
  );
}
