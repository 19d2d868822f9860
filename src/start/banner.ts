import { join, resolve } from 'node:path';
import type { Config } from '../config/config.js';

/**
 * What a person who has just started the embedded default needs to know.
 *
 * @param token the first token
 */
export function announcement(config: Config, token: string): string {
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
