import { randomUUID } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle, type TestBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { createDevice } from '../../builders/device.js';
import { createTenant } from '../../builders/identities.js';
import { publishManifest } from '../../builders/publication.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { rollBack } from '../../support/devices/rollbacks.js';
import { recordedEvents, type RecordedTestEvent } from '../../support/events/recorded-events.js';
import { runTask } from '../../support/events/run-task.js';

const HOUR = 3_600_000;

let app: TestApp;

beforeEach(async () => {
  app = await createApp();
});

const sql = (text: string, ...values: unknown[]) => query(testEnvironment().databaseUrl, text, values);

/** Moves the app to another organization. @returns that one */
async function move(): Promise<string> {
  const { organizationId } = await createTenant();
  await sql('UPDATE apps SET organization_id = $2 WHERE id = $1', app.id, organizationId);
  return organizationId;
}

describe('a channel that expires', () => {
  const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString();
  const create = async (hours: number): Promise<string> =>
    (await createChannel(app, { name: 'beta', expiresAt: inHours(hours) })).id;
  const postpone = async (id: string, hours: number): Promise<void> => {
    const response = await app.api.patch(`${app.path}/channels/${id}`, { expiresAt: inHours(hours) });
    expect(response.status).toBe(200);
  };
  const eventsOf = async (id: string): Promise<RecordedTestEvent[]> => {
    await runTask('channel-expiry');
    return recordedEvents({ objectId: id });
  };
  /** Without the changes of people. */
  const types = async (id: string): Promise<string[]> =>
    (await eventsOf(id))
      .map(({ type }) => type.replace('app_channel_', ''))
      .filter((type) => type !== 'updated');

  it('has an event a week before, a day before and when it has expired, once each', async () => {
    const id = await create(8 * 24);
    expect(await types(id)).toEqual([]);
    const expiresIn = (hours: number) =>
      sql('UPDATE channels SET expires_at = now() + make_interval(hours => $2) WHERE id = $1', id, hours);
    await expiresIn(6 * 24);
    expect(await types(id)).toEqual(['expiring']);
    expect(await types(id)).toEqual(['expiring']);
    await expiresIn(23);
    expect(await types(id)).toEqual(['expiring', 'expiring']);
    await expiresIn(-1);
    const events = await eventsOf(id);
    expect(events.map(({ type }) => type)).toEqual([
      'app_channel_expiring',
      'app_channel_expiring',
      'app_channel_expired',
    ]);
    expect(events[2]).toMatchObject({ appId: app.id, channelId: id, userId: null });
    expect(events[2]?.data).toMatchObject({ appChannelId: id, appChannelName: 'beta', pausedAt: null });
    expect(await types(id)).toHaveLength(3);
  });

  it('has one event when it is to expire within a day from the beginning', async () => {
    const id = await create(12);
    expect(await types(id)).toEqual(['expiring']);
    expect(await types(id)).toEqual(['expiring']);
  });

  it('has them again after its expiry was moved', async () => {
    const id = await create(12);
    expect(await types(id)).toEqual(['expiring']);
    await postpone(id, 30 * 24);
    expect(await types(id)).toEqual(['expiring']);
    await postpone(id, 3 * 24);
    expect(await types(id)).toEqual(['expiring', 'expiring']);
  });

  it('has another one in the organization that its app moves to', async () => {
    const id = await create(12);
    expect(await types(id)).toEqual(['expiring']);
    const organizationId = await move();
    const events = await eventsOf(id);
    expect(events[1]).toMatchObject({ type: 'app_channel_expiring', organizationId });
    expect(await types(id)).toHaveLength(2);
  });

  it('has none when it expired long ago, before there were events', async () => {
    const id = await create(12);
    await sql(`UPDATE channels SET expires_at = now() - interval '8 days' WHERE id = $1`, id);
    expect(await types(id)).toEqual([]);
  });
});

describe('a bundle with damaged files', () => {
  const eventsOf = async (id: string): Promise<RecordedTestEvent[]> => {
    await runTask('damaged-bundles');
    return recordedEvents({ objectId: id });
  };
  /** @param damage `null`: repairs them */
  const damage = (id: string, what: string | null) =>
    sql(
      `UPDATE blobs SET damage = $2, damaged_at = CASE WHEN $2::text IS NOT NULL THEN now() END
         FROM bundle_files AS file
        WHERE file.blob_id = blobs.id AND file.bundle_id = $1 AND file.href IN ('app.js', 'style.css')`,
      id,
      what,
    );

  it('has one event, however many are damaged, and others after a repair and a move', async () => {
    const files = { 'index.html': randomUUID(), 'app.js': randomUUID(), 'style.css': randomUUID() };
    const { id, buildId } = await publishManifest(app, files);
    expect(await eventsOf(id)).toEqual([]);
    await damage(id, 'missing');
    const [event, ...others] = await eventsOf(id);
    expect(event).toMatchObject({ type: 'app_bundle_damaged', channelId: app.defaultChannelId });
    expect(event?.data).toEqual({
      appBundleId: id,
      appBuildId: buildId,
      appBuildNumber: 1,
      appChannelId: app.defaultChannelId,
      appChannelName: 'default',
      damagedFiles: 2,
      href: 'app.js',
      reason: 'missing',
    });
    expect(others).toEqual([]);
    expect(await eventsOf(id)).toHaveLength(1);
    await damage(id, null);
    expect(await eventsOf(id)).toHaveLength(1);
    await damage(id, 'checksum');
    expect(await eventsOf(id)).toHaveLength(2);
    const organizationId = await move();
    expect((await eventsOf(id))[2]).toMatchObject({ organizationId });
    expect(await eventsOf(id)).toHaveLength(3);
  });
});

describe('a deployment that many devices roll back', () => {
  let bundle: TestBundle;

  beforeEach(async () => {
    bundle = await registerBundle(app);
    await Promise.all(Array.from({ length: 17 }, () => createDevice(app, { bundleId: bundle.id })));
  });

  const eventsOf = async (): Promise<RecordedTestEvent[]> => {
    await runTask('rollback-shares');
    const events = await recordedEvents({ objectId: bundle.deploymentId ?? '' });
    return events.filter(({ type }) => type === 'app_rollbacks_high');
  };

  it('has an event for each share, and again after the share has halved', async () => {
    await rollBack(app, randomUUID(), bundle.id);
    await rollBack(app, randomUUID(), bundle.id);
    expect(await eventsOf()).toEqual([]);
    await rollBack(app, randomUUID(), bundle.id);
    const [first, ...others] = await eventsOf();
    expect(first).toMatchObject({ appId: app.id, channelId: app.defaultChannelId, userId: null });
    expect(first?.data).toMatchObject({
      appDeploymentId: bundle.deploymentId,
      appChannelName: 'default',
      appliedDevices: 20,
      rolledBackDevices: 3,
      rollbackShare: 0.15,
      threshold: 0.05,
    });
    expect(others).toEqual([]);
    expect(await eventsOf()).toHaveLength(1);
    await rollBack(app, randomUUID(), bundle.id);
    await rollBack(app, randomUUID(), bundle.id);
    expect((await eventsOf())[1]?.data).toMatchObject({ rolledBackDevices: 5, threshold: 0.2 });
    await sql('UPDATE devices SET rolled_back_at = NULL WHERE app_id = $1', app.id);
    expect(await eventsOf()).toHaveLength(2);
    await sql('UPDATE devices SET rolled_back_at = now() WHERE app_id = $1', app.id);
    expect((await eventsOf())[2]?.data).toMatchObject({ rollbackShare: 1, threshold: 0.2 });
    expect(await eventsOf()).toHaveLength(3);
  });

  it('has none once the channel delivers a newer one', async () => {
    for (let device = 0; device < 3; device++) await rollBack(app, randomUUID(), bundle.id);
    await registerBundle(app);
    expect(await eventsOf()).toEqual([]);
  });
});
