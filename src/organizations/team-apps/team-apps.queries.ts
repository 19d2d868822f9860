import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { sql } from '../../database/sql.js';

/** Writes assignments of apps, which live further down: their table is named here, their code is not imported. */
@Injectable()
export class TeamAppsQueries {
  /**
   * Assigns an app of the organization to one of its teams. The app's row is locked meanwhile, so the app cannot move to
   * another organization and stay assigned.
   *
   * @returns the id of the assignment; `null` when the organization has no such app
   */
  async insert(organizationId: string, teamId: string, appId: string): Promise<string | null> {
    const rows = await sql<{ id: string }>(
      `INSERT INTO team_apps (id, team_id, app_id)
       SELECT $1::uuid, $2::uuid, app.id FROM apps AS app
        WHERE app.id = $3 AND app.organization_id = $4 FOR SHARE
       RETURNING id`,
      [uuid(), teamId, appId, organizationId],
    );
    return rows[0]?.id ?? null;
  }

  /** Takes an app, whose row is locked, out of all teams. */
  async deleteOfApp(appId: string): Promise<void> {
    await sql('DELETE FROM team_apps WHERE app_id = $1', [appId]);
  }
}
