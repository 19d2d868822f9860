import { Injectable } from '@nestjs/common';
import { DisabledUsers } from '../../accounts/disabled-users/disabled-users.service.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { ConflictError } from '../../common/errors/app-error.js';
import { transaction } from '../../database/transactions/transaction.js';
import { MembersQueries } from '../members/members.queries.js';

/** Disables users for the operator, and never the last owner of an organization. */
@Injectable()
export class UserAccess {
  constructor(
    private readonly queries: MembersQueries,
    private readonly users: UsersService,
    private readonly disabledUsers: DisabledUsers,
  ) {}

  /**
   * Disables a user, who can no longer sign in, and ends sessions, API tokens, approved codes and links.
   *
   * @returns `false` when the user is disabled already
   * @throws ConflictError when an organization would have no enabled owner: names them
   */
  disable(userId: string): Promise<boolean> {
    return transaction(async () => {
      // In this order, as changes of members do. They count only owners whom they have locked.
      await this.queries.lockAllOf(userId);
      if (!(await this.users.lockIfEnabled(userId))) return false;
      const names = await this.queries.namesOfOwnedAlone(userId);
      if (names.length > 0) {
        const which = names.map((name) => `"${name}"`).join(', ');
        throw new ConflictError(
          `The user is the last owner of ${which}: make another member an owner first.`,
          'last_owner',
        );
      }
      await this.disabledUsers.disable(userId);
      return true;
    });
  }
}
