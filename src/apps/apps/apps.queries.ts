import { Injectable } from '@nestjs/common';
import { type FindOperator, Raw } from 'typeorm';
import { Sql } from '../../database/sql.js';
import { withinTeams } from '../../organizations/teams/within-teams.js';
import { MAX_BUILD_NUMBER } from './app.entity.js';

@Injectable()
export class AppsQueries {
  constructor(private readonly sql: Sql) {}

  /** Takes the next build number of an app. @returns `null` when there is no such app, or no number left */
  async takeBuildNumber(id: string): Promise<number | null> {
    const [taken] = await this.sql.query<{ number: number }>(
      `UPDATE apps SET last_build_number = next_build_number, next_build_number = next_build_number + 1
        WHERE id = $1 AND next_build_number < $2 RETURNING last_build_number AS number`,
      [id, MAX_BUILD_NUMBER],
    );
    return taken?.number ?? null;
  }

  /** Begins another generation of the caches of an app's builds. */
  async dropBuildCaches(id: string): Promise<void> {
    await this.sql.query(
      'UPDATE apps SET build_cache_generation = build_cache_generation + 1 WHERE id = $1',
      [id],
    );
  }
}

/** A condition on a column of app ids: `withinTeams` lets the user see the app. */
export function withinTeamsOf(userId: string): FindOperator<string> {
  return Raw(
    (column) =>
      `${column} IN (SELECT app.id FROM apps AS app
                       JOIN members AS member
                         ON member.organization_id = app.organization_id AND member.user_id = :userId
                      WHERE ${withinTeams})`,
    { userId },
  );
}
