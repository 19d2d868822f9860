import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { type Membership, membershipColumns } from '../../organizations/members/members.queries.js';
import { withinTeams } from '../../organizations/teams/within-teams.js';

export interface UserOfOrganization {
  readonly userId: string;
  readonly organizationId: string;
}

/** What decides which events a member sees. */
export type MemberOfFeed = Membership &
  UserOfOrganization & {
    /** The apps that its teams let it see; `null`: all. */
    readonly teamAppIds: readonly string[] | null;
  };

/** SQL of the access to events. */
@Injectable()
export class FeedAccessQueries {
  constructor(private readonly sql: Sql) {}

  /** The memberships of users in organizations, in one statement. Users who are no members are left out. */
  members(users: readonly UserOfOrganization[]): Promise<MemberOfFeed[]> {
    const columns = Object.entries(membershipColumns).map(([name, column]) => `${column} AS "${name}"`);
    return this.sql.query(
      `SELECT ${columns.join(', ')}, member.user_id AS "userId",
              CASE WHEN member.role NOT IN ('owner', 'admin')
                    AND EXISTS (SELECT FROM teams WHERE teams.organization_id = organization.id)
                   THEN ARRAY(SELECT app.id FROM apps AS app
                               WHERE app.organization_id = organization.id AND ${withinTeams})
              END AS "teamAppIds"
         FROM unnest($1::uuid[], $2::uuid[]) AS reader(user_id, organization_id)
         JOIN members AS member
           ON member.user_id = reader.user_id AND member.organization_id = reader.organization_id
         JOIN organizations AS organization ON organization.id = member.organization_id`,
      [users.map(({ userId }) => userId), users.map(({ organizationId }) => organizationId)],
    );
  }
}
