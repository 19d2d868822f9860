import { randomUUID } from 'node:crypto';
import { seededId } from '../../scripts/seed/ids.ts';
import type { Load } from './load.ts';

/** The requests of a load as bytes, in the order in which they are sent, again and again. */
export function requestsOf(load: Load): Buffer[] {
  if (load.request !== undefined) return [Buffer.from(load.request)];
  const { apps, appId, devices, firstDevice = 1, channelName, anonymous = false, origins } = load;
  const { host } = new URL(origins[0] ?? '');
  const count = Math.max(devices, apps === 'unknown' ? devices : apps);
  return Array.from({ length: count }, (_, n) => {
    const app = apps === 'unknown' ? randomUUID() : seededId(appId, 'app', (n % apps) + 1);
    const device = anonymous ? null : seededId(appId, 'device', firstDevice + (n % devices));
    return checkOf(host, app, device, channelName);
  });
}

/** As the Android plugin asks through OkHttp; parameters without value are bare keys. */
function checkOf(
  host: string,
  appId: string,
  deviceId: string | null,
  channelName: string | undefined,
): Buffer {
  const query = [
    'appVersionCode=10&appVersionName=1.0.0&bundleId',
    channelName === undefined ? 'channelName' : `channelName=${channelName}`,
    `customId&${deviceId === null ? 'deviceId' : `deviceId=${deviceId}`}&osVersion=34&platform=0&pluginVersion=8.4.3`,
  ].join('&');
  const header = deviceId === null ? '' : `X-Capawesome-Device-Id: ${deviceId}\r\n`;
  return Buffer.from(
    `GET /v1/apps/${appId}/bundles/latest?${query} HTTP/1.1\r\n${header}` +
      `Host: ${host}\r\nConnection: Keep-Alive\r\nAccept-Encoding: br,gzip\r\nUser-Agent: okhttp/4.12.0\r\n\r\n`,
  );
}
