import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { v7 as uuid } from 'uuid';
import { hashToken } from '../../common/access/api-token.js';

/** Where sign-in links lead. The log has no queries, so the secret is in the query. */
export const SIGN_IN_LINK_PATH = '/login/link';

export const SIGN_IN_LINK_MINUTES = 15;

/**
 * The condition on `users` for such a link: the user has no other way to sign in, so the link opens no account that
 * something else protects.
 */
export const MAY_USE_SIGN_IN_LINK = `
  NOT users.two_factor_enabled
  AND NOT EXISTS (SELECT FROM passwords WHERE passwords.user_id = users.id)
  AND NOT EXISTS (SELECT FROM user_identities WHERE user_identities.user_id = users.id)`;

/**
 * Makes a link with which the user of a token sets a password. It works once, for 15 minutes by the database's clock.
 * Connects by itself, because a process that only starts others has no pool.
 *
 * @param token the API token of the first user
 * @returns path and query of the link; `null` when the token is unknown, or its user can sign in already
 */
export async function createSignInLink(databaseUrl: string, token: string): Promise<string | null> {
  const secret = randomBytes(24).toString('base64url');
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'slipway' });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      `WITH expired AS (DELETE FROM sign_in_links WHERE expires_at <= now())
       INSERT INTO sign_in_links (id, user_id, hash, expires_at)
       SELECT $1, users.id, $2, now() + make_interval(mins => $3)
         FROM tokens JOIN users ON users.id = tokens.user_id
        WHERE tokens.hash = $4 AND ${MAY_USE_SIGN_IN_LINK}`,
      [uuid(), hashToken(secret), SIGN_IN_LINK_MINUTES, hashToken(token)],
    );
    return rowCount === 1 ? `${SIGN_IN_LINK_PATH}?token=${secret}` : null;
  } finally {
    await client.end();
  }
}
