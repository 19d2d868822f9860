import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle } from '../../builders/bundle.js';
import { createChannel, type TestChannel } from '../../builders/channel.js';
import { createDeployment } from '../../builders/deployment.js';
import { checkForUpdate } from '../../builders/device.js';
import { publishManifest } from '../../builders/publication.js';
import { storeSeen } from './native-versions.js';
import { SIGNATURE } from './uploads.js';

/** An app with channels of all kinds, several deployments in each, and devices of all kinds. */
export interface ReleaseScene {
  readonly app: TestApp;
  readonly beta: TestChannel;
  /** What each device says, without its id; by id. */
  readonly devices: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

/** Queries of update checks, without a device id: the product of what devices of all kinds say, in some order. */
function checks(): Record<string, string>[] {
  const channels: Record<string, string>[] = [
    {},
    { channelName: 'BETA' },
    { channelName: 'old' },
    { channelName: 'safe' },
    { channelName: 'typo' },
  ];
  const kinds: Record<string, string>[] = [
    { platform: '0', appVersionCode: '10' },
    { platform: '0', appVersionCode: '12', pluginVersion: '6.4.9' },
    { platform: '0', appVersionCode: '10', pluginVersion: '7.2.2' },
    { platform: '1', appVersionCode: '1.0.5' },
    { platform: '1', appVersionCode: '1..2', runtime: 'cordova', pluginVersion: '0.1.0' },
    { platform: '2', appVersionCode: '2.0.0-rc.1', runtime: 'electron' },
    { platform: '0', appVersionCode: '-1' },
  ];
  return kinds.flatMap((kind) => channels.map((channel) => ({ ...kind, ...channel })));
}

/** @param perKind devices that say the same */
export async function createReleaseScene(perKind: number): Promise<ReleaseScene> {
  const app = await createApp();
  const beta = await createChannel(app, { name: 'beta' });
  await createChannel(app, { name: 'safe', protected: true });
  await createChannel(app, { name: 'old', expiresAt: '2020-01-01T00:00:00.000Z' });
  const files = { 'index.html': 'hello' };
  const releases: object[] = [
    {},
    { checksum: '0'.repeat(64) },
    { minAndroidAppVersionCode: '11', maxIosAppVersionCode: '1.0.4' },
    { channelName: 'beta' },
    { channelName: 'beta', rolloutPercentage: 0.5, eqAndroidAppVersionCode: '10' },
    { channelName: 'beta', minElectronAppVersionCode: '2.0.0', rolloutPercentage: 0.4 },
    { channelName: 'old' },
    { channelName: 'safe', signature: SIGNATURE, rolloutPercentage: 0.7 },
    { rolloutPercentage: 0.3, minIosAppVersionCode: '1' },
  ];
  for (const release of releases) await registerBundle(app, release);
  await storeSeen(app, '11');
  await createDeployment(app, {
    appBuildId: (await registerBundle(app)).buildId,
    appChannelId: beta.id,
    rolloutPercentage: 0.5,
    maxNativeVersion: 'seen',
  });
  await publishManifest(app, files, { values: { channelName: 'beta', rolloutPercentage: 0.6 } });
  const devices = new Map<string, Record<string, string>>();
  for (const [kind, check] of checks().entries()) {
    for (let number = 0; number < perKind; number++) devices.set(`device-${kind}:${number}~`, check);
  }
  await checkAll(app, devices);
  const forced = [...devices.keys()].filter((_, index) => index % 7 === 3);
  const ids = forced.map(encodeURIComponent).join(',');
  const { status, text } = await app.api.patch(`${app.path}/devices?ids=${ids}`, {
    forcedAppChannelId: beta.id,
  });
  if (status !== 204) throw new Error(text);
  return { app, beta, devices };
}

/** What the update check answers: id of the bundle, or the message of the refusal; by id of the device. */
export async function checkAll(app: TestApp, devices: ReleaseScene['devices']): Promise<Map<string, string>> {
  const answers = await Promise.all(
    [...devices].map(async ([deviceId, check]) => {
      const { status, body, text } = await checkForUpdate(app, { ...check, deviceId });
      if (status !== 200 && status !== 404) throw new Error(text);
      const { bundleId, message } = body as { bundleId?: string; message?: string };
      return [deviceId, bundleId ?? message ?? ''] as const;
    }),
  );
  return new Map(answers);
}
