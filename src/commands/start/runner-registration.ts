import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { v7 as uuid } from 'uuid';
import { hashToken } from '../../common/access/api-token.js';
import { generateRunnerToken, isRunnerToken } from '../../jobs/runners/runner-token.js';
import { keepSecret } from '../keep-secret.js';

const NAME = 'Built in';

/**
 * Registers the built-in runner for the first organization, unless the token of a former start is still valid. Connects by
 * itself, because a process that only starts others has no pool.
 *
 * @param dataDir keeps the token in its file `runner-token`, which only its owner can read
 * @returns the path of the file; `null` when there is no organization
 * @throws Error when the file is damaged
 */
export async function registerBuiltInRunner(dataDir: string, databaseUrl: string): Promise<string | null> {
  const path = join(dataDir, 'runner-token');
  const format = { isValid: isRunnerToken, remedy: 'Delete it, and Slipway registers another runner.' };
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'slipway' });
  await client.connect();
  try {
    const former = await keepSecret(path, undefined, format);
    if (former !== null && (await isRegistered(client, former))) return path;
    // Of a runner that was deleted, or given another token, since: such a token stays invalid.
    await rm(path, { force: true });
    const token = await keepSecret(path, generateRunnerToken, format);
    const { rowCount } = await client.query(
      `INSERT INTO runners (id, organization_id, name, hash, last_four)
       SELECT $1, id, $2, $3, $4 FROM organizations ORDER BY created_at, id LIMIT 1`,
      [uuid(), NAME, hashToken(token), token.slice(-4)],
    );
    if (rowCount === 1) return path;
    await rm(path, { force: true });
    return null;
  } finally {
    await client.end();
  }
}

async function isRegistered(client: pg.Client, token: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT FROM runners WHERE hash = $1 AND (expires_at IS NULL OR expires_at > now())',
    [hashToken(token)],
  );
  return rowCount === 1;
}
