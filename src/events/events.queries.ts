import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import type { RecordedEvent } from './event.entity.js';

/** An event that is about to be written: of an app, or of an organization. */
export type NewEvent = Pick<RecordedEvent, 'id' | 'type' | 'objectId' | 'channelId' | 'userId' | 'data'> &
  EventOwner;

/** What an event is about: an app, in whatever organization it is now, or an organization. */
export type EventOwner = { readonly appId: string } | { readonly organizationId: string };

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
}
