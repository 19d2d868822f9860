import { randomBytes } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import type { Response } from 'supertest';
import { createApp, type TestApp } from '../../builders/app.js';
import { checkForUpdate } from '../../builders/device.js';
import { createMember, createTenant, type Tenant } from '../../builders/identities.js';
import { publishZip, uploadBundle } from '../../builders/publication.js';
import { assignApp, assignMember, createTeam } from '../../builders/team.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { zipOf } from '../../support/live-updates/archives.js';
import { Cli } from '../../support/processes/cli.js';
import { sha256 } from '../../support/sha256.js';

/** Makes the owner of a tenant an admin of another one. */
async function befriend(tenant: Tenant, other: Tenant, role = 'admin'): Promise<void> {
  await query(
    testEnvironment().databaseUrl,
    'INSERT INTO members (id, organization_id, user_id, role) VALUES ($1, $2, $3, $4)',
    [uuid(), other.organizationId, tenant.owner.userId, role],
  );
}

const transfer = (app: TestApp, target: Tenant, api = app.api): Promise<Response> =>
  api.post(`${app.path}/transfer`, { organizationId: target.organizationId });

/** Uploads a zip and publishes it. @returns the id of the bundle */
const upload = async (app: TestApp, bytes: Buffer): Promise<string> => (await publishZip(app, bytes)).id;

async function expectDownload(app: TestApp, bundleId: string, bytes: Buffer): Promise<void> {
  const device = new Api(app.api.origin, null);
  const response = await device
    .request('get', `${app.path}/bundles/${bundleId}/download`)
    .buffer(true)
    .parse((incoming, done) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => done(null, Buffer.concat(chunks)));
    });
  expect(response.status).toBe(200);
  expect(sha256(response.body as Buffer)).toBe(sha256(bytes));
}

describe('the transfer of an app', () => {
  it('moves it with everything in it, unnoticed by devices', async () => {
    const app = await createApp();
    const target = await createTenant();
    await befriend(app.tenant, target);
    const bundle = await uploadBundle(app);
    const colleague = await createMember(app.tenant, 'member');
    expect((await colleague.api.get(app.path)).status).toBe(200);

    const response = await transfer(app, target);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ id: app.id, organizationId: target.organizationId });
    expect((await target.owner.api.get('/v1/apps')).body).toMatchObject([{ id: app.id }]);
    expectError(await colleague.api.get(app.path), 404, 'app_not_found');
    const left = await app.api.get(`/v1/apps?organizationId=${app.tenant.organizationId}`);
    expect(left.body).toEqual([]);

    expect((await checkForUpdate(app, { deviceId: uuid() })).body).toMatchObject({ bundleId: bundle.id });
    await expectDownload(app, bundle.id, bundle.bytes);
    const deployments = await target.owner.api.get(`${app.path}/deployments`);
    expect(deployments.body).toMatchObject([{ id: bundle.deploymentId }]);
    // The request that is sent again because its answer was lost.
    expect((await transfer(app, target)).body).toMatchObject({ organizationId: target.organizationId });
  });

  it('leaves bytes that apps share where all of them find them, also for later uploads', async () => {
    const zip = (): Promise<Buffer> => zipOf({ 'index.html': randomBytes(3000) });
    const [shared, later] = [await zip(), await zip()];
    const app = await createApp();
    const sibling = await createApp(app.tenant);
    const target = await createTenant();
    const local = await createApp(target);
    await befriend(app.tenant, target);
    const bundles: [TestApp, string, Buffer][] = [
      [app, await upload(app, shared), shared],
      [sibling, await upload(sibling, shared), shared],
      [local, await upload(local, shared), shared],
    ];
    expect((await transfer(app, target)).status).toBe(200);
    for (const each of [app, sibling, local]) {
      bundles.push([each, await upload(each, shared), shared]);
      bundles.push([each, await upload(each, later), later]);
    }
    for (const [of, id, bytes] of bundles) await expectDownload(of, id, bytes);

    // What an app brought along outlives the organization that it came from.
    expect((await app.tenant.owner.api.delete(`/v1/organizations/${app.tenant.organizationId}`)).status).toBe(
      204,
    );
    for (const [of, id, bytes] of bundles) {
      if (of !== sibling) await expectDownload(of, id, bytes);
    }
    await expectDownload(app, await upload(app, shared), shared);
  });

  it('takes it out of the teams of its former organization', async () => {
    const app = await createApp();
    const target = await createTenant();
    await befriend(app.tenant, target);
    const team = await createTeam(app.tenant);
    const member = await createMember(app.tenant, 'member');
    await assignApp(app.tenant, team, app.id);
    await assignMember(app.tenant, team, member.memberId);
    expect((await transfer(app, target)).status).toBe(200);
    expect((await app.api.get(`${team.path}?relations=apps`)).body).toMatchObject({
      teamApps: [],
      totalTeamApps: 0,
    });
    expectError(await app.api.post(`${team.path}/apps`, { appId: app.id }), 404, 'app_not_found');
    expectError(await member.api.get(app.path), 404, 'app_not_found');
    await befriend(target, app.tenant);
    expect((await transfer(app, app.tenant, target.owner.api)).status).toBe(200);
    expectError(await member.api.get(app.path), 404, 'app_not_found');
  });

  it('needs the right to write apps on both sides', async () => {
    const app = await createApp();
    const target = await createTenant();
    expectError(await transfer(app, target), 404, 'organization_not_found');
    const outsider = await createTenant();
    await befriend(app.tenant, outsider, 'member');
    expectError(await transfer(app, outsider), 403, 'not_authorized');
    const member = await createMember(app.tenant, 'member');
    expectError(await transfer(app, target, member.api), 403, 'not_authorized');
    expectError(await transfer(app, target, target.owner.api), 404, 'app_not_found');
    for (const organizationId of [undefined, null, 'x', 5]) {
      expectInvalid(await app.api.post(`${app.path}/transfer`, { organizationId }), 'organizationId');
    }
    const unknown = await app.api.post(`${app.path}/transfer`, { organizationId: uuid() });
    expectError(unknown, 404, 'organization_not_found');
    expect((await app.api.get(app.path)).body).toMatchObject({ organizationId: app.tenant.organizationId });
  });

  it('and an assignment to a team at the same time leave nothing behind', async () => {
    for (let round = 0; round < 8; round++) {
      const app = await createApp();
      const target = await createTenant();
      await befriend(app.tenant, target);
      const team = await createTeam(app.tenant);
      const [moved, assigned] = await Promise.all([
        transfer(app, target),
        app.api.post(`${team.path}/apps`, { appId: app.id }),
      ]);
      expect(moved.status).toBe(200);
      expect([201, 404]).toContain(assigned.status);
      expect((await app.api.get(team.path)).body).toMatchObject({ totalTeamApps: 0 });
    }
  });

  it('to several organizations at once goes to one of them', async () => {
    const app = await createApp();
    const targets = await Promise.all([createTenant(), createTenant(), createTenant()]);
    for (const target of targets) await befriend(app.tenant, target);
    const answers = await Promise.all(targets.map((target) => transfer(app, target)));
    for (const { status } of answers) expect([200, 404]).toContain(status);
    const { organizationId } = (await app.api.get(app.path)).body as { organizationId: string };
    const winners = answers.filter(({ status }) => status === 200).map(({ body }) => body as object);
    expect(winners).toContainEqual(expect.objectContaining({ organizationId }));
  });

  it('is what the command-line tool does', async () => {
    const app = await createApp();
    const target = await createTenant();
    await befriend(app.tenant, target);
    const cli = await Cli.create(app.tenant.owner.token);
    const args = ['--app-id', app.id, '--organization-id', target.organizationId, '--yes'];
    const { exitCode, stderr } = await cli.run('apps:transfer', ...args);
    expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect((await app.api.get(app.path)).body).toMatchObject({ organizationId: target.organizationId });
  });
});
