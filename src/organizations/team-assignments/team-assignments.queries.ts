import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Sql } from '../../database/sql.js';

/** SQL of assignments, with teams and apps. */
@Injectable()
export class TeamAssignmentsQueries {
  constructor(private readonly sql: Sql) {}

  async findTeam(organizationId: string, id: string): Promise<{ id: string } | null> {
    const [team] = await this.sql.query<{ id: string }>(
      'SELECT id FROM teams WHERE organization_id = $1 AND id = $2',
      [organizationId, id],
    );
    return team ?? null;
  }

  /**
   * Assigns an app of the organization to one of its teams. The row of the app is locked, so that the app cannot be
   * transferred to another organization at the same time and stay assigned.
   *
   * @returns the id of the assignment; `null` when the organization has no such app
   */
  async insertApp(organizationId: string, teamId: string, appId: string): Promise<string | null> {
    const rows = await this.sql.query<{ id: string }>(
      `INSERT INTO team_apps (id, team_id, app_id)
       SELECT $1::uuid, $2::uuid, app.id FROM apps AS app
        WHERE app.id = $3 AND app.organization_id = $4 FOR SHARE
       RETURNING id`,
      [uuid(), teamId, appId, organizationId],
    );
    return rows[0]?.id ?? null;
  }
}
