import { Injectable } from '@nestjs/common';
import { type FindOperator, Raw } from 'typeorm';
import type { Role } from '../../common/access/permissions.js';
import { USE_RECORDED_EVERY } from '../../common/access/use-recorded-every.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import { Sql } from '../../database/sql.js';
import { containing } from '../../database/text-filters.js';

/** The facts that decide what a member may do in an organization. */
export interface Membership {
  readonly memberId: string;
  readonly organizationId: string;
  readonly role: Role;
  readonly ipAllowlist: readonly string[] | null;
  readonly countryAllowlist: readonly string[] | null;
  /** Whether the organization requires a second factor. */
  readonly twoFactorRequired: boolean;
  /** Whether the operator has suspended the organization, and what they said about it. */
  readonly isSuspended: boolean;
  readonly suspensionReason: string | null;
  /** Whether the user has an authenticator app. */
  readonly totpEnabled: boolean;
  /** Whether `lastSeenAt` is due to be recorded. */
  readonly stale: boolean;
}

/** Whether the operator has suspended an organization. */
export type Suspension = Pick<Membership, 'isSuspended' | 'suspensionReason'>;

/** The columns of a `Membership`, from `members AS member` and `organizations AS organization`. */
export const membershipColumns = {
  memberId: 'member.id',
  organizationId: 'member.organization_id',
  role: 'member.role',
  ipAllowlist: 'organization.ip_allowlist',
  countryAllowlist: 'organization.country_allowlist',
  twoFactorRequired: 'organization.two_factor_required',
  isSuspended: '(organization.suspended_at IS NOT NULL)',
  suspensionReason: 'organization.suspension_reason',
  totpEnabled: '(SELECT account.two_factor_enabled FROM users AS account WHERE account.id = member.user_id)',
  stale: `coalesce(member.last_seen_at < now() - interval '${USE_RECORDED_EVERY}', true)`,
} as const satisfies Record<keyof Membership, string>;

/** SQL of members and their organizations. */
@Injectable()
export class MembersQueries {
  constructor(private readonly sql: Sql) {}

  /** The memberships of a user. @param organizationId only the one in this organization */
  memberships(userId: string, organizationId?: string): Promise<Membership[]> {
    const columns = Object.entries(membershipColumns).map(([name, column]) => `${column} AS "${name}"`);
    return this.sql.query(
      `SELECT ${columns.join(', ')}
         FROM members AS member JOIN organizations AS organization ON organization.id = member.organization_id
        WHERE member.user_id = $1 AND ($2::uuid IS NULL OR member.organization_id = $2)`,
      [userId, organizationId ?? null],
    );
  }

  /** How many organizations a user owns. */
  async countOwned(userId: string): Promise<number> {
    const [counted] = await this.sql.query<{ owned: number }>(
      `SELECT count(*)::int AS owned FROM members WHERE user_id = $1 AND role = 'owner'`,
      [userId],
    );
    return counted?.owned ?? 0;
  }

  /**
   * Locks the members of an organization until the transaction ends. Changes to them wait for each other, so what one has
   * checked, such as whether there is another owner, stays true.
   *
   * @returns whether the organization is suspended
   * @throws NotFoundError
   */
  async lock(organizationId: string): Promise<Suspension> {
    const [row] = await this.sql.query<Suspension>(
      `SELECT suspended_at IS NOT NULL AS "isSuspended", suspension_reason AS "suspensionReason"
         FROM organizations WHERE id = $1 FOR NO KEY UPDATE`,
      [organizationId],
    );
    if (row === undefined) throw new NotFoundError('Organization');
    return row;
  }

  /** As `lock`, of all organizations of a user, in the order of their ids. */
  async lockAllOf(userId: string): Promise<void> {
    await this.sql.query(
      `SELECT FROM organizations WHERE id IN (SELECT organization_id FROM members WHERE user_id = $1)
        ORDER BY id FOR NO KEY UPDATE`,
      [userId],
    );
  }

  /**
   * Locks an enabled owner of an organization, besides one member, until the transaction ends: the user is not disabled
   * before.
   *
   * @returns `false` when there is none
   */
  async lockOtherOwner(organizationId: string, memberId: string): Promise<boolean> {
    const rows = await this.sql.query(
      `SELECT FROM members AS member JOIN users AS account ON account.id = member.user_id
        WHERE member.organization_id = $1 AND member.id <> $2 AND member.role = 'owner'
          AND account.disabled_at IS NULL
        LIMIT 1 FOR SHARE OF account`,
      [organizationId, memberId],
    );
    return rows.length > 0;
  }

  /** Names of the organizations that would have no enabled owner without this user. */
  async namesOfOwnedAlone(userId: string): Promise<string[]> {
    const rows = await this.sql.query<{ name: string }>(
      `SELECT organization.name
         FROM members AS member JOIN organizations AS organization ON organization.id = member.organization_id
        WHERE member.user_id = $1 AND member.role = 'owner'
          AND NOT EXISTS (
            SELECT FROM members AS other JOIN users AS account ON account.id = other.user_id
             WHERE other.organization_id = member.organization_id AND other.id <> member.id
               AND other.role = 'owner' AND account.disabled_at IS NULL)
        ORDER BY organization.name, organization.id`,
      [userId],
    );
    return rows.map(({ name }) => name);
  }

  /** Records that a member uses the organization now. */
  async recordSeen(memberId: string): Promise<void> {
    await this.sql.query('UPDATE members SET last_seen_at = now() WHERE id = $1', [memberId]);
  }
}

/** A column of user ids whose e-mail address contains the text, whatever its case. */
export function emailContains(text: string): FindOperator<string> {
  return Raw((column) => `${column} IN (SELECT id FROM users WHERE email ILIKE :email)`, {
    email: containing(text),
  });
}
