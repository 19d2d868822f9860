import { randomBytes } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle, registerBundle, type TestBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { createDeployment, makePending } from '../../builders/deployment.js';
import { createDevice } from '../../builders/device.js';
import { createActor, createMember, createTenant } from '../../builders/identities.js';
import { uploadBundle } from '../../builders/publication.js';
import { putPlan } from '../../builders/rollout-plan.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { reasons, retainedBundles, retentionOf } from '../../support/live-updates/retention.js';
import * as bundles from '../../support/live-updates/uploads.js';
import { auditEvents } from '../../support/organizations/audit-log.js';

const keep = (app: TestApp, bundleRetentionCount: number | null) =>
  app.api.patch(app.path, { bundleRetentionCount });

/** Bundles that were deployed one after the other. */
async function release(app: TestApp, count: number, values: object = {}): Promise<TestBundle[]> {
  const released: TestBundle[] = [];
  for (let i = 0; i < count; i++) released.push(await registerBundle(app, values));
  return released;
}

/** Why the given bundles are kept. */
async function reasonsOf(
  app: TestApp,
  ofWhich: readonly TestBundle[],
): Promise<(string | null | undefined)[]> {
  const all = await reasons(app);
  return ofWhich.map(({ id }) => all[id]);
}

describe('the settings of retention', () => {
  it('are off, then what is set, for the app and for a channel', async () => {
    const app = await createApp();
    const channel = await createChannel(app, { bundleRetentionCount: 7 });
    const path = `${app.path}/channels/${channel.id}`;
    expect((await app.api.get(app.path)).body).toMatchObject({ bundleRetentionCount: null });
    expect((await app.api.get(path)).body).toMatchObject({ bundleRetentionCount: 7 });
    for (const bundleRetentionCount of [1, 1000, null]) {
      expect((await keep(app, bundleRetentionCount)).body).toMatchObject({ bundleRetentionCount });
      expect((await app.api.patch(path, { bundleRetentionCount })).body).toMatchObject({
        bundleRetentionCount,
      });
    }
    expect((await app.api.patch(path, { protected: false })).body).toMatchObject({
      bundleRetentionCount: null,
    });
  });

  it('must be whole numbers from 1 to 1000', async () => {
    const app = await createApp();
    for (const bundleRetentionCount of [0, -1, 1.5, 1001, '3', true, []]) {
      expectInvalid(await keep(app, bundleRetentionCount as number), 'bundleRetentionCount');
      const path = `${app.path}/channels/${app.defaultChannelId}`;
      expectInvalid(await app.api.patch(path, { bundleRetentionCount }), 'bundleRetentionCount');
      expectInvalid(
        await app.api.post(`${app.path}/channels`, { name: 'qa', bundleRetentionCount }),
        'bundleRetentionCount',
      );
    }
  });

  it('are in the audit log', async () => {
    const app = await createApp();
    await keep(app, 3);
    const events = await auditEvents(app.tenant, 'objectType=app');
    expect(events.at(-1)).toMatchObject({
      before: { bundleRetentionCount: null },
      after: { bundleRetentionCount: 3 },
    });
  });
});

describe('retention keeps', () => {
  it('everything while it is off', async () => {
    const app = await createApp();
    const released = await release(app, 4);
    expect(await reasonsOf(app, released)).toEqual(['no-retention', 'no-retention', 'rollback', 'delivered']);
    expect(await retentionOf(app)).toMatchObject({
      bundleRetentionCount: null,
      graceDays: 7,
      expiringBundles: 0,
    });
  });

  it('the newest, and what a rollback of the newest leads to', async () => {
    const app = await createApp();
    const released = await release(app, 5);
    await keep(app, 1);
    expect(await reasonsOf(app, released)).toEqual([null, null, null, 'rollback', 'delivered']);
    await keep(app, 4);
    expect(await reasonsOf(app, released)).toEqual([null, 'newest', 'newest', 'rollback', 'delivered']);
  });

  it('the newest builds, however often one of them was deployed', async () => {
    const app = await createApp();
    const released = await release(app, 4);
    for (let i = 0; i < 3; i++) await createDeployment(app, { appBuildId: released[3]?.buildId });
    await createDeployment(app, { appBuildId: released[0]?.buildId });
    await keep(app, 3);
    expect(await reasonsOf(app, released)).toEqual(['delivered', null, 'newest', 'rollback']);
  });

  it('as many as each channel says', async () => {
    const app = await createApp();
    await keep(app, 1);
    const many = await createChannel(app, { bundleRetentionCount: 3 });
    const both = await release(app, 4);
    for (const { buildId } of both)
      await createDeployment(app, { appBuildId: buildId, appChannelId: many.id });
    expect(await reasonsOf(app, both)).toEqual([null, 'newest', 'rollback', 'delivered']);
    await app.api.patch(`${app.path}/channels/${many.id}`, { bundleRetentionCount: null });
    expect(await reasonsOf(app, both)).toEqual([null, null, 'rollback', 'delivered']);
    await keep(app, null);
    await app.api.patch(`${app.path}/channels/${many.id}`, { bundleRetentionCount: 1 });
    expect(await reasonsOf(app, both)).toEqual(['no-retention', 'no-retention', 'rollback', 'delivered']);
  });

  it('what devices fall back to outside of a partial rollout', async () => {
    const app = await createApp();
    const released = await release(app, 3);
    const partial = await release(app, 3, { rolloutPercentage: 0.1 });
    await keep(app, 1);
    expect(await reasonsOf(app, [...released, ...partial])).toEqual([
      null,
      'rollback',
      'delivered',
      'delivered',
      'delivered',
      'delivered',
    ]);
  });

  it('what other native versions are offered', async () => {
    const app = await createApp();
    const old = await release(app, 3, { minAndroidAppVersionCode: '10' });
    const current = await release(app, 3, { minAndroidAppVersionCode: '11' });
    await keep(app, 1);
    expect(await reasonsOf(app, old)).toEqual([null, 'rollback', 'delivered']);
    expect(await reasonsOf(app, current)).toEqual([null, 'rollback', 'delivered']);
    // Everybody takes these.
    await release(app, 2);
    expect(await reasonsOf(app, [...old, ...current])).toEqual([null, null, null, null, null, null]);
  });

  it('what devices that cannot read manifests are offered, and what a protected channel would deliver', async () => {
    const app = await createApp();
    const signature = Buffer.alloc(256, 1).toString('base64');
    const signed = await release(app, 2, { signature });
    const manifest = await createBundle(app);
    await bundles.uploadFiles(manifest, { 'index.html': 'new' });
    expect((await bundles.publish(manifest)).status).toBe(200);
    await keep(app, 1);
    expect(await reasonsOf(app, signed)).toEqual(['rollback', 'delivered']);
    const unsigned = await release(app, 3);
    expect(await reasonsOf(app, signed)).toEqual(['rollback', 'delivered']);
    expect(await reasonsOf(app, unsigned)).toEqual([null, 'rollback', 'delivered']);
  });

  it('what devices are offered instead of a damaged bundle', async () => {
    const app = await createApp();
    const old = await release(app, 3);
    const damaged = [await uploadBundle(app), await uploadBundle(app)];
    await keep(app, 1);
    expect(await reasonsOf(app, [...old, ...damaged])).toEqual([null, null, null, 'rollback', 'delivered']);
    await query(
      testEnvironment().databaseUrl,
      `UPDATE blobs SET damaged_at = now(), damage = 'missing'
         FROM bundle_files AS file WHERE file.blob_id = blobs.id AND file.bundle_id = ANY ($1)`,
      [damaged.map(({ id }) => id)],
    );
    expect(await reasonsOf(app, [...old, ...damaged])).toEqual([
      null,
      'rollback',
      'delivered',
      'delivered',
      'delivered',
    ]);
  });

  it('what a live device runs or was offered, and not what one ran that was not seen any more', async () => {
    const app = await createApp();
    const [ran, running, offered, ...released] = await release(app, 5);
    const device = await createDevice(app, { bundleId: ran?.id ?? '' });
    await createDevice(app, { bundleId: running?.id ?? '' });
    const last = await createDevice(app);
    const { databaseUrl } = testEnvironment();
    await query(databaseUrl, `UPDATE devices SET deployment_id = $3 WHERE app_id = $1 AND id = $2`, [
      app.id,
      last,
      offered?.deploymentId,
    ]);
    await keep(app, 1);
    const all = [ran, running, offered, ...released] as TestBundle[];
    expect(await reasonsOf(app, all)).toEqual(['device', 'device', 'device', 'rollback', 'delivered']);
    await query(
      databaseUrl,
      `UPDATE devices SET last_seen_at = now() - interval '91 days' WHERE app_id = $1 AND id = $2`,
      [app.id, device],
    );
    expect(await reasonsOf(app, all)).toEqual([null, 'device', 'device', 'rollback', 'delivered']);
  });

  it('what a device of another app says to run only if it is of that app', async () => {
    const app = await createApp();
    const other = await createApp();
    const released = await release(app, 3);
    await createDevice(other, { bundleId: released[0]?.id ?? '' });
    await keep(app, 1);
    expect(await reasonsOf(app, released)).toEqual([null, 'rollback', 'delivered']);
  });

  it('what waits for an approval, what a rollout plan is for, and not what was rejected', async () => {
    const app = await createApp();
    const [planned, pending, rejected, ...released] = (await release(app, 5)) as [
      TestBundle,
      TestBundle,
      TestBundle,
    ];
    const { userId } = await createActor();
    await makePending(app, pending.deploymentId ?? '', userId);
    await makePending(app, rejected.deploymentId ?? '', userId);
    expect((await app.api.post(`${app.path}/deployments/${rejected.deploymentId}/reject`, {})).status).toBe(
      200,
    );
    await putPlan(app, planned.deploymentId ?? '');
    await keep(app, 1);
    expect(await reasonsOf(app, [planned, pending, rejected, ...released])).toEqual([
      'rollout-plan',
      'approval',
      null,
      'rollback',
      'delivered',
    ]);
  });

  it('what was never deployed only while the app keeps all, and says nothing of what is not published', async () => {
    const app = await createApp();
    await app.api.patch(app.path, { appChannelId: null });
    const undeployed = await registerBundle(app);
    const pending = await createBundle(app);
    expect(await reasonsOf(app, [undeployed, pending])).toEqual(['no-retention', undefined]);
    await keep(app, 5);
    expect(await reasonsOf(app, [undeployed, pending])).toEqual([null, undefined]);
  });

  it('what is under legal hold', async () => {
    const app = await createApp();
    const released = await release(app, 3);
    await keep(app, 1);
    const hold = await app.api
      .request('put', `${app.path}/bundles/${released[0]?.id}/legal-hold`)
      .send({ reason: 'Case' });
    expect(hold.status).toBe(200);
    expect(await reasonsOf(app, released)).toEqual(['legal-hold', 'rollback', 'delivered']);
  });
});

describe('the preview of retention', () => {
  it('counts the bytes that would be freed, not those that other bundles need, too', async () => {
    const app = await createApp();
    const [shared, own] = [randomBytes(3000), randomBytes(5000)];
    const files: Record<string, string | Buffer>[] = [
      { 'index.html': 'one', 'shared.bin': shared, 'own.bin': own },
      { 'index.html': 'two', 'shared.bin': shared },
      { 'index.html': 'three' },
    ];
    for (const content of files) {
      const bundle = await createBundle(app);
      await bundles.uploadFiles(bundle, content);
      expect((await bundles.publish(bundle)).status).toBe(200);
    }
    await keep(app, 1);
    const manifest = bundles.manifestOf(files[0] ?? {});
    expect(await retentionOf(app)).toEqual({
      bundleRetentionCount: 1,
      graceDays: 7,
      expiringBundles: 1,
      // The named manifest is as long as the uploaded one.
      freedSizeInBytes: own.length + 'one'.length + 2 * manifest.length,
      kept: [
        { reason: 'delivered', bundles: 1, sizeInBytes: expect.any(Number) as number },
        { reason: 'rollback', bundles: 1, sizeInBytes: expect.any(Number) as number },
      ],
    });
    const [expiring] = await retainedBundles(app, 'status=expiring');
    expect(expiring).toMatchObject({
      sizeInBytes: 8000 + 3 + manifest.length,
      artifactType: 'manifest',
      reason: null,
    });
    expect(Date.parse(expiring?.expiresAt ?? '')).toBeGreaterThan(Date.now() + 6.9 * 86_400_000);
  });

  it('is listed in pages, newest build first, and filtered', async () => {
    const app = await createApp();
    const released = await release(app, 5);
    await keep(app, 2);
    const path = `${app.path}/bundle-retention/bundles`;
    const page = await app.api.get(`${path}?limit=2&offset=1`);
    expect(page.headers['x-total-count']).toBe('5');
    expect(page.body).toMatchObject([{ appBundleId: released[3]?.id }, { appBundleId: released[2]?.id }]);
    const kept = await app.api.get(`${path}?status=kept`);
    expect(kept.headers['x-total-count']).toBe('2');
    expect((await app.api.get(`${path}?reason=delivered`)).body).toMatchObject([
      { appBundleId: released[4]?.id, reason: 'delivered', expiresAt: null, sizeInBytes: 0 },
    ]);
    const expiring = await app.api.get(`${path}?status=expiring&limit=1&offset=7`);
    expect([expiring.headers['x-total-count'], expiring.body]).toEqual(['3', []]);
    expectInvalid(await app.api.get(`${path}?status=gone&reason=none`), 'status', 'reason');
  });

  it('is for everybody who may see builds, and no one else', async () => {
    const app = await createApp();
    const viewer = await createMember(app.tenant, 'viewer');
    const stranger = (await createTenant()).owner;
    for (const path of [`${app.path}/bundle-retention`, `${app.path}/bundle-retention/bundles`]) {
      expect((await viewer.api.get(path)).status).toBe(200);
      expectError(await stranger.api.get(path), 404, 'app_not_found');
    }
  });
});

describe('a legal hold', () => {
  const put = (app: TestApp, id: string, body: object = { reason: 'Case 118' }) =>
    app.api.put(`${app.path}/bundles/${id}/legal-hold`, body);

  it('keeps a bundle, its app and its organization from being deleted until it is released', async () => {
    const app = await createApp();
    const bundle = await uploadBundle(app);
    const path = `${app.path}/bundles/${bundle.id}`;
    const first = await put(app, bundle.id);
    expect(first.body).toMatchObject({
      id: bundle.id,
      legalHoldAt: expect.any(String) as string,
      legalHoldReason: 'Case 118',
    });
    const { legalHoldAt } = first.body as { legalHoldAt: string };
    expect((await put(app, bundle.id, { reason: 'Case 119' })).body).toMatchObject({
      legalHoldAt,
      legalHoldReason: 'Case 119',
    });
    const organization = `/v1/organizations/${app.tenant.organizationId}`;
    for (const held of [path, app.path, organization]) {
      expectError(await app.api.delete(held), 409, 'legal_hold');
    }
    const channel = `${app.path}/channels/${app.defaultChannelId}`;
    expect((await app.api.delete(channel)).status).toBe(204);
    expect((await app.api.patch(path, {})).body).toMatchObject({ appDeploymentId: null, legalHoldAt });

    expect((await app.api.delete(`${path}/legal-hold`)).status).toBe(204);
    expect((await app.api.delete(`${path}/legal-hold`)).status).toBe(204);
    expect((await app.api.patch(path, {})).body).toMatchObject({ legalHoldAt: null, legalHoldReason: null });
    expect((await app.api.delete(path)).status).toBe(204);
    expect((await app.api.delete(organization)).status).toBe(204);
  });

  it('is kept by the database itself, whatever is deleted', async () => {
    const app = await createApp();
    const bundle = await registerBundle(app);
    await put(app, bundle.id);
    for (const [table, id] of [
      ['bundles', bundle.id],
      ['build_artifacts', bundle.id],
      ['builds', bundle.buildId],
      ['apps', app.id],
      ['organizations', app.tenant.organizationId],
    ]) {
      const deletion = query(testEnvironment().databaseUrl, `DELETE FROM ${table} WHERE id = $1`, [id]);
      await expect(deletion).rejects.toMatchObject({ code: '23001', constraint: 'bundles_legal_hold' });
    }
    await expect(query(testEnvironment().databaseUrl, 'TRUNCATE bundles CASCADE')).rejects.toThrow(
      /TRUNCATE/,
    );
  });

  it('is in the audit log', async () => {
    const app = await createApp();
    const bundle = await registerBundle(app);
    await put(app, bundle.id);
    await app.api.delete(`${app.path}/bundles/${bundle.id}/legal-hold`);
    const events = await auditEvents(app.tenant, `objectId=${bundle.id}&objectType=bundle`);
    expect(events.slice(-2)).toMatchObject([
      { before: { legalHoldReason: null }, after: { legalHoldReason: 'Case 118' } },
      { before: { legalHoldReason: 'Case 118' }, after: { legalHoldReason: null, legalHoldAt: null } },
    ]);
  });

  it('is put and released by owners and admins only', async () => {
    const app = await createApp();
    const { id } = await registerBundle(app);
    const path = `${app.path}/bundles/${id}/legal-hold`;
    const member = await createMember(app.tenant, 'member');
    expectError(await member.api.put(path, { reason: 'Case' }), 403);
    expectError(await member.api.delete(path), 403);
    const stranger = (await createTenant()).owner;
    expectError(await stranger.api.put(path, { reason: 'Case' }), 404, 'app_not_found');
    const other = await createApp(app.tenant);
    expectError(await put(other, id), 404, 'bundle_not_found');
    expectError(await app.api.delete(`${other.path}/bundles/${id}/legal-hold`), 404, 'bundle_not_found');
  });

  it('needs a reason', async () => {
    const app = await createApp();
    const { id } = await registerBundle(app);
    for (const reason of [undefined, null, '', 5, 'x'.repeat(1001)]) {
      expectInvalid(await put(app, id, { reason }), 'reason');
    }
  });
});
