import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { RecordedEvent } from '../../events/event.entity.js';
import type { DispatchedEvent } from '../../events/event-log.queries.js';

/** An event as readers get it. */
export type FeedEvent = DispatchedEvent;

/** What an event is about. */
export interface EventObject extends Pick<FeedEvent, 'position' | 'type' | 'appId' | 'objectId'> {
  readonly hasItsApp: boolean;
}

/** How far the events of an organization go. */
export interface FeedBounds {
  readonly organizationId: string;
  /** The current one; `null`: the first one. */
  readonly epoch: string | null;
  /** Of the last event; 0: there was none. */
  readonly position: number;
  /** Of the last event that the retention has deleted; 0: none. */
  readonly deletedPosition: number;
}

/** Which events are read. */
export interface FeedSelection {
  readonly types: readonly string[];
  /** `null`: of all apps, and those without an app. */
  readonly appId: string | null;
  /** `null`: with any channel, or with none. */
  readonly channelId: string | null;
  /** `null`: about any object. */
  readonly objectIds: readonly string[] | null;
  /** The only apps whose events are read, besides events without an app; `null`: of all apps. */
  readonly visibleAppIds: readonly string[] | null;
}

/** The app of an event is still in the organization. Only then its members may see it. */
const HAS_ITS_APP = `(event.app_id IS NULL
  OR EXISTS (SELECT FROM apps WHERE apps.id = event.app_id AND apps.organization_id = event.organization_id))`;

@Injectable()
export class FeedQueries {
  constructor(private readonly sql: Sql) {}

  /** Of each organization, also of those without events. All events up to there have this epoch, or an earlier one. */
  bounds(organizationIds: readonly string[]): Promise<FeedBounds[]> {
    return this.sql.query(
      `SELECT organization.id AS "organizationId", coalesce(last.position, 0) AS position,
              coalesce(last.deleted_position, 0) AS "deletedPosition",
              (SELECT id FROM event_epochs ORDER BY id DESC LIMIT 1) AS epoch
         FROM unnest($1::uuid[]) AS organization (id)
         LEFT JOIN event_positions AS last ON last.organization_id = organization.id`,
      [organizationIds],
    );
  }

  /** Those of one organization. */
  async boundsOf(organizationId: string): Promise<FeedBounds> {
    const [bounds] = await this.bounds([organizationId]);
    if (bounds === undefined) throw new Error('Every organization has its bounds.');
    return bounds;
  }

  /**
   * Some events of an organization, in the order of their positions.
   *
   * @param after the position before the first one
   * @param upTo the last position that counts
   * @param newest the last ones come first
   */
  read(
    organizationId: string,
    { after, upTo, limit }: { readonly after: number; readonly upTo: number; readonly limit: number },
    { types, appId, channelId, objectIds, visibleAppIds }: FeedSelection,
    newest = false,
  ): Promise<FeedEvent[]> {
    return this.sql.query(
      `SELECT ${this.sql.columns(RecordedEvent, 'event')} FROM events AS event
        WHERE event.organization_id = $1 AND event.position > $2 AND event.position <= $3
          AND event.type = ANY ($5)
          AND ($6::uuid IS NULL OR event.app_id = $6)
          AND ($7::uuid IS NULL OR event.channel_id = $7)
          AND ($8::uuid[] IS NULL OR event.app_id IS NULL OR event.app_id = ANY ($8))
          ${objectIds === null ? '' : `AND event.object_id ${objectIds.length === 1 ? '= ($9::uuid[])[1]' : '= ANY ($9)'}`}
          AND ${HAS_ITS_APP}
        ORDER BY event.position ${newest ? 'DESC' : 'ASC'} LIMIT $4`,
      [
        organizationId,
        after,
        upTo,
        limit,
        types,
        appId,
        channelId,
        visibleAppIds,
        ...(objectIds === null ? [] : [objectIds]),
      ],
    );
  }

  /** All events of an organization for several readers, in the order of their positions. */
  readAll(
    organizationId: string,
    after: number,
    limit: number,
  ): Promise<(FeedEvent & { hasItsApp: boolean })[]> {
    return this.sql.query(
      `SELECT ${this.sql.columns(RecordedEvent, 'event')}, ${HAS_ITS_APP} AS "hasItsApp" FROM events AS event
        WHERE event.organization_id = $1 AND event.position > $2 ORDER BY event.position LIMIT $3`,
      [organizationId, after, limit],
    );
  }

  /** What all events of an organization are about, in the order of their positions. */
  readObjects(organizationId: string, after: number, limit: number): Promise<EventObject[]> {
    return this.sql.query(
      `SELECT position, type, app_id AS "appId", object_id AS "objectId", ${HAS_ITS_APP} AS "hasItsApp"
         FROM events AS event
        WHERE event.organization_id = $1 AND event.position > $2 ORDER BY event.position LIMIT $3`,
      [organizationId, after, limit],
    );
  }

  /** The apps of organizations. @param appIds the only ones that count; `null`: all */
  appsOf(
    organizationIds: readonly string[],
    appIds: readonly string[] | null,
  ): Promise<{ appId: string; organizationId: string }[]> {
    return this.sql.query(
      `SELECT id AS "appId", organization_id AS "organizationId" FROM apps
        WHERE organization_id = ANY ($1) AND ($2::uuid[] IS NULL OR id = ANY ($2))`,
      [organizationIds, appIds],
    );
  }
}
