import { Injectable } from '@nestjs/common';
import { type Role, roleGrants, roles } from '../../common/access/permissions.js';
import { Sql } from '../../database/sql.js';
import type { Notice } from '../../events/event-definition.js';
import { withinTeams } from '../../organizations/teams/within-teams.js';
import type { NoticedDefinition } from './noticed-definition.js';
import { MAILS_OF_A_KIND, MAILS_PER_DAY } from './daily-limits.js';
import { NOTICE_MAILS_HOUR_KEY } from './notice-mail.entity.js';
import { defaultNotices } from './notice-settings.service.js';

/** What the database knows for a mail. */
export interface NoticeRow {
  readonly email: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly appId: string | null;
  readonly appName: string | null;
  readonly objectId: string;
  readonly data: object;
  readonly createdAt: Date;
  /** Who caused it, if that is a member of the organization. */
  readonly actorName: string | null;
  /** What had no mail in the hour of the mail before. */
  readonly leftOut: number;
}

/** Mails about older events are not sent: who is woken then is woken for nothing. */
const MAX_AGE = '1 day';

/** Who else a mail goes to than everyone who may see the event, on `events AS event` and `users AS account`. */
const conditions: Readonly<Record<Notice['to'], string>> = {
  readers: 'true',
  approvers: `EXISTS (
      SELECT FROM deployments AS deployment
       WHERE deployment.id = event.object_id AND deployment.approval_status = 'pending'
         AND deployment.created_by_user_id IS DISTINCT FROM account.id)
    AND NOT EXISTS (
      SELECT FROM deployment_approvals AS approval
       WHERE approval.deployment_id = event.object_id AND approval.user_id = account.id)`,
  requester: `EXISTS (
      SELECT FROM deployments AS deployment
       WHERE deployment.id = event.object_id AND deployment.created_by_user_id = account.id)`,
  user: `account.id::text = event.data ->> 'userId'`,
};

/**
 * An event, each user who gets a mail about it at this moment, and what that depends on: the role and the teams, an enabled
 * account with a verified address, and the user's settings. `$1` is the event, `$2` the roles that may see it.
 */
function recipientsOf({ kind, to }: Notice): string {
  return `events AS event
    JOIN organizations AS organization ON organization.id = event.organization_id
    JOIN members AS member ON member.organization_id = event.organization_id AND member.role = ANY($2)
    JOIN users AS account ON account.id = member.user_id AND account.email_verified AND account.disabled_at IS NULL
    LEFT JOIN notice_settings AS settings ON settings.user_id = account.id
    LEFT JOIN apps AS app ON app.id = event.app_id
   WHERE event.id = $1 AND event.created_at > now() - interval '${MAX_AGE}'
     AND account.id IS DISTINCT FROM event.user_id
     AND coalesce(settings.${kind}, ${defaultNotices[kind]})
     AND (event.app_id IS NULL OR app.organization_id = event.organization_id AND ${withinTeams})
     AND ${conditions[to]}`;
}

/** SQL of mails about events. */
@Injectable()
export class NoticesQueries {
  constructor(private readonly sql: Sql) {}

  /** Ids of the users who get a mail about an event now. */
  async recipients(eventId: string, definition: NoticedDefinition): Promise<string[]> {
    const rows = await this.sql.query<{ userId: string }>(
      `SELECT account.id AS "userId" FROM ${recipientsOf(definition.notice)} ORDER BY account.id`,
      [eventId, rolesOf(definition)],
    );
    return rows.map(({ userId }) => userId);
  }

  /** What a mail says; `null`: the user no longer gets any. */
  async find(eventId: string, userId: string, definition: NoticedDefinition): Promise<NoticeRow | null> {
    const [row] = await this.sql.query<NoticeRow>(
      `SELECT account.email, organization.id AS "organizationId", organization.name AS "organizationName",
              app.id AS "appId", app.name AS "appName", event.object_id AS "objectId", event.data,
              event.created_at AS "createdAt",
              (SELECT coalesce(actor.name, actor.email)
                 FROM users AS actor
                 JOIN members AS colleague
                   ON colleague.user_id = actor.id AND colleague.organization_id = event.organization_id
                WHERE actor.id = event.user_id) AS "actorName",
              coalesce((SELECT earlier.left_out
                          FROM notice_mails AS earlier
                         WHERE earlier.user_id = account.id AND earlier.object_id = event.object_id
                           AND earlier.type = event.type AND earlier.hour < date_trunc('hour', event.created_at)
                         ORDER BY earlier.hour DESC LIMIT 1), 0) AS "leftOut"
         FROM ${recipientsOf(definition.notice)} AND account.id = $3`,
      [eventId, rolesOf(definition), userId],
    );
    return row ?? null;
  }

  /**
   * Notes the mails about an event. A user gets none if there is one of the same hour about the same object and kind: that
   * one counts the event, if it is about the same organization: tokens are in several. Nor if the user has got as many about
   * the organization, or of the kind, as there are in a day.
   *
   * @param mails an id for each user
   * @returns ids of the mails to send
   */
  async insert(
    eventId: string,
    mails: readonly { readonly id: string; readonly userId: string }[],
  ): Promise<string[]> {
    const rows = await this.sql.query<{ id: string }>(
      `INSERT INTO notice_mails AS mail
         (id, user_id, organization_id, event_id, object_id, type, hour, position, is_last)
       SELECT new.id, new.user_id, event.organization_id, event.id, event.object_id, event.type,
              date_trunc('hour', event.created_at), event.position,
              sent.total + 1 >= $4 OR sent.of_kind + 1 >= $5
         FROM events AS event,
              unnest($2::uuid[], $3::uuid[]) AS new (id, user_id),
              LATERAL (SELECT count(*) AS total, count(*) FILTER (WHERE earlier.type = event.type) AS of_kind
                         FROM notice_mails AS earlier
                        WHERE earlier.user_id = new.user_id AND earlier.organization_id = event.organization_id
                          AND earlier.created_at > now() - interval '1 day') AS sent
        WHERE event.id = $1
          AND (sent.total < $4 AND sent.of_kind < $5 OR EXISTS (
                SELECT FROM notice_mails AS same
                 WHERE same.user_id = new.user_id AND same.object_id = event.object_id
                   AND same.type = event.type AND same.hour = date_trunc('hour', event.created_at)))
       ON CONFLICT ON CONSTRAINT ${NOTICE_MAILS_HOUR_KEY}
         DO UPDATE SET left_out = mail.left_out + 1, position = EXCLUDED.position, updated_at = now()
          WHERE mail.organization_id = EXCLUDED.organization_id AND mail.position < EXCLUDED.position
       RETURNING mail.id`,
      [eventId, mails.map(({ id }) => id), mails.map(({ userId }) => userId), MAILS_PER_DAY, MAILS_OF_A_KIND],
    );
    const made = new Set(mails.map(({ id }) => id));
    return rows.map(({ id }) => id).filter((id) => made.has(id));
  }

  /** Deletes mails from before so many days. @returns how many */
  deleteOld(days: number, limit: number): Promise<number> {
    return this.sql.execute(
      `DELETE FROM notice_mails WHERE id IN (
         SELECT id FROM notice_mails WHERE created_at < now() - make_interval(days => $1) LIMIT $2)`,
      [days, limit],
    );
  }
}

/** The roles that a mail can go to. */
function rolesOf({ notice, permission }: NoticedDefinition): Role[] {
  const needed = notice.to === 'approvers' ? 'deployments:approve' : permission;
  return roles.filter((role) => roleGrants(role, needed));
}
