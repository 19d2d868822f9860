import { USE_RECORDED_EVERY } from '../../common/access/use-recorded-every.js';
import { Injectable } from '@nestjs/common';
import { DataSource, type FindOperator, In, Raw } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';
import type { Role } from '../../common/access/permissions.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import { containing } from '../../database/text-filters.js';
import type { MemberWithUser } from './member.dto.js';
import type { Member } from './member.entity.js';
import { sql } from '../../database/sql.js';

/** What decides about what a member may do in an organization. */
export interface Membership {
  readonly memberId: string;
  readonly organizationId: string;
  readonly role: Role;
  readonly ipAllowlist: readonly string[] | null;
  readonly countryAllowlist: readonly string[] | null;
  /** Whether the organization wants a second factor of its members. */
  readonly twoFactorRequired: boolean;
  /** Whether the user has an authenticator app. */
  readonly totpEnabled: boolean;
  /** Whether `lastSeenAt` is due to be recorded. */
  readonly stale: boolean;
}

/** The columns of a `Membership`, of `members AS member` and `organizations AS organization`. */
export const membershipColumns = {
  memberId: 'member.id',
  organizationId: 'member.organization_id',
  role: 'member.role',
  ipAllowlist: 'organization.ip_allowlist',
  countryAllowlist: 'organization.country_allowlist',
  twoFactorRequired: 'organization.two_factor_required',
  totpEnabled: '(SELECT account.two_factor_enabled FROM users AS account WHERE account.id = member.user_id)',
  stale: `coalesce(member.last_seen_at < now() - interval '${USE_RECORDED_EVERY}', true)`,
} as const satisfies Record<keyof Membership, string>;

/** Reads members together with their users and organizations. */
@Injectable()
export class MembersQueries {
  constructor(private readonly database: DataSource) {}

  /** The memberships of a user. @param organizationId only that in this organization */
  memberships(userId: string, organizationId?: string): Promise<Membership[]> {
    const columns = Object.entries(membershipColumns).map(([name, column]) => `${column} AS "${name}"`);
    return sql(
      `SELECT ${columns.join(', ')}
         FROM members AS member JOIN organizations AS organization ON organization.id = member.organization_id
        WHERE member.user_id = $1 AND ($2::uuid IS NULL OR member.organization_id = $2)`,
      [userId, organizationId ?? null],
    );
  }

  /** Notes that a member is there. */
  async recordSeen(memberId: string): Promise<void> {
    await sql('UPDATE members SET last_seen_at = now() WHERE id = $1', [memberId]);
  }

  /** Adds the users, in one statement for any number of members. */
  async withUsers(members: readonly Member[]): Promise<MemberWithUser[]> {
    const found = await this.database
      .getRepository(User)
      .findBy({ id: In(members.map(({ userId }) => userId)) });
    const users = new Map(found.map((user) => [user.id, user]));
    return members.flatMap((member) => {
      const user = users.get(member.userId);
      return user === undefined ? [] : [{ member, user }];
    });
  }
}

/** A column of user ids whose e-mail address contains the text, whatever its case. */
export function emailContains(text: string): FindOperator<string> {
  return Raw((column) => `${column} IN (SELECT id FROM users WHERE email ILIKE :email)`, {
    email: containing(text),
  });
}

/**
 * Lets the changes to who is in an organization wait for each other until the transaction ends: what they look at, such
 * as whether there is another owner, then stays true.
 *
 * @throws NotFoundError
 */
export async function lockMembership(organizationId: string): Promise<void> {
  const rows = await sql<object>('SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [
    organizationId,
  ]);
  if (rows.length === 0) throw new NotFoundError('Organization');
}
