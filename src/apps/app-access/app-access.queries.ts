import { Injectable } from '@nestjs/common';
import type { ScopeApp, ScopeOrganization } from '../../accounts/tokens/scope-resolver.js';
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

  /** The newest of these organizations, by name. @param limit the most organizations */
  newestOrganizations(ids: readonly string[], limit: number): Promise<ScopeOrganization[]> {
    return this.sql.query(
      `SELECT * FROM (SELECT id, name FROM organizations WHERE id = ANY($1) ORDER BY created_at DESC, id DESC LIMIT $2)
           AS newest
        ORDER BY lower(name), id`,
      [ids, limit],
    );
  }

  /** The newest apps of these organizations that the user may see, by organization and name. @param limit the most apps */
  newestApps(userId: string, organizationIds: readonly string[], limit: number): Promise<ScopeApp[]> {
    return this.sql.query(
      `SELECT * FROM (
         SELECT app.id, app.name, organization.name AS "organizationName"
           FROM apps AS app
           JOIN members AS member ON member.organization_id = app.organization_id AND member.user_id = $1
           JOIN organizations AS organization ON organization.id = app.organization_id
          WHERE app.organization_id = ANY($2) AND ${withinTeams}
          ORDER BY app.created_at DESC, app.id DESC LIMIT $3
       ) AS newest
       ORDER BY lower("organizationName"), lower(name), id`,
      [userId, organizationIds, limit],
    );
  }
}
