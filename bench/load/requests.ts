import { randomUUID } from 'node:crypto';
import { seededId } from '../../scripts/seed/ids.ts';
import type { Load } from './load.ts';

/** An update check. */
export interface Check {
  readonly path: string;
  /** Those that say who asks. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The requests of a load as bytes, in the order in which they are sent, again and again. */
export function requestsOf(load: Load): Buffer[] {
  if (load.request !== undefined) return [Buffer.from(load.request)];
  const { host } = new URL(load.origins[0] ?? '');
  return Array.from({ length: countOf(load) }, (_, n) => bytesOf(checkOf(load, n), host));
}

/** The n-th update check of a load, from 0. */
export function checkOf(load: Load, n: number): Check {
  const { apps, appId, devices, firstDevice = 1, deviceNumbers, anonymous = false, headers = {} } = load;
  const app = apps === 'unknown' ? randomUUID() : seededId(appId, 'app', (n % apps) + 1);
  const number = deviceNumbers?.[n % deviceNumbers.length] ?? firstDevice + (n % devices);
  const deviceId = anonymous ? null : seededId(appId, 'device', number);
  return {
    path: `/v1/apps/${app}/bundles/latest?${queryOf(load, deviceId, number)}`,
    headers: { ...(deviceId !== null && { 'X-Capawesome-Device-Id': deviceId }), ...headers },
  };
}

function countOf({ apps, devices, deviceNumbers }: Load): number {
  return Math.max(deviceNumbers?.length ?? devices, apps === 'unknown' ? devices : apps);
}

/** As the Android plugin asks; parameters without value are bare keys. */
function queryOf(
  { bundleId, channelName, customIds = false }: Load,
  deviceId: string | null,
  number: number,
): string {
  const parameter = (name: string, value: string | null | undefined): string =>
    value === null || value === undefined ? name : `${name}=${value}`;
  return [
    'appVersionCode=10&appVersionName=1.0.0',
    parameter('bundleId', bundleId),
    parameter('channelName', channelName),
    parameter('customId', customIds ? `customer-${number}` : null),
    parameter('deviceId', deviceId),
    'osVersion=34&platform=0&pluginVersion=8.4.3',
  ].join('&');
}

/** Through OkHttp. */
function bytesOf({ path, headers }: Check, host: string): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\n${lines.join('')}` +
      `Host: ${host}\r\nConnection: Keep-Alive\r\nAccept-Encoding: br,gzip\r\nUser-Agent: okhttp/4.12.0\r\n\r\n`,
  );
}
