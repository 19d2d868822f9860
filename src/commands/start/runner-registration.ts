import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withConnection } from '../../database/connections/with-connection.js';
import { isRegistered, registerBuiltIn } from '../../jobs/runners/built-in-runner.js';
import { generateRunnerToken, isRunnerToken } from '../../jobs/runners/runner-token.js';
import { keepSecret } from '../keep-secret.js';

/**
 * Registers the built-in runner for all organizations, unless the token of a former start is still valid. Connects by itself,
 * because a process that only starts others has no pool.
 *
 * @param dataDir keeps the token in its file `runner-token`, which only its owner can read
 * @returns the path of the file
 * @throws Error when the file is damaged
 */
export async function registerBuiltInRunner(dataDir: string, databaseUrl: string): Promise<string> {
  const path = join(dataDir, 'runner-token');
  const format = { isValid: isRunnerToken, remedy: 'Delete it, and Slipway gives the runner another token.' };
  return withConnection(databaseUrl, async (client) => {
    const former = await keepSecret(path, undefined, format);
    if (former !== null && (await isRegistered(client, former))) return path;
    // Of a runner that was deleted, or of an earlier version: such a token becomes invalid.
    await rm(path, { force: true });
    const token = await keepSecret(path, generateRunnerToken, format);
    await registerBuiltIn(client, token, former);
    return path;
  });
}
