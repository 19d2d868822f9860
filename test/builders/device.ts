import { randomUUID } from 'node:crypto';
import { Api } from '../support/http/api.js';
import type { TestApp } from './app.js';

/**
 * A device that has asked for its bundle once; that is all it takes to be known. It is written by then, not only seen.
 *
 * @param query parameters of its check besides the usual ones
 * @returns its id
 */
export async function createDevice(
  app: TestApp,
  query: Readonly<Record<string, string>> = {},
): Promise<string> {
  const deviceId = query['deviceId'] ?? randomUUID();
  const response = await checkForUpdate(app, { ...query, deviceId });
  if (response.status !== 200 && response.status !== 404) throw new Error(`No check: ${response.text}`);
  await app.api.get(`${app.path}/devices?limit=1`);
  return deviceId;
}

/** One update check as Android sends it. */
export function checkForUpdate(
  app: TestApp,
  query: Readonly<Record<string, string>>,
): ReturnType<Api['get']> {
  const parameters = new URLSearchParams({
    appVersionCode: '10',
    appVersionName: '1.0.0',
    osVersion: '34',
    platform: '0',
    pluginVersion: '8.4.3',
    ...query,
  });
  return new Api(app.api.origin, null).get(`${app.path}/bundles/latest?${parameters}`);
}
