import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import type { InvitationMailDetails } from './invitation-mail.js';
import type { ReceivedInvitation } from './invitation.dto.js';
import type { Invitation, InvitationRole } from './invitation.entity.js';

/** An open invitation, found by one of its links. */
export interface LinkedInvitation extends InvitationMailDetails {
  readonly id: string;
  readonly email: string;
  readonly role: InvitationRole;
  readonly expiresAt: Date;
  /** Whether the link was mailed to the address. */
  readonly mailed: boolean;
  /** Whether the organization requires a second factor. */
  readonly twoFactorRequired: boolean;
}

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

  /** The names in the mail about an invitation; `null`: its organization was deleted, or the user is disabled. */
  async mailDetails({ id }: Invitation): Promise<InvitationMailDetails | null> {
    const rows = await this.sql.query<InvitationMailDetails>(
      `SELECT organization.name AS "organizationName", inviter.email AS inviter
         FROM invitations AS invitation JOIN organizations AS organization ON organization.id = invitation.organization_id
         LEFT JOIN users AS inviter ON inviter.id = invitation.inviter_id
        WHERE invitation.id = $1
          AND NOT EXISTS (SELECT FROM users AS invited
                           WHERE invited.email = invitation.email AND invited.disabled_at IS NOT NULL)`,
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

  /** The open invitation of a link. @param hash of the secret in the link */
  async findByLink(hash: string): Promise<LinkedInvitation | null> {
    const [found] = await this.sql.query<LinkedInvitation>(
      `SELECT invitation.id, invitation.email, invitation.role, invitation.expires_at AS "expiresAt", link.mailed,
              organization.name AS "organizationName", organization.two_factor_required AS "twoFactorRequired",
              inviter.email AS inviter
         FROM invitation_links AS link JOIN invitations AS invitation ON invitation.id = link.invitation_id
         JOIN organizations AS organization ON organization.id = invitation.organization_id
         LEFT JOIN users AS inviter ON inviter.id = invitation.inviter_id
        WHERE link.hash = $1 AND invitation.status = 'pending' AND invitation.expires_at > now()`,
      [hash],
    );
    return found ?? null;
  }

  /** Deletes the links of the organization's invitations that can no longer be accepted. */
  async deleteEndedLinks(organizationId: string): Promise<void> {
    await this.sql.execute(
      `DELETE FROM invitation_links USING invitations AS invitation
        WHERE invitation.id = invitation_id AND invitation.organization_id = $1
          AND (invitation.status <> 'pending' OR invitation.expires_at <= now())`,
      [organizationId],
    );
  }

  /**
   * Counts an invitation that a user sends today. Those that the user sends at the same time wait until the transaction
   * ends.
   *
   * @param max how many a user may send in a day
   * @returns `false` when the user has sent as many, and nothing was counted
   */
  async count(inviterId: string, max: number): Promise<boolean> {
    const counted = await this.sql.execute(
      `INSERT INTO invitation_counts AS counted (inviter_id, day, count)
       VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 1)
       ON CONFLICT (inviter_id) DO UPDATE
         SET day = excluded.day, count = CASE WHEN counted.day = excluded.day THEN counted.count + 1 ELSE 1 END
       WHERE counted.day <> excluded.day OR counted.count < $2`,
      [inviterId, max],
    );
    return counted > 0;
  }
}
