import pg from 'pg';
import { createApp, type TestApp } from '../../builders/app.js';
import { createDeployment } from '../../builders/deployment.js';
import { checkForUpdate, createDevice } from '../../builders/device.js';
import { publishZip } from '../../builders/publication.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError } from '../../support/http/expect-error.js';
import { retentionOf } from '../../support/live-updates/retention.js';
import {
  createDestination,
  createReleaseBuild,
  type StoreDeployment,
} from '../../support/stores/store-builds.js';

let app: TestApp;
let client: pg.Client;
let announced: string[] = [];
let ofChannel: { id: string };

beforeAll(async () => {
  app = await createApp();
  const bundle = await publishZip(app, { 'index.html': '<html>1' });
  ofChannel = await createDeployment(app, { appBuildId: bundle.buildId, appChannelId: app.defaultChannelId });
  client = new pg.Client({ connectionString: testEnvironment().databaseUrl });
  await client.connect();
  client.on('notification', ({ channel, payload }) => {
    if (payload === app.id) announced.push(channel);
  });
  await client.query('LISTEN releases; LISTEN empty_channels');
});
afterAll(() => client.end());

/** What devices and people see of live updates. */
async function seen(): Promise<unknown> {
  const read = async (path: string): Promise<unknown> => (await app.api.get(`${app.path}${path}`)).body;
  const { body } = await checkForUpdate(app, { deviceId: '7a4f5c9e-3c29-4d27-9a26-0d5d0a3c9a11' });
  return {
    check: body as unknown,
    channels: await read('/channels?relations=appDeployment'),
    retention: await retentionOf(app),
    bundles: await read('/bundle-retention/bundles'),
    adoption: await read(`/insights/deployments/${ofChannel.id}/adoption`),
    active: await read('/insights/active-devices'),
    health: await read(`/deployments/${ofChannel.id}/health`),
    transfer: await read(`/deployments/${ofChannel.id}/transfer-sizes`),
    list: await read(`/deployments?appChannelId=${app.defaultChannelId}`),
  };
}

async function simulate(): Promise<unknown> {
  const body = { change: 'rollout', appDeploymentId: ofChannel.id, rolloutPercentage: 0.5 };
  const response = await app.api.post(`${app.path}/simulations`, body);
  const { simulatedAt, seenSince, ...simulated } = response.body as Record<string, unknown>;
  expect([simulatedAt, seenSince]).toEqual([expect.any(String), expect.any(String)]);
  return simulated;
}

async function submit(): Promise<StoreDeployment & { appBuildId: string }> {
  const { id: appDestinationId } = await createDestination(app);
  const appBuildId = await createReleaseBuild(app);
  return expectCreated(await app.api.post(`${app.path}/deployments`, { appBuildId, appDestinationId }));
}

it('devices see nothing of a deployment to a store', async () => {
  await createDevice(app);
  // Build files of tests are uploaded as a bundle first.
  await submit();
  await seen();
  const [before, simulated] = [await seen(), await simulate()];
  const { id: appDestinationId } = await createDestination(app);
  const appBuildId = await createReleaseBuild(app);
  await client.query('SELECT 1');
  announced = [];
  const deployment = expectCreated<StoreDeployment>(
    await app.api.post(`${app.path}/deployments`, { appBuildId, appDestinationId }),
  );
  const renamed = await app.api.patch(`${app.path}/builds/${appBuildId}`, { displayName: 'Shop' });
  expect(renamed.status).toBe(200);
  await client.query('DELETE FROM deployments WHERE id = $1', [deployment.id]);
  await client.query('SELECT 1');
  expect(announced).toEqual([]);
  expect(await seen()).toEqual(before);
  expect(await simulate()).toEqual(simulated);
  expect(before).toMatchObject({ check: { bundleId: expect.any(String) as string } });
  // What devices get is announced as before.
  await app.api.patch(`${app.path}/deployments/${ofChannel.id}`, { rolloutPercentage: 0.99 });
  await client.query('SELECT 1');
  expect(announced).toEqual(['releases']);
});

it('what is for channels is a 400 for a deployment to a store', async () => {
  const { id, appBuildId } = await submit();
  const path = `${app.path}/deployments/${id}`;
  const simulation = { change: 'rollout', appDeploymentId: id, rolloutPercentage: 0.5 };
  for (const response of [
    await app.api.get(`${path}/health`),
    await app.api.get(`${path}/transfer-sizes`),
    await app.api.get(`${app.path}/insights/deployments/${id}/adoption`),
    await app.api.post(`${app.path}/simulations`, simulation),
  ]) {
    expectError(response, 400, 'deployment_to_store');
  }
  const simulated = await app.api.post(`${app.path}/simulations`, {
    change: 'deploy',
    appBuildId,
    appChannelId: app.defaultChannelId,
  });
  expect(simulated.status).toBe(400);
});
