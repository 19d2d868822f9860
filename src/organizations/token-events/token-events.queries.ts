import { Injectable } from '@nestjs/common';
import type { Token } from '../../accounts/tokens/token.entity.js';
import { Sql } from '../../database/sql.js';
import { type Expiring, expiryThresholds, newlyExpiring } from '../../events/expiry.js';

/** Days before the expiry. */
export const TOKEN_THRESHOLDS = expiryThresholds(7, 1);

/** How long a token lives at least whose expiry is an event, as an interval of PostgreSQL. */
const LIVES_LONG = '7 days';

/** A token that expires, and one of the organizations that it can see. */
export type ExpiringToken = Expiring & Pick<Token, 'name' | 'userId' | 'permissions'>;

/** A condition on `token` and `member`: the token can see something of the member's organization. */
const COVERS = `(token.organization_ids IS NULL OR member.organization_id = ANY (token.organization_ids))
  AND (token.app_ids IS NULL OR EXISTS (
        SELECT FROM apps AS app WHERE app.organization_id = member.organization_id AND app.id = ANY (token.app_ids)))`;

/** SQL of tokens and the organizations that they can see. */
@Injectable()
export class TokenEventsQueries {
  constructor(private readonly sql: Sql) {}

  /** The organizations that a token can see something of, or could before it was changed or deleted. */
  async organizationsOf({
    userId,
    organizationIds,
    appIds,
  }: Pick<Token, 'userId' | 'organizationIds' | 'appIds'>): Promise<string[]> {
    const rows = await this.sql.query<{ id: string }>(
      `SELECT member.organization_id AS id
         FROM members AS member, (SELECT $2::uuid[] AS organization_ids, $3::uuid[] AS app_ids) AS token
        WHERE member.user_id = $1 AND ${COVERS} ORDER BY id`,
      [userId, organizationIds, appIds],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Tokens that expire soon, once for each organization that they can see. One that lives for a few days only is meant to
   * expire.
   *
   * @param kind of the state @param size most of them
   */
  expiring(kind: string, size: number): Promise<ExpiringToken[]> {
    const rows = `
      SELECT token.id, member.organization_id AS "organizationId", token.name, token.user_id AS "userId",
             token.permissions, token.expires_at AS "expiresAt"
        FROM tokens AS token JOIN members AS member ON member.user_id = token.user_id
       WHERE token.expires_at > now() AND token.expires_at - token.created_at > interval '${LIVES_LONG}' AND ${COVERS}`;
    return this.sql.query(newlyExpiring(rows, TOKEN_THRESHOLDS), [kind, size]);
  }
}
