import { randomBytes } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { hashToken } from '../../common/access/api-token.js';
import { withConnection } from '../../database/connections/with-connection.js';
import { MAY_SET_FIRST_PASSWORD } from './link-conditions.js';

/** Where sign-in links lead. The log has no queries, so the secret is in the query. */
export const SIGN_IN_LINK_PATH = '/login/link';

/** How long the link is valid that a start prints. */
export const SIGN_IN_LINK_MINUTES = 15;

/** A new secret, with path and query of the link that has it. */
export function newLinkSecret(): { readonly secret: string; readonly path: string } {
  const secret = randomBytes(24).toString('base64url');
  return { secret, path: `${SIGN_IN_LINK_PATH}?token=${secret}` };
}

/**
 * Makes a link with which the user of a token sets a password. It works once, for 15 minutes by the database's clock.
 * Opens its own connection, because a process that only starts others has no pool.
 *
 * @param token the API token of the first user
 * @returns path and query of the link; `null` when the token is unknown, or its user can sign in already or is disabled
 */
export async function createSignInLink(databaseUrl: string, token: string): Promise<string | null> {
  const { secret, path } = newLinkSecret();
  const { rowCount } = await withConnection(databaseUrl, (client) =>
    client.query(
      `WITH expired AS (DELETE FROM sign_in_links WHERE expires_at <= now())
       INSERT INTO sign_in_links (id, user_id, hash, expires_at)
       SELECT $1, users.id, $2, now() + make_interval(mins => $3)
         FROM tokens JOIN users ON users.id = tokens.user_id
        WHERE tokens.hash = $4 AND ${MAY_SET_FIRST_PASSWORD}
          FOR NO KEY UPDATE OF users`,
      [uuid(), hashToken(secret), SIGN_IN_LINK_MINUTES, hashToken(token)],
    ),
  );
  return rowCount === 1 ? path : null;
}
