import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { isRegistered, registerBuiltIn } from '../../jobs/runners/built-in-runner.js';
import { generateRunnerToken, isRunnerToken } from '../../jobs/runners/runner-token.js';
import { keepSecret } from '../keep-secret.js';

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
    if (await registerBuiltIn(client, token)) return path;
    await rm(path, { force: true });
    return null;
  } finally {
    await client.end();
  }
}
