import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { type Membership, membershipColumns } from '../../organizations/members/members.queries.js';
import { withinTeams } from '../../organizations/teams/within-teams.js';
import { App } from '../apps/app.entity.js';

/** An app, and what decides what a user may do in it. */
export interface AppOfUser {
  readonly app: App;
  readonly membership: Membership;
}

/** SQL of the access to apps: the only place that joins apps, members and teams. */
@Injectable()
export class AppAccessQueries {
  constructor(private readonly sql: Sql) {}

  /** The app, if the user is a member of its organization and may see it. */
  async find(userId: string, appId: string): Promise<AppOfUser | null> {
    const membership = Object.entries(membershipColumns).map(([name, column]) => `'${name}', ${column}`);
    const [row] = await this.sql.query<App & { readonly membership: Membership }>(
      `SELECT ${this.sql.columns(App, 'app')}, json_build_object(${membership.join(', ')}) AS membership
         FROM apps AS app
         JOIN members AS member ON member.organization_id = app.organization_id AND member.user_id = $1
         JOIN organizations AS organization ON organization.id = app.organization_id
        WHERE app.id = $2 AND ${withinTeams}`,
      [userId, appId],
    );
    if (row === undefined) return null;
    const { membership: found, ...app } = row;
    return { app, membership: found };
  }
}
