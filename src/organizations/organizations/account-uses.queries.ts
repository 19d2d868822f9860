import { Injectable } from '@nestjs/common';
import { accountOf } from '../../common/background/accounts.js';
import { Sql } from '../../database/sql.js';
import { QUEUE_USES } from '../../queue/capacity-uses.queries.js';

/** What one account has and waits for. */
export interface AccountUse {
  /** The id of a user, `installation`, or another name of work that belongs to none. */
  readonly account: string;
  /** Of the user; `null`: it is none, or deleted. */
  readonly email: string | null;
  /** Organizations that count to the account. */
  readonly organizations: number;
  /** The name of the limit or of the queue: see docs/capacity.md. */
  readonly limit: string;
  readonly running: number;
  readonly waiting: number;
  /** Seconds that the oldest work has waited. */
  readonly waitSeconds: number;
}

/** Who holds and waits for what all tenants share, in all processes. */
@Injectable()
export class AccountUsesQueries {
  constructor(private readonly sql: Sql) {}

  /** Those who wait longest first. What processes limit is at most ten seconds old. */
  all(): Promise<AccountUse[]> {
    return this.sql.query(
      `WITH uses AS (
         SELECT account, "limit", sum(running)::int AS running, sum(waiting)::int AS waiting,
                max(wait_seconds) AS wait_seconds
           FROM capacity_uses WHERE abs(extract(epoch FROM now() - seen_at)) < 60 GROUP BY 1, 2
         UNION ALL
         ${QUEUE_USES}
       )
       SELECT uses.account, users.email, uses."limit", uses.running, uses.waiting,
              round(uses.wait_seconds)::int AS "waitSeconds",
              (SELECT count(*)::int FROM organizations
                WHERE ${accountOf('organizations')} = uses.account) AS organizations
         FROM uses LEFT JOIN users ON users.id::text = uses.account
        ORDER BY uses.waiting > 0 DESC, uses.wait_seconds DESC, uses.running DESC, uses.account, uses."limit"`,
    );
  }
}
