import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** How much belongs to a team. */
export interface TeamTotals {
  readonly teamId: string;
  readonly totalApps: number;
  readonly totalMembers: number;
}

/** SQL of teams. */
@Injectable()
export class TeamsQueries {
  constructor(private readonly sql: Sql) {}

  /** Counts the apps and members of any number of teams in one statement. @returns a row for each id, in any order */
  totals(ids: readonly string[]): Promise<TeamTotals[]> {
    return this.sql.query(
      `SELECT team.id AS "teamId",
              (SELECT count(*)::int FROM team_apps WHERE team_id = team.id) AS "totalApps",
              (SELECT count(*)::int FROM team_members WHERE team_id = team.id) AS "totalMembers"
         FROM unnest($1::uuid[]) AS team (id)`,
      [ids],
    );
  }
}
