import { join, resolve } from 'node:path';
import type { Config } from '../../config/config.js';

/**
 * What `npm start` without any configuration prints.
 *
 * @param token the API token of the first user
 */
export function banner(config: Config, token: string): string {
  const url = config.http.publicUrl ?? `http://localhost:${config.http.port}`;
  return [
    '',
    `  Slipway is running.`,
    '',
    `  API          ${url}/v1`,
    `  Swagger UI   ${url}/docs`,
    `  API token    ${token}`,
    `               (kept in ${join(resolve(config.storage.dataDir), 'token')})`,
    '',
  ].join('\n');
}
