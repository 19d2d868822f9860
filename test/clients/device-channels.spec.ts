import { generateKeyPairSync } from 'node:crypto';
import { createApp, type TestApp } from '../builders/app.js';
import { createChannel } from '../builders/channel.js';
import { type Published, publishManifest, publishZip } from '../builders/publication.js';
import { AndroidDevice } from '../support/devices/android.js';
import { ElectronDevice } from '../support/devices/electron.js';
import { IosDevice } from '../support/devices/ios.js';

const FILES = { 'index.html': '<h1>Shop</h1>' };

let app: TestApp;

beforeEach(async () => {
  app = await createApp();
});

/** What a device with these settings is offered. */
async function offer(device: AndroidDevice | IosDevice | ElectronDevice): Promise<string | null> {
  const { status, body } = await device.check();
  const answer = JSON.parse(body.toString()) as { bundleId: string; message: string };
  if (status === 200) return answer.bundleId;
  expect({ status, message: answer.message }).toEqual({ status: 404, message: expect.any(String) });
  return null;
}

const publishTo = (channelName: string, values: object = {}): Promise<Published> =>
  publishZip(app, FILES, { values: { channelName, ...values } });

describe('the channel', () => {
  it('is the one that the device asks for, in any case, else the default one', async () => {
    await createChannel(app, { name: 'Beta' });
    const stable = await publishZip(app, FILES);
    const beta = await publishTo('Beta');
    const appId = app.id;
    for (const Device of [AndroidDevice, IosDevice, ElectronDevice]) {
      expect(await offer(new Device({ appId }))).toBe(stable.id);
      expect(await offer(new Device({ appId, channelName: 'default' }))).toBe(stable.id);
      expect(await offer(new Device({ appId, channelName: 'Beta' }))).toBe(beta.id);
      expect(await offer(new Device({ appId, channelName: 'bETA' }))).toBe(beta.id);
      expect(await offer(new Device({ appId, channelName: 'unknown' }))).toBeNull();
    }
  });

  it.each(['release 1', 'release+1', 'a + b', 'Grün & 100% =#?/\\', '日本 😀', "o'clock (new)!"])(
    'may be called %s',
    async (name) => {
      await createChannel(app, { name });
      const { id: bundleId } = await publishTo(name);
      for (const Device of [AndroidDevice, IosDevice, ElectronDevice]) {
        expect(await offer(new Device({ appId: app.id, channelName: name }))).toBe(bundleId);
      }
    },
  );

  it('with a plus sign and the one with a space are different where the device can', async () => {
    await Promise.all(['a b', 'a+b'].map((name) => createChannel(app, { name })));
    const space = await publishTo('a b');
    const plus = await publishTo('a+b');
    const appId = app.id;
    for (const Device of [AndroidDevice, ElectronDevice]) {
      expect(await offer(new Device({ appId, channelName: 'a b' }))).toBe(space.id);
      expect(await offer(new Device({ appId, channelName: 'a+b' }))).toBe(plus.id);
    }
    expect(await offer(new IosDevice({ appId, channelName: 'a b' }))).toBe(space.id);
  });

  it('delivers nothing while it is paused or after it has expired', async () => {
    const { id: paused } = await createChannel(app, { name: 'paused' });
    const { id: expired } = await createChannel(app, { name: 'expired', expiresAt: '2999-01-01T00:00:00Z' });
    const asks = (channelName: string): Promise<string | null> =>
      offer(new AndroidDevice({ appId: app.id, channelName }));
    const inPaused = await publishTo('paused');
    const inExpired = await publishTo('expired');
    expect(await asks('expired')).toBe(inExpired.id);

    await app.api.post(`${app.path}/channels/${paused}/pause`);
    const { status } = await app.api.patch(`${app.path}/channels/${expired}`, {
      expiresAt: Date.now() - 1000,
    });
    expect(status).toBe(200);
    expect(await asks('paused')).toBeNull();
    expect(await asks('expired')).toBeNull();

    await app.api.post(`${app.path}/channels/${paused}/resume`);
    expect(await asks('paused')).toBe(inPaused.id);
  });

  it('that is forced on a device wins over the one that it asks for', async () => {
    const { id: forced } = await createChannel(app, { name: 'forced' });
    const stable = await publishZip(app, FILES);
    const special = await publishTo('forced');
    const device = new AndroidDevice({ appId: app.id, channelName: 'default' });
    expect(await offer(device)).toBe(stable.id);
    const path = `${app.path}/devices/${device.deviceId}`;

    await app.api.patch(path, { forcedAppChannelId: forced });
    expect(await offer(device)).toBe(special.id);
    expect(await offer(new AndroidDevice({ appId: app.id }))).toBe(stable.id);
    expect((await app.api.get(path)).body).toMatchObject({
      appChannelId: app.defaultChannelId,
      forcedAppChannelId: forced,
      appDeploymentId: special.deploymentId,
    });

    await app.api.post(`${app.path}/channels/${forced}/pause`);
    expect(await offer(device)).toBeNull();
    await app.api.delete(`${app.path}/channels/${forced}`);
    expect(await offer(device)).toBe(stable.id);
  });

  it('is missing when the app has no default channel', async () => {
    const stable = await publishZip(app, FILES);
    await app.api.patch(app.path, { appChannelId: null });
    expect(await offer(new AndroidDevice({ appId: app.id }))).toBeNull();
    expect(await offer(new AndroidDevice({ appId: app.id, channelName: 'default' }))).toBe(stable.id);
  });

  it('never delivers what was deployed to another app', async () => {
    const other = await createApp();
    await publishZip(other, FILES);
    expect(await offer(new AndroidDevice({ appId: app.id }))).toBeNull();
  });
});

describe('a rollout', () => {
  const devices = Array.from(
    { length: 60 },
    (_, index) =>
      ({ deviceId: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`, index }) as const,
  );

  async function offers(): Promise<(string | null)[]> {
    return Promise.all(
      devices.map(({ deviceId, index }) => {
        const Device = [AndroidDevice, IosDevice, ElectronDevice][index % 3]!;
        return offer(new Device({ appId: app.id, deviceId }));
      }),
    );
  }

  it('of 0 reaches no device, of 1 every device', async () => {
    const { id: bundleId } = await publishZip(app, FILES, { values: { rolloutPercentage: 1 } });
    expect(new Set(await offers())).toEqual(new Set([bundleId]));
    await publishZip(app, FILES, { values: { rolloutPercentage: 0 } });
    expect(new Set(await offers())).toEqual(new Set([bundleId]));
  });

  it('reaches some, always the same, and keeps them when it grows', async () => {
    const before = await publishZip(app, FILES);
    const { deploymentId, id: bundleId } = await publishZip(app, FILES, {
      values: { rolloutPercentage: 0.3 },
    });
    const first = await offers();
    expect(new Set(first)).toEqual(new Set([before.id, bundleId]));
    expect(await offers()).toEqual(first);

    await app.api.patch(`${app.path}/deployments/${deploymentId}`, { rolloutPercentage: 0.7 });
    const grown = await offers();
    const inside = (all: (string | null)[]): number[] =>
      devices.flatMap(({ index }) => (all[index] === bundleId ? [index] : []));
    expect(inside(grown)).toEqual(expect.arrayContaining(inside(first)));
    expect(inside(grown).length).toBeGreaterThan(inside(first).length);
    expect(inside(grown).length).toBeLessThan(devices.length);
  });

  it('in part does not reach a device without id', async () => {
    const everybody = await publishZip(app, FILES);
    await publishZip(app, FILES, { values: { rolloutPercentage: 0.999999 } });
    expect(await offer(new IosDevice({ appId: app.id, deviceId: '' }))).toBe(everybody.id);
  });
});

describe('native versions', () => {
  it.each([
    ['Android', AndroidDevice, 'Android', '9', '10', '12', '13'],
    ['iOS', IosDevice, 'Ios', '1.0.9', '1.0.10', '1.2', '1.2.1'],
    ['Electron', ElectronDevice, 'Electron', '2.0.0-beta.9', '2.0.0-beta.10', '2.0.0', '2.0.1'],
  ] as const)('bound a build on %s', async (_name, Device, family, below, min, max, above) => {
    const { id: bundleId } = await publishZip(app, FILES, {
      values: {
        [`min${family}AppVersionCode`]: min,
        [`max${family}AppVersionCode`]: max,
      },
    });
    const asks = (appVersionCode: string): Promise<string | null> =>
      offer(new Device({ appId: app.id, appVersionCode }));
    expect(await Promise.all([below, min, max, above, ''].map(asks))).toEqual([
      null,
      bundleId,
      bundleId,
      null,
      null,
    ]);
  });

  it.each([
    ['Android', AndroidDevice, 'Android', '10', '11'],
    ['iOS', IosDevice, 'Ios', '1.0', '1.0.1'],
    ['Electron', ElectronDevice, 'Electron', '1.0.0', '1.0.0-rc.1'],
  ] as const)(
    'exclude the one that contains the code already on %s',
    async (_name, Device, family, eq, other) => {
      const older = await publishZip(app, FILES);
      const { id: bundleId } = await publishZip(app, FILES, {
        values: { [`eq${family}AppVersionCode`]: eq },
      });
      const asks = (appVersionCode: string): Promise<string | null> =>
        offer(new Device({ appId: app.id, appVersionCode }));
      expect(await Promise.all([eq, other].map(asks))).toEqual([older.id, bundleId]);
    },
  );

  it('bound only their own platform', async () => {
    const { id: bundleId } = await publishZip(app, FILES, { values: { minAndroidAppVersionCode: '99' } });
    const appId = app.id;
    expect(await offer(new AndroidDevice({ appId, appVersionCode: '10' }))).toBeNull();
    expect(await offer(new IosDevice({ appId, appVersionCode: '10' }))).toBe(bundleId);
    expect(await offer(new ElectronDevice({ appId, appVersionCode: '10.0.0' }))).toBe(bundleId);
  });

  it('send each device the newest build for it', async () => {
    const builds = [];
    for (const code of ['1', '2', '3']) {
      const values = { minAndroidAppVersionCode: code, maxAndroidAppVersionCode: code };
      builds.push(await publishZip(app, FILES, { values }));
    }
    const asks = (appVersionCode: string): Promise<string | null> =>
      offer(new AndroidDevice({ appId: app.id, appVersionCode }));
    expect(await Promise.all(['1', '2', '3', '4'].map(asks))).toEqual([
      ...builds.map(({ id: bundleId }) => bundleId),
      null,
    ]);
  });
});

describe('a protected channel', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

  it('delivers only what is signed', async () => {
    const unsigned = await publishZip(app, FILES);
    const signed = await publishManifest(app, FILES, { privateKey });
    await publishZip(app, FILES);
    const asks = (): Promise<string | null> => offer(new AndroidDevice({ appId: app.id }));
    await app.api.patch(`${app.path}/channels/${app.defaultChannelId}`, { protected: true });
    expect(await asks()).toBe(signed.id);
    await app.api.delete(`${app.path}/bundles/${signed.id}`);
    expect(await asks()).toBeNull();
    await app.api.patch(`${app.path}/channels/${app.defaultChannelId}`, { protected: false });
    expect(await asks()).not.toBe(unsigned.id);
  });

  it('refuses the publication of an unsigned bundle, which stays unpublished', async () => {
    await createChannel(app, { name: 'production', protected: true });
    await expect(publishTo('production')).rejects.toThrow('protected');
    expect(await offer(new AndroidDevice({ appId: app.id, channelName: 'production' }))).toBeNull();
    expect((await app.api.get(`${app.path}/deployments`)).body).toEqual([]);
  });
});

describe('a manifest', () => {
  it('is not offered to plugins that cannot read it', async () => {
    const zip = await publishZip(app, FILES);
    const manifest = await publishManifest(app, FILES);
    const appId = app.id;
    const offered = await Promise.all([
      offer(new AndroidDevice({ appId, pluginVersion: '6.4.9' })),
      offer(new IosDevice({ appId, pluginVersion: '6.4.0' })),
      offer(new IosDevice({ appId, pluginVersion: '5.10.2' })),
      offer(new ElectronDevice({ appId })),
      offer(new ElectronDevice({ appId, pluginVersion: '8.4.3' })),
      offer(new AndroidDevice({ appId, pluginVersion: '6.5.0' })),
      offer(new IosDevice({ appId, pluginVersion: '6.10.0' })),
    ]);
    expect(offered).toEqual([...Array.from({ length: 5 }, () => zip.id), manifest.id, manifest.id]);
  });

  it('is offered to the Cordova plugin, which counts its versions from 0.1.0', async () => {
    const { id: bundleId } = await publishManifest(app, FILES);
    const appId = app.id;
    for (const Device of [AndroidDevice, IosDevice]) {
      expect(await offer(new Device({ appId, pluginVersion: '0.1.0', runtime: 'cordova' }))).toBe(bundleId);
      expect(await offer(new Device({ appId, pluginVersion: '0.1.0' }))).toBeNull();
    }
  });

  it('is no update where there is nothing else', async () => {
    await publishManifest(app, FILES);
    expect(await offer(new ElectronDevice({ appId: app.id }))).toBeNull();
  });
});
