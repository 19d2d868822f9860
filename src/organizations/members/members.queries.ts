import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type FindOperator, In, Raw } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import { containing } from '../../database/text-filters.js';
import type { MemberWithUser } from './member.dto.js';
import type { Member } from './member.entity.js';

/** Reads members together with their users and organizations. */
@Injectable()
export class MembersQueries {
  constructor(private readonly database: DataSource) {}

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
export async function lockMembership(tx: EntityManager, organizationId: string): Promise<void> {
  const rows = await tx.query<unknown[]>('SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [
    organizationId,
  ]);
  if (rows.length === 0) throw new NotFoundError('Organization');
}
