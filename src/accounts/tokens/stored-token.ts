import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { hashToken } from '../../common/access/api-token.js';
import { withConnection } from '../../database/connections/with-connection.js';

/** Where the embedded default keeps the token of the first user. @returns an absolute path */
export function tokenFileIn(dataDir: string): string {
  return join(resolve(dataDir), 'token');
}

/**
 * Whether the token of the first user is this one.
 *
 * @param hash of the token in question
 * @returns `false` also when the file was removed or cannot be read
 */
export async function isTokenInFile(dataDir: string, hash: string): Promise<boolean> {
  const text = await readFile(tokenFileIn(dataDir), 'utf8').catch(() => null);
  return text !== null && hashToken(text.trim()) === hash;
}

/**
 * Whether a token is stored and has not expired; the one before a rotation does not count. Opens its own connection,
 * because a process that only starts others has no pool.
 */
export async function isStoredToken(databaseUrl: string, token: string): Promise<boolean> {
  const { rowCount } = await withConnection(databaseUrl, (client) =>
    client.query('SELECT FROM tokens WHERE hash = $1 AND (expires_at IS NULL OR expires_at > now())', [
      hashToken(token),
    ]),
  );
  return rowCount === 1;
}
