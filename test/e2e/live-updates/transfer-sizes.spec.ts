import { randomUUID } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle, type TestBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { checkForUpdate } from '../../builders/device.js';
import { publishManifest, publishZip } from '../../builders/publication.js';
import { rawGet } from '../../support/devices/raw-get.js';
import { eventually } from '../../support/eventually.js';
import { getDelta } from '../../support/live-updates/deltas.js';
import { largeText } from '../../support/live-updates/large-texts.js';
import { MANIFEST } from '../../support/live-updates/uploads.js';

const first = {
  'index.html': 'first',
  'assets/app.js': largeText(20_000),
  'assets/vendor.js': largeText(40_000),
};
const second = { ...first, 'index.html': 'second' };
const third = { ...second, 'assets/app.js': largeText(20_000) };

let app: TestApp;

beforeEach(async () => {
  app = await createApp();
});

async function check(
  devices: readonly string[],
  query: Readonly<Record<string, string>> = {},
): Promise<void> {
  for (const deviceId of devices) {
    expect((await checkForUpdate(app, { ...query, deviceId })).status).toBe(200);
  }
}
const devices = (count: number): string[] => Array.from({ length: count }, () => randomUUID());
const sizesOf = async ({ deploymentId }: TestBundle) => {
  const { status, body } = await app.api.get(`${app.path}/deployments/${deploymentId}/transfer-sizes`);
  expect(status).toBe(200);
  return body;
};
const bytesOf = async ({ id: bundleId }: TestBundle, hrefs: readonly string[], encoding = 'identity') => {
  const lengths = hrefs.map(async (href) => {
    const target = `${app.path}/bundles/${bundleId}/download?href=${encodeURIComponent(href)}`;
    const { headers } = await rawGet(app.api.origin, target, { 'Accept-Encoding': encoding });
    return Number(headers['content-length']);
  });
  return (await Promise.all(lengths)).reduce((sum, length) => sum + length, 0);
};

it('reports what devices on each older bundle fetch, and how many they are', async () => {
  const one = await publishManifest(app, first);
  await check(devices(3));
  const two = await publishManifest(app, second);
  await check(devices(2));
  const three = await publishManifest(app, third);
  await check(devices(1));
  await eventually(async () => {
    const all = [...Object.keys(third), MANIFEST];
    const { full } = await sizesOf(three);
    expect(full.brotliSizeInBytes).toBeLessThan(full.filesSizeInBytes / 10);
    expect(full).toEqual({
      zipSizeInBytes: null,
      files: 4,
      filesSizeInBytes: await bytesOf(three, all),
      brotliSizeInBytes: await bytesOf(three, all, 'br'),
      gzipSizeInBytes: await bytesOf(three, all, 'gzip'),
    });
  });
  const fromTwo = ['assets/app.js', MANIFEST];
  const fromOne = ['index.html', ...fromTwo];
  const row = async (of: TestBundle, buildNumber: number, count: number, hrefs: string[]) => ({
    bundleId: of.id,
    buildNumber,
    devices: count,
    channelDevices: count,
    zipSizeInBytes: null,
    files: hrefs.length,
    filesSizeInBytes: await bytesOf(three, hrefs),
    brotliSizeInBytes: await bytesOf(three, hrefs, 'br'),
    gzipSizeInBytes: await bytesOf(three, hrefs, 'gzip'),
    deltaSizeInBytes: await bytesOf(three, hrefs),
    deltaIsEstimated: true,
  });
  const sizes = await sizesOf(three);
  expect(sizes).toMatchObject({
    deploymentId: three.deploymentId,
    bundleId: three.id,
    artifactType: 'manifest',
    updates: [await row(two, 2, 2, fromTwo), await row(one, 1, 3, fromOne)],
  });
  expect(sizes.updates).toHaveLength(2);

  const { body } = await getDelta(app.api.origin, app.path, three.id, `from=${one.id}`);
  expect((await sizesOf(three)).updates).toMatchObject([
    { deltaIsEstimated: true },
    { deltaSizeInBytes: body.length, deltaIsEstimated: false },
  ]);
});

it('counts the devices of the channel apart', async () => {
  await createChannel(app, { name: 'beta' });
  const beta = await publishManifest(app, first, { values: { channelName: 'beta' } });
  await check(devices(2), { channelName: 'beta' });
  const next = await publishManifest(app, second);
  expect((await sizesOf(next)).updates).toMatchObject([{ bundleId: beta.id, devices: 2, channelDevices: 0 }]);
});

it('reports the size of a zip, which every device fetches', async () => {
  const old = await publishManifest(app, first);
  await check(devices(1));
  const zip = await publishZip(app, second);
  const { headers } = await rawGet(app.api.origin, `${app.path}/bundles/${zip.id}/download`);
  const size = {
    zipSizeInBytes: Number(headers['content-length']),
    files: null,
    filesSizeInBytes: null,
    brotliSizeInBytes: null,
    gzipSizeInBytes: null,
  };
  const none = { deltaSizeInBytes: null, deltaIsEstimated: null };
  const sizes = await sizesOf(zip);
  expect(sizes).toMatchObject({ artifactType: 'zip', full: size });
  expect(sizes.updates).toMatchObject([{ bundleId: old.id, devices: 1, ...size, ...none }]);

  await check(devices(1));
  const manifest = await publishManifest(app, second);
  const { full, updates } = await sizesOf(manifest);
  expect(updates).toMatchObject([{ bundleId: zip.id, devices: 1, ...full, ...none }, { bundleId: old.id }]);
});

it('does not know the size of a zip that is hosted elsewhere', async () => {
  const bundle = await registerBundle(app);
  expect(await sizesOf(bundle)).toMatchObject({
    bundleId: bundle.id,
    artifactType: 'zip',
    full: { zipSizeInBytes: null },
    updates: [],
  });
});

it('is not found in another app', async () => {
  const one = await publishManifest(app, first);
  const other = await createApp();
  const { status, body } = await other.api.get(
    `${other.path}/deployments/${one.deploymentId}/transfer-sizes`,
  );
  expect([status, body.code]).toEqual([404, 'deployment_not_found']);
});
