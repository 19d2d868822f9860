import type { Device } from '../api/types';
import { releaseName } from './release';

/** Systems of devices, as the API numbers them. */
export const platforms: Readonly<Record<string, string>> = { 0: 'Android', 1: 'iOS', 2: 'Electron' };

/** What a device runs, as people call it. */
export function runningName({ bundleId, appBuild }: Pick<Device, 'bundleId' | 'appBuild'>): string {
  if (bundleId === null) return 'Built-in bundle';
  return appBuild == null ? 'Unknown bundle' : releaseName(appBuild);
}

/** What a device is, such as `iOS` and `app 2.1.0 (210)`. */
export function systemOf({
  platform,
  appVersionName,
  appVersionCode,
}: Pick<Device, 'platform' | 'appVersionName' | 'appVersionCode'>): [system: string, app: string] {
  const app = appVersionName === appVersionCode ? appVersionName : `${appVersionName} (${appVersionCode})`;
  return [platforms[String(platform)] ?? 'Unknown', `app ${app}`];
}
