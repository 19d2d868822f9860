import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import type { RecordedEvent } from './event.entity.js';

/** An event that is about to be written: of an app, or of an organization. */
export type NewEvent = Pick<RecordedEvent, 'id' | 'type' | 'objectId' | 'channelId' | 'userId' | 'data'> &
  EventOwner;

/** What an event is about: an app, in whatever organization it is now, or an organization. */
export type EventOwner = { readonly appId: string } | { readonly organizationId: string };

/** SQL of events. */
@Injectable()
export class EventsQueries {
  constructor(private readonly sql: Sql) {}

  /** Writes nothing when the app is gone. */
  async insert({ id, type, objectId, channelId, userId, data, ...owner }: NewEvent): Promise<void> {
    const values = [id, type, objectId, channelId, userId, JSON.stringify(data)];
    if ('appId' in owner) {
      await this.sql.execute(
        `INSERT INTO events (id, type, object_id, channel_id, user_id, data, app_id, organization_id)
         SELECT $1, $2, $3, $4, $5, $6, apps.id, apps.organization_id FROM apps WHERE apps.id = $7`,
        [...values, owner.appId],
      );
      return;
    }
    await this.sql.execute(
      `INSERT INTO events (id, type, object_id, channel_id, user_id, data, organization_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [...values, owner.organizationId],
    );
  }

  /** @returns whether the condition begins now */
  async raise(objectId: string, kind: string, threshold: string, owner: EventOwner): Promise<boolean> {
    const isOfApp = 'appId' in owner;
    const inserted = await this.sql.execute(
      `INSERT INTO event_conditions (object_id, kind, threshold, organization_id)
       SELECT $1, $2, $3, ${isOfApp ? 'organization_id FROM apps WHERE id = $4' : '$4'}
       ON CONFLICT DO NOTHING`,
      [objectId, kind, threshold, isOfApp ? owner.appId : owner.organizationId],
    );
    return inserted > 0;
  }

  /** Those of the objects that are not in a state. */
  async notRaised(objectIds: readonly string[], kind: string, threshold: string): Promise<string[]> {
    const rows = await this.sql.query<{ id: string }>(
      `SELECT object.id FROM unnest($1::uuid[]) AS object (id)
        WHERE NOT EXISTS (SELECT FROM event_conditions AS state
                           WHERE state.object_id = object.id AND kind = $2 AND threshold = $3)`,
      [objectIds, kind, threshold],
    );
    return rows.map(({ id }) => id);
  }

  async clear(objectId: string, kind: string, thresholds: readonly string[]): Promise<void> {
    await this.sql.execute(
      'DELETE FROM event_conditions WHERE object_id = $1 AND kind = $2 AND threshold = ANY ($3)',
      [objectId, kind, thresholds],
    );
  }

  /** @param isOver a condition on `event_conditions AS state` */
  async clearWhere(
    kind: string,
    threshold: string,
    isOver: string,
    parameters: readonly unknown[],
  ): Promise<void> {
    await this.sql.execute(
      `DELETE FROM event_conditions AS state WHERE kind = $1 AND threshold = $2 AND (${isOver})`,
      [kind, threshold, ...parameters],
    );
  }
}
