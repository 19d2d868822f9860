import type { Site } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';

/** An event as it was recorded. */
export interface RecordedTestEvent {
  readonly type: string;
  readonly objectId: string;
  readonly appId: string | null;
  readonly channelId: string | null;
  readonly organizationId: string;
  readonly userId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The events of an organization, or of one object, in the order in which they were recorded. */
export async function recordedEvents(
  of: { readonly organizationId: string } | { readonly objectId: string },
  { databaseUrl }: Pick<Site, 'databaseUrl'> = testEnvironment(),
): Promise<RecordedTestEvent[]> {
  const [column, id] = 'objectId' in of ? ['object_id', of.objectId] : ['organization_id', of.organizationId];
  return query(
    databaseUrl,
    `SELECT type, object_id AS "objectId", app_id AS "appId", organization_id AS "organizationId",
            user_id AS "userId", channel_id AS "channelId", data
       FROM events WHERE ${column} = $1 ORDER BY serial`,
    [id],
  );
}

/** As `recordedEvents`, only their types. */
export async function recordedTypes(...args: Parameters<typeof recordedEvents>): Promise<string[]> {
  return (await recordedEvents(...args)).map(({ type }) => type);
}
