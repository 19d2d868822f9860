import assert from 'node:assert/strict';
import type { Api } from './api.ts';
import { Device, type Installation, type Update } from './device.ts';
import { bytes, fact, note, step } from './print.ts';
import { uploadManifest, uploadZip } from './upload.ts';
import { makeWebApp, MANIFEST, sizeOf, zip } from './web-app.ts';

const CHANNEL = 'production';

/**
 * A live update from the first app to a device that is up to date.
 *
 * @throws Error when anything is not as it should be
 */
export async function play(api: Api): Promise<void> {
  const appId = await createApp(api);
  const device = new Device(api.origin, appId, CHANNEL);

  step('A device asks before anything was published');
  assert.equal(await device.check(), null, 'there is no update yet');
  fact(`device ${device.id} gets no update: 404`);

  const first = makeWebApp('Hello');
  step('Version 1 is published as a zip');
  const { bundle, sentBytes } = await uploadZip(api, appId, CHANNEL, first);
  fact(`${first.size} files, ${bytes(sizeOf(first))}, in a zip of ${bytes(sentBytes)}: bundle ${bundle.id}`);
  await update(device, bundle.id);

  step('The same version is published as a manifest with single files');
  const asFiles = await uploadManifest(api, appId, CHANNEL, first);
  fact(`${first.size} files and ${MANIFEST}, ${bytes(asFiles.sentBytes)}: bundle ${asFiles.bundle.id}`);
  const whole = await update(device, asFiles.bundle.id);
  assert.equal(whole.downloads.length, first.size + 1, 'without a manifest of its own it needs every file');

  const second = makeWebApp('Hello again');
  step('Version 2 changes one small file');
  const changed = await uploadManifest(api, appId, CHANNEL, second);
  fact(`only assets/texts.json is different: bundle ${changed.bundle.id}`);
  const delta = await update(device, changed.bundle.id);
  assert.deepEqual([...delta.downloads], [MANIFEST, 'assets/texts.json'], 'it needs the changed file only');

  step('What the delta saved');
  const zipBytes = (await zip(second)).length;
  const saved = zipBytes - delta.receivedBytes;
  assert.ok(delta.receivedBytes < zipBytes / 100, 'the delta is less than a hundredth of the zip');
  fact(`as a zip:     ${bytes(zipBytes)}`);
  fact(`as a delta:   ${bytes(delta.receivedBytes)} (manifest and changed file)`);
  fact(`saved:        ${bytes(saved)}, ${((100 * saved) / zipBytes).toFixed(1)} % of the download`);

  await showDevice(api, appId, device, changed.bundle.appDeploymentId);
}

async function createApp(api: Api): Promise<string> {
  step('An app and a channel');
  const { email } = await api.get<{ email: string }>('/v1/users/me');
  note(`The token of the first start belongs to ${email}.`);
  const app = await api.post<{ id: string; name: string }>('/v1/apps', { name: 'Shop' });
  fact(`app ${app.name}: ${app.id}`);
  const channels = `/v1/apps/${app.id}/channels`;
  const channel = await api.post<{ id: string; name: string }>(channels, { name: CHANNEL });
  const names = (await api.get<{ name: string }[]>(channels)).map(({ name }) => name);
  assert.deepEqual(names, ['default', CHANNEL], 'the app has its default channel and the new one');
  fact(`channel ${channel.name}: ${channel.id}, beside the channel default that every app has`);
  return app.id;
}

/** The device asks, downloads, verifies, and asks again. */
async function update(device: Device, bundleId: string): Promise<Installation> {
  const offer = await ask(device);
  assert.equal(offer.bundleId, bundleId, 'the newest bundle is offered');
  assert.equal(device.runs(offer), false, 'the device does not run it yet');
  fact(`the device is offered it as a ${offer.artifactType}`);
  const installation = await device.install(offer);
  const files = installation.downloads.length === 1 ? '1 file' : `${installation.downloads.length} files`;
  fact(`it downloads ${files}, ${bytes(installation.receivedBytes)}; every checksum is right`);
  if (installation.reusedBytes > 0) fact(`it keeps ${bytes(installation.reusedBytes)} that it has already`);
  assert.equal(device.runs(await ask(device)), true, 'the device is up to date');
  fact('it asks again and is up to date');
  return installation;
}

async function ask(device: Device): Promise<Update> {
  const offer = await device.check();
  assert.ok(offer, 'there is a bundle for the device');
  assert.equal(offer.channelName, CHANNEL, 'it comes from the channel that the device asked for');
  return offer;
}

async function showDevice(
  api: Api,
  appId: string,
  device: Device,
  deploymentId: string | null,
): Promise<void> {
  step('What the team sees');
  const seen = await api.get<{ appDeploymentId: string | null; lastSeenAt: string }>(
    `/v1/apps/${appId}/devices/${device.id}`,
  );
  assert.equal(seen.appDeploymentId, deploymentId, 'the device was last offered the newest deployment');
  fact(`device ${device.id}, last seen ${seen.lastSeenAt}, was offered deployment ${seen.appDeploymentId}`);
  const deployments = await api.get<object[]>(`/v1/apps/${appId}/deployments`);
  assert.equal(deployments.length, 3, 'there are three deployments');
  fact(`${deployments.length} deployments; any of them can be deployed again as a rollback`);
}
