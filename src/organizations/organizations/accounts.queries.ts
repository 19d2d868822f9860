import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { accountOf, Accounts } from '../../common/background/accounts.js';
import { isUuid } from '../../common/validation/uuid.js';
import { Sql } from '../../database/sql.js';

/** Organizations whose accounts one process remembers. They never change. */
const MAX_REMEMBERED = 10_000;

/** Whose account organizations count to. */
@Injectable()
export class AccountsQueries extends Accounts {
  private readonly known = new LRUCache<string, string>({ max: MAX_REMEMBERED });

  constructor(private readonly sql: Sql) {
    super();
  }

  override async of(tenantId: string): Promise<string> {
    const known = this.known.get(tenantId);
    if (known !== undefined) return known;
    if (!isUuid(tenantId)) return tenantId;
    const [found] = await this.sql.query<{ account: string }>(
      `SELECT ${accountOf('organizations')} AS account FROM organizations WHERE id = $1`,
      [tenantId],
    );
    // A user, or an organization that has been deleted.
    if (found === undefined) return tenantId;
    this.known.set(tenantId, found.account);
    return found.account;
  }
}
