import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Sql } from '../../database/sql.js';
import type { ActivityKind } from './activity.entity.js';

/** An action of the running request. */
export interface NewActivity {
  readonly kind: ActivityKind;
  readonly organizationId: string;
  readonly appId?: string;
  /** How many objects. */
  readonly count?: number;
  /** The one object, or the code of a refusal. Never a secret or a custom id. */
  readonly detail?: string;
}

/** Where a refused call would have written. */
export interface RefusalTarget {
  readonly organizationId: string;
  readonly appId: string | null;
}

@Injectable()
export class ActivitiesQueries {
  constructor(private readonly sql: Sql) {}

  /** @param throttleKey adds nothing when there is an activity with the same key */
  async insert(
    { kind, organizationId, appId, count, detail }: NewActivity,
    throttleKey: string | null,
  ): Promise<void> {
    await this.sql.execute(
      `INSERT INTO activities (id, organization_id, app_id, kind, count, detail, throttle_key)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (throttle_key) DO NOTHING`,
      [uuid(), organizationId, appId, kind, count, detail, throttleKey],
    );
  }

  /** Only organizations of the user: others must not be able to write to a log. */
  async targetOf(
    userId: string,
    organizationId: string | null,
    appId: string | null,
  ): Promise<RefusalTarget | null> {
    const [found] = await this.sql.query<RefusalTarget>(
      `SELECT member.organization_id AS "organizationId", app.id AS "appId"
         FROM members AS member LEFT JOIN apps AS app ON app.organization_id = member.organization_id AND app.id = $3
        WHERE member.user_id = $1 AND (member.organization_id = $2 OR app.id = $3)`,
      [userId, organizationId, appId],
    );
    return found ?? null;
  }

  /** Deletes what is in the audit log for a day: the log keeps the events. */
  async deleteOld(): Promise<void> {
    await this.sql.execute(`DELETE FROM activities WHERE created_at < now() - interval '1 day'`);
  }
}
