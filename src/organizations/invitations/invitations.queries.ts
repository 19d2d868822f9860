import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import type { InvitationMailDetails } from './invitation-mail.js';
import type { ReceivedInvitation } from './invitation.dto.js';
import type { Invitation } from './invitation.entity.js';

/** SQL of invitations with their organizations, members and users. */
@Injectable()
export class InvitationsQueries {
  constructor(private readonly sql: Sql) {}

  /** Adds the names of the organizations, in one statement for any number of invitations. */
  async withOrganizations(invitations: readonly Invitation[]): Promise<ReceivedInvitation[]> {
    const organizations = await this.sql.query<{ id: string; name: string }>(
      'SELECT id, name FROM organizations WHERE id = ANY($1)',
      [invitations.map(({ organizationId }) => organizationId)],
    );
    const names = new Map(organizations.map(({ id, name }) => [id, name]));
    return invitations.flatMap((invitation) => {
      const organizationName = names.get(invitation.organizationId);
      return organizationName === undefined ? [] : [{ invitation, organizationName }];
    });
  }

  /** The names in the mail about an invitation; `null`: its organization was deleted. */
  async mailDetails({ id }: Invitation): Promise<InvitationMailDetails | null> {
    const rows = await this.sql.query<InvitationMailDetails>(
      `SELECT organization.name AS "organizationName", inviter.email AS inviter
         FROM invitations AS invitation JOIN organizations AS organization ON organization.id = invitation.organization_id
         LEFT JOIN users AS inviter ON inviter.id = invitation.inviter_id
        WHERE invitation.id = $1`,
      [id],
    );
    return rows[0] ?? null;
  }

  /** Whether the user with this e-mail address is a member of the organization. */
  async isMember(organizationId: string, email: string): Promise<boolean> {
    const rows = await this.sql.query(
      `SELECT FROM members AS member JOIN users AS account ON account.id = member.user_id
        WHERE member.organization_id = $1 AND account.email = $2`,
      [organizationId, email],
    );
    return rows.length > 0;
  }
}
