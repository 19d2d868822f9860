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

/** A membership with the name of its organization. */
export interface OrganizationOfUser extends Membership {
  readonly organizationName: string;
}

/** An app, and how many of its organization the user may see. */
export interface FirstApp {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly total: number;
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

  /** Those of these apps of an organization that the user may see. */
  async visibleAmong(userId: string, organizationId: string, appIds: readonly string[]): Promise<string[]> {
    const rows = await this.sql.query<{ id: string }>(
      `SELECT app.id FROM apps AS app
         JOIN members AS member ON member.organization_id = app.organization_id AND member.user_id = $1
        WHERE app.organization_id = $2 AND app.id = ANY ($3) AND ${withinTeams}`,
      [userId, organizationId, appIds],
    );
    return rows.map(({ id }) => id);
  }

  /** All memberships of a user, by the names of their organizations. */
  organizationsOf(userId: string): Promise<OrganizationOfUser[]> {
    const columns = Object.entries(membershipColumns).map(([name, column]) => `${column} AS "${name}"`);
    return this.sql.query(
      `SELECT ${columns.join(', ')}, organization.name AS "organizationName"
         FROM members AS member JOIN organizations AS organization ON organization.id = member.organization_id
        WHERE member.user_id = $1 ORDER BY organization.name, organization.id`,
      [userId],
    );
  }

  /**
   * The first apps of each of these organizations that the user may see, by name.
   *
   * @param appIds the only ones that count; `null`: all
   * @param limit the most apps of an organization
   */
  firstApps(
    userId: string,
    organizationIds: readonly string[],
    appIds: readonly string[] | null,
    limit: number,
  ): Promise<FirstApp[]> {
    return this.sql.query(
      `SELECT app.* FROM unnest($2::uuid[]) AS wanted (id)
        CROSS JOIN LATERAL (
               SELECT app.id, app.name, app.organization_id AS "organizationId", count(*) OVER ()::int AS total
                 FROM apps AS app
                 JOIN members AS member ON member.organization_id = app.organization_id AND member.user_id = $1
                WHERE app.organization_id = wanted.id AND ($3::uuid[] IS NULL OR app.id = ANY ($3)) AND ${withinTeams}
                ORDER BY app.name, app.id LIMIT $4
             ) AS app
        ORDER BY app.name, app.id`,
      [userId, organizationIds, appIds, limit],
    );
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
