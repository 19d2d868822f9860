import type { Response } from 'supertest';
import type { Api } from '../http/api.js';

/** An event as the feed shows it. */
export interface ReadEvent {
  readonly id: string;
  readonly type: string;
  readonly epoch: string | null;
  readonly position: number;
  readonly createdAt: string;
  readonly organizationId: string;
  readonly appId: string | null;
  readonly objectId: string;
  readonly channelId: string | null;
  readonly userId: string | null;
  readonly data: Record<string, unknown>;
}

/** A part of the feed. */
export interface ReadFeed {
  readonly events: readonly ReadEvent[];
  readonly cursor: string;
  readonly hasMore: boolean;
  /** With `order=newest`. */
  readonly users?: readonly object[];
}

/** Asks for events. @param query parameters; `undefined` ones are left out */
export function requestEvents(
  api: Api,
  organizationId: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
): Promise<Response> {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return api.get(`/v1/organizations/${organizationId}/events${text === '' ? '' : `?${text}`}`);
}

/** Reads events. */
export async function readEvents(
  api: Api,
  organizationId: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
): Promise<ReadFeed> {
  const response = await requestEvents(api, organizationId, query);
  expect({ status: response.status, body: response.body as object }).toMatchObject({ status: 200 });
  return response.body as ReadFeed;
}

/** Reads events until some fit, waiting for them. @param isWanted of all events since the cursor */
export async function readEventsUntil(
  api: Api,
  organizationId: string,
  cursor: string,
  isWanted: (events: readonly ReadEvent[]) => boolean,
): Promise<readonly ReadEvent[]> {
  const events: ReadEvent[] = [];
  const deadline = Date.now() + 20_000;
  for (let next = cursor; !isWanted(events);) {
    if (Date.now() > deadline) throw new Error(`These events are not enough: ${JSON.stringify(events)}`);
    const feed = await readEvents(api, organizationId, { cursor: next, wait: 5 });
    events.push(...feed.events);
    next = feed.cursor;
  }
  return events;
}
