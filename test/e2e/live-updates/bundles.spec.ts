import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle, registerBundle, type TestBundle } from '../../builders/bundle.js';
import { createDevice } from '../../builders/device.js';
import { createMember } from '../../builders/identities.js';
import { createToken } from '../../builders/token.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { publish, uploadFiles } from '../../support/live-updates/uploads.js';

let app: TestApp;
let registered: TestBundle;
let pending: TestBundle;
let published: TestBundle;
let path: string;

beforeAll(async () => {
  app = await createApp();
  path = `${app.path}/bundles`;
  registered = await registerBundle(app);
  pending = await createBundle(app, { artifactType: 'zip', expiresAt: '2040-01-01T00:00:00.000Z' });
  published = await createBundle(app);
  await uploadFiles(published, { 'index.html': '<html>' });
  expect((await publish(published)).status).toBe(200);
});

const list = async (search = ''): Promise<{ id: string }[]> => {
  const { status, body } = await app.api.get(`${path}?${search}`);
  expect(status).toBe(200);
  return body as { id: string }[];
};
const ids = async (search = ''): Promise<string[]> => (await list(search)).map(({ id }) => id);

describe('bundles', () => {
  it('are listed newest first, each as it is alone', async () => {
    const all = await list();
    expect(all.map(({ id }) => id)).toEqual([published.id, pending.id, registered.id]);
    for (const bundle of all) expect((await app.api.get(`${path}/${bundle.id}`)).body).toEqual(bundle);
    expect(all).toMatchObject([
      { artifactType: 'manifest', artifactStatus: 'ready', warnings: [], pendingCompressions: null },
      {
        appBuildId: pending.buildId,
        appDeploymentId: null,
        artifactType: 'zip',
        artifactStatus: 'pending',
        expiresAt: '2040-01-01T00:00:00.000Z',
      },
      { appBuildId: registered.buildId, appDeploymentId: registered.deploymentId, artifactStatus: 'ready' },
    ]);
  });

  it('are paged and filtered', async () => {
    const { headers, body } = await app.api.get(`${path}?limit=1&offset=1`);
    expect(body).toMatchObject([{ id: pending.id }]);
    expect(headers['x-total-count']).toBe('3');
    expect(await ids('artifactStatus=ready')).toEqual([published.id, registered.id]);
    expect(await ids('artifactStatus=pending')).toEqual([pending.id]);
    expect(await ids(`appBuildId=${registered.buildId}`)).toEqual([registered.id]);
    expect(await ids(`appBuildId=${registered.buildId}&artifactStatus=pending`)).toEqual([]);
    expect(await ids(`query=${published.id.slice(20).toUpperCase()}`)).toEqual([published.id]);
    expect(await ids(`query=${published.id}&artifactStatus=ready`)).toEqual([published.id]);
    expect(await ids('query=&artifactStatus=&appBuildId=')).toHaveLength(3);
    expectInvalid(await app.api.get(`${path}?artifactStatus=done`), 'artifactStatus');
    expectInvalid(await app.api.get(`${path}?appBuildId=1`), 'appBuildId');
  });

  it('are those of the app, for all who may read its builds', async () => {
    const other = await createApp(app.tenant);
    expect((await app.api.get(`${other.path}/bundles`)).body).toEqual([]);
    expectError(await app.api.get(`${other.path}/bundles/${registered.id}`), 404, 'bundle_not_found');
    const viewer = await createMember(app.tenant, 'viewer');
    expect((await viewer.api.get(path)).status).toBe(200);
    const devices = await createToken(app.api, { permissions: ['devices:read'] });
    expectError(await devices.api.get(path), 403);
    expectError(await devices.api.get(`${path}/${registered.id}`), 403);
  });

  it('are not in the way of update checks, which have a path that looks like an id', async () => {
    const probe = await app.api.get(`${path}/latest?platform=0&pluginVersion=8.4.3`);
    expect(probe.status).toBe(200);
    expect(probe.body).toMatchObject({ bundleId: published.id });
    await createDevice(app);
    expectError(await app.api.get(`${path}/newest`), 404, 'bundle_not_found');
  });
});
