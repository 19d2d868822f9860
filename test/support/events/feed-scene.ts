import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant, type Tenant } from '../../builders/identities.js';
import { testEnvironment } from '../../setup/test-environment.js';
import type { Api } from '../http/api.js';
import type { EventRecorder } from './event-recorder.js';
import { type EventValues, settleEvents } from './events.js';
import { type ReadFeed, readEvents } from './feed.js';

export const PAUSED = 'app_channel_paused';
export const RESUMED = 'app_channel_resumed';

/** A tenant with an app, for tests of the feed. */
export interface FeedScene {
  readonly tenant: Tenant;
  readonly app: TestApp;
  /** The cursor before everything that the test does. */
  readonly start: string;
  /** Records events of the app, and waits until they have positions. */
  readonly record: (events: readonly Partial<EventValues>[]) => Promise<void>;
  /** Reads what the test has recorded. @param api by default that of the owner */
  readonly read: (parameters?: object, api?: Api) => Promise<ReadFeed>;
}

/** Makes a scene. @param recorder one for all tests of a file */
export async function createFeedScene(recorder: EventRecorder): Promise<FeedScene> {
  const tenant = await createTenant();
  const { organizationId } = tenant;
  const app = await createApp(tenant);
  await settleEvents(testEnvironment(), organizationId);
  const { cursor: start } = await readEvents(tenant.owner.api, organizationId, { start: 'latest' });
  return {
    tenant,
    app,
    start,
    record: (events) => recorder.record(events.map((event) => ({ organizationId, appId: app.id, ...event }))),
    read: (parameters = {}, api = tenant.owner.api) =>
      readEvents(api, organizationId, { cursor: start, ...parameters }),
  };
}

/** The types of events, in their order. */
export const typesOf = ({ events }: ReadFeed): string[] => events.map(({ type }) => type);
