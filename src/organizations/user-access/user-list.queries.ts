import { Injectable } from '@nestjs/common';
import type { Role } from '../../common/access/permissions.js';
import { Sql } from '../../database/sql.js';

/** A user, as operators see them. */
export interface ListedUser {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly createdAt: Date;
  /** `null`: never. */
  readonly lastSeenAt: Date | null;
  readonly twoFactorEnabled: boolean;
  /** `null`: enabled. */
  readonly disabledAt: Date | null;
  readonly organizations: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
}

/** SQL of the list of all users, for operators. */
@Injectable()
export class UserListQueries {
  constructor(private readonly sql: Sql) {}

  /** All users of the installation with their organizations, by e-mail address. */
  all(): Promise<ListedUser[]> {
    return this.sql.query(
      `SELECT account.id, account.email, account.name, account.created_at AS "createdAt",
              account.last_seen_at AS "lastSeenAt", account.two_factor_enabled AS "twoFactorEnabled",
              account.disabled_at AS "disabledAt",
              coalesce((
                SELECT jsonb_agg(jsonb_build_object('id', organization.id, 'name', organization.name,
                                                    'role', member.role) ORDER BY organization.name)
                  FROM members AS member
                  JOIN organizations AS organization ON organization.id = member.organization_id
                 WHERE member.user_id = account.id), '[]') AS organizations
         FROM users AS account ORDER BY account.email`,
    );
  }
}
