import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOperator, Raw, type Repository } from 'typeorm';
import { Sql } from '../../database/sql.js';
import { Member } from '../../organizations/members/member.entity.js';
import { type Membership, membershipColumns } from '../../organizations/members/members.queries.js';
import { Organization } from '../../organizations/organizations/organization.entity.js';
import { withinTeams } from '../../organizations/teams/within-teams.js';
import { App, MAX_BUILD_NUMBER } from './app.entity.js';

/** An app, and what decides what a user may do in it. */
export interface AppOfUser {
  readonly app: App;
  readonly membership: Membership;
}

/** SQL of apps. */
@Injectable()
export class AppsQueries {
  constructor(
    private readonly sql: Sql,
    @InjectRepository(App) private readonly apps: Repository<App>,
  ) {}

  /** Takes the next build number of an app. @returns `null` when there is no such app, or no number left */
  async takeBuildNumber(id: string): Promise<number | null> {
    const [taken] = await this.sql.query<{ number: number }>(
      `UPDATE apps SET last_build_number = next_build_number, next_build_number = next_build_number + 1
        WHERE id = $1 AND next_build_number < $2 RETURNING last_build_number AS number`,
      [id, MAX_BUILD_NUMBER],
    );
    return taken?.number ?? null;
  }

  /** The app, if the user is a member of its organization and may see it, in one statement. */
  async findForUser(userId: string, appId: string): Promise<AppOfUser | null> {
    const query = this.apps
      .createQueryBuilder('app')
      .innerJoin(Member, 'member', 'member.organizationId = app.organizationId AND member.userId = :userId')
      .innerJoin(Organization, 'organization', 'organization.id = app.organizationId')
      .where('app.id = :appId', { appId, userId })
      .andWhere(withinTeams);
    for (const [name, column] of Object.entries(membershipColumns)) query.addSelect(column, name);
    const { entities, raw } = await query.getRawAndEntities<Membership>();
    return entities[0] && raw[0] ? { app: entities[0], membership: raw[0] } : null;
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
