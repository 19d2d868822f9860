import { Injectable } from '@nestjs/common';
import type { UserReferenceDto } from '../../accounts/users/user.dto.js';
import { roleGrants, roles } from '../../common/access/permissions.js';
import { Sql } from '../../database/sql.js';
import { withinTeams } from '../../organizations/teams/within-teams.js';

/** Members that are named. */
const MAX_APPROVERS = 20;

/** A member who can approve a deployment. */
export interface ApproverRow extends UserReferenceDto {
  /** Of all who can. */
  readonly total: number;
}

/** SQL of approvals. */
@Injectable()
export class ApprovalsQueries {
  constructor(private readonly sql: Sql) {}

  /** The first members by name who can still approve a pending deployment: by their role and teams, in one statement. */
  approvers(appId: string, deploymentId: string): Promise<ApproverRow[]> {
    return this.sql.query(
      `SELECT account.id, account.name, account.email, count(*) OVER ()::int AS total
         FROM deployments AS deployment
         JOIN apps AS app ON app.id = deployment.app_id
         JOIN members AS member ON member.organization_id = app.organization_id AND member.role = ANY ($3)
         JOIN users AS account ON account.id = member.user_id AND account.disabled_at IS NULL
        WHERE deployment.id = $2 AND deployment.app_id = $1 AND deployment.approval_status = 'pending'
          AND account.id IS DISTINCT FROM deployment.created_by_user_id
          AND NOT EXISTS (SELECT FROM deployment_approvals AS given
                           WHERE given.deployment_id = deployment.id AND given.user_id = account.id)
          AND ${withinTeams}
        ORDER BY coalesce(account.name, account.email), account.id LIMIT ${MAX_APPROVERS}`,
      [appId, deploymentId, roles.filter((role) => roleGrants(role, 'deployments:approve'))],
    );
  }
}
