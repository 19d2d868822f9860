import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { v7 as uuid } from 'uuid';
import { hashToken } from '../../common/access/api-token.js';

/** Where sign-in links lead. The log has no queries, so the secret is in the query. */
export const SIGN_IN_LINK_PATH = '/login/link';

export const SIGN_IN_LINK_MINUTES = 15;

/**
 * Makes a link with which the first user of the database sets a password. It works once, for 15 minutes by the
 * database's clock. Connects by itself, because a process that only starts others has no pool.
 *
 * @returns path and query of the link; `null` when there is no user, or the first one has a password
 */
export async function createSignInLink(databaseUrl: string): Promise<string | null> {
  const secret = randomBytes(24).toString('base64url');
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'slipway' });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      `WITH expired AS (DELETE FROM sign_in_links WHERE expires_at <= now())
       INSERT INTO sign_in_links (id, user_id, hash, expires_at)
       SELECT $1, first.id, $2, now() + make_interval(mins => $3)
         FROM (SELECT id FROM users ORDER BY created_at, id LIMIT 1) AS first
        WHERE NOT EXISTS (SELECT FROM passwords WHERE user_id = first.id)`,
      [uuid(), hashToken(secret), SIGN_IN_LINK_MINUTES],
    );
    return rowCount === 1 ? `${SIGN_IN_LINK_PATH}?token=${secret}` : null;
  } finally {
    await client.end();
  }
}
