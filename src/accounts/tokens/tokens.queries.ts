import { Injectable } from '@nestjs/common';
import type { TokenPermissions } from '../../common/access/permissions.js';
import { USE_RECORDED_EVERY } from '../../common/access/use-recorded-every.js';
import type { RequestOrigin } from '../../common/request-origin/request-origin.js';
import { Sql } from '../../database/sql.js';
import type { SignInMethod } from '../sessions/session.entity.js';
import { USER_IS_ENABLED } from '../users/users.queries.js';

/** The row of a token that a request sent. */
export interface FoundToken {
  readonly id: string;
  readonly userId: string;
  readonly permissions: TokenPermissions;
  readonly organizationIds: string[] | null;
  readonly appIds: string[] | null;
  readonly expiresAt: Date | null;
  readonly secondFactorAt: Date | null;
  readonly method: SignInMethod | null;
  /** Whether its use is due to be recorded. */
  readonly stale: boolean;
}

/** The columns of a `FoundToken`. @param interval the parameter with `USE_RECORDED_EVERY` */
const foundColumns = (interval: string): string =>
  `tokens.id, user_id AS "userId", permissions, organization_ids AS "organizationIds", app_ids AS "appIds",
   expires_at AS "expiresAt", second_factor_at AS "secondFactorAt", method,
   coalesce(last_used_at < now() - ${interval}::interval, true) AS stale`;

@Injectable()
export class TokensQueries {
  constructor(private readonly sql: Sql) {}

  /** Finds a token of an enabled user that has not expired. @param hash of its secret, or of the one before during the overlap */
  async find(hash: string): Promise<FoundToken | null> {
    const [found] = await this.sql.query<FoundToken>(
      `SELECT ${foundColumns('$2')} FROM tokens
        WHERE (hash = $1 OR (previous_hash = $1 AND previous_expires_at > now()))
          AND (expires_at IS NULL OR expires_at > now())
          AND ${USER_IS_ENABLED}`,
      [hash, USE_RECORDED_EVERY],
    );
    return found ?? null;
  }

  /** As `find`, for several tokens at once. */
  findAll(hashes: readonly string[]): Promise<(FoundToken & { readonly hash: string })[]> {
    return this.sql.query(
      `SELECT sent.hash, ${foundColumns('$2')}
         FROM unnest($1::text[]) AS sent(hash)
         JOIN tokens ON tokens.hash = sent.hash
                     OR (tokens.previous_hash = sent.hash AND tokens.previous_expires_at > now())
        WHERE (expires_at IS NULL OR expires_at > now()) AND ${USER_IS_ENABLED}`,
      [hashes, USE_RECORDED_EVERY],
    );
  }

  /** Records a use of a token. @returns its user; `null` when another replica has recorded one lately */
  async recordUse(id: string, { address, userAgent }: RequestOrigin): Promise<string | null> {
    const [used] = await this.sql.query<{ userId: string }>(
      `UPDATE tokens SET last_used_at = now(), last_used_address = $3, last_used_client = $4
        WHERE id = $1 AND coalesce(last_used_at < now() - $2::interval, true)
       RETURNING user_id AS "userId"`,
      [id, USE_RECORDED_EVERY, address, userAgent],
    );
    return used?.userId ?? null;
  }
}
