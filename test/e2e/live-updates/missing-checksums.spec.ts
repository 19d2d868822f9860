import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { checkForUpdate, createDevice } from '../../builders/device.js';
import { rawGet } from '../../support/devices/raw-get.js';
import { SIGNATURE } from '../../support/live-updates/uploads.js';

const CHECKSUM = '0'.repeat(64);
/** A device that needs a checksum. */
const OLD = { pluginVersion: '7.3.9' };

let app: TestApp;
beforeEach(async () => {
  app = await createApp();
});

const offered = async (query: Readonly<Record<string, string>>): Promise<string | null> => {
  const { status, body } = await checkForUpdate(app, query);
  return status === 200 ? (body as { bundleId: string }).bundleId : null;
};

const remediesFor = async (query: Readonly<Record<string, string>>): Promise<unknown[]> => {
  const parameters = new URLSearchParams({ platform: '0', appVersionCode: '10', ...query });
  const { body } = await app.api.get(`${app.path}/decision?${parameters}`);
  return (body as { goals: { remedies: unknown[] }[] }).goals.flatMap(({ remedies }) => remedies);
};

describe('a registered bundle without a checksum', () => {
  it('is withheld from devices that cannot install it, which keep what they run', async () => {
    const older = await registerBundle(app, { checksum: CHECKSUM });
    const running = await registerBundle(app, { checksum: CHECKSUM });
    const { id } = await registerBundle(app);
    expect(await offered({ ...OLD, bundleId: running.id })).toBe(running.id);
    expect(await offered({ ...OLD, bundleId: older.id })).toBe(running.id);
    expect(await offered({ ...OLD, bundleId: 'unknown' })).toBeNull();
    expect(await offered({ ...OLD, bundleId: id })).toBe(id);
    expect(await offered({ ...OLD, runtime: 'cordova' })).toBe(id);
    expect(await offered({ ...OLD, platform: '1' })).toBe(id);
    for (const pluginVersion of ['6.7.0', '6.8.0', '7.1.0', '7.2.2', '7.3.9-beta'])
      expect(await offered({ pluginVersion })).toBe(running.id);
    for (const pluginVersion of ['6.6.9', '7', '7.0.9', '7.4.0', '8.4.3', '', 'abc'])
      expect(await offered({ pluginVersion })).toBe(id);
  });

  it('is offered if it is signed', async () => {
    const { id } = await registerBundle(app, { signature: SIGNATURE });
    expect(await offered(OLD)).toBe(id);
  });

  it('is withheld on the fast path and in Express', async () => {
    await registerBundle(app);
    for (const latest of ['latest', 'Latest']) {
      const target = `${app.path}/bundles/${latest}?platform=0&pluginVersion=7.3.9`;
      const { status, body } = await rawGet(app.api.origin, target);
      expect([status, JSON.parse(body.toString())]).toMatchObject([404, { code: 'no_update' }]);
    }
  });

  it('comes at once when it is registered again with its checksum, and cannot get one afterwards', async () => {
    const bundle = await registerBundle(app);
    await app.api.patch(bundle.path, { checksum: CHECKSUM });
    expect(await offered(OLD)).toBeNull();
    const { id } = await registerBundle(app, { checksum: CHECKSUM });
    expect(await offered(OLD)).toBe(id);
  });

  it('is explained with what to do, unless a signature is required in any case', async () => {
    const { id } = await registerBundle(app);
    expect(await remediesFor(OLD)).toEqual([
      {
        remedy: 'register-checksum',
        target: 'bundle',
        id,
        required: 'checksum',
        actual: null,
        message:
          'The bundle must be registered again with its checksum, or the plugin be 7.4.0 or newer: the device has 7.3.9.',
      },
    ]);
    expect(await remediesFor({ pluginVersion: '7.4.0' })).toEqual([]);
    await app.api.patch(`${app.path}/channels/${app.defaultChannelId}`, { protected: true });
    expect(await remediesFor(OLD)).toMatchObject([{ remedy: 'sign-bundle' }]);
  });

  it('is counted in simulations', async () => {
    await createChannel(app, { name: 'beta' });
    for (const pluginVersion of ['7.3.9', '7.4.0']) await createDevice(app, { pluginVersion });
    const { buildId } = await registerBundle(app, { channelName: 'beta' });
    const { body } = await app.api.post(`${app.path}/simulations`, {
      change: 'deploy',
      appBuildId: buildId,
      appChannelId: app.defaultChannelId,
    });
    expect(body).toMatchObject({
      total: { receiving: 1, excluded: [{ reason: 'missing-checksum', devices: 1 }] },
    });
  });
});
