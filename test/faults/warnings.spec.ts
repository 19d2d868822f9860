import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createApp, type TestApp } from '../builders/app.js';
import { createBundle } from '../builders/bundle.js';
import { createChannel } from '../builders/channel.js';
import { createDevice } from '../builders/device.js';
import { createTenant } from '../builders/identities.js';
import { uploadBundle } from '../builders/publication.js';
import { QUICK_OPTIONS } from '../setup/node-options.js';
import { eventually } from '../support/eventually.js';
import { expectError } from '../support/http/expect-error.js';
import { publish, uploadFiles } from '../support/live-updates/uploads.js';
import { shiftedClock } from '../support/processes/shifted-clock.js';
import { OwnSite } from '../support/servers/own-site.js';

/* Counts that take too long, fail, or whose channel is deleted: the change is made, or refused, all the same. */

const YEAR = 365 * 86_400_000;
const CONSTRAINT = { minAndroidAppVersionCode: '1' };

let site: OwnSite;
let app: TestApp;

beforeAll(async () => {
  site = await OwnSite.start();
});
beforeEach(async () => {
  app = await createApp(await createTenant(site));
  await createDevice(app);
});
afterAll(() => site.dispose());

/** Work while a table is locked, even against reads. */
async function whileLocked<T>(
  table: string,
  work: (unlock: () => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(site.databaseUrl);
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    return await work(() => client.query('ROLLBACK'));
  } finally {
    await client.end();
  }
}

/** Publishes a bundle whose constraint has to be counted. */
async function published(): Promise<object> {
  const bundle = await createBundle(app, CONSTRAINT);
  await uploadFiles(bundle, { 'index.html': randomBytes(20) });
  const { status, body } = await publish(bundle);
  expect(status).toBe(200);
  return body as object;
}

const NOT_COUNTED = {
  artifactStatus: 'ready',
  appDeploymentId: expect.any(String) as string,
  warnings: [{ code: 'not_counted', remedy: { operationId: 'Simulations_simulate' } }],
};

it('a publication does not wait for devices that cannot be counted in time', async () => {
  // It ends while the lock is held.
  expect(await whileLocked('devices', () => published())).toMatchObject(NOT_COUNTED);
  await eventually(async () => expect(await published()).toMatchObject({ warnings: [] }));
  // The statement was ended, not left alone.
  expect(await site.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`)).toEqual([]);
});

it('a publication succeeds when its count ends in an error of the database', async () => {
  await site.query('ALTER TABLE devices RENAME COLUMN app_version_name TO renamed');
  try {
    expect(await published()).toMatchObject(NOT_COUNTED);
  } finally {
    await site.query('ALTER TABLE devices RENAME COLUMN renamed TO app_version_name');
  }
  expect(await published()).toMatchObject({ warnings: [] });
});

it('a deployment is refused as usual when its channel is deleted during the count', async () => {
  await site.restart({ WARNINGS_MAX_MILLISECONDS: '10000' });
  app = await createApp(await createTenant(site));
  const channel = await createChannel(app);
  const { buildId } = await uploadBundle(app);
  // The count reads it, and the deletion of a channel does not.
  const refused = await whileLocked('generated_zips', async (unlock) => {
    const values = { appBuildId: buildId, appChannelId: channel.id };
    const deployed = app.api.post(`${app.path}/deployments`, values).then((response) => response);
    const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%AS "bundleId", artifact.type%'`;
    await eventually(async () => expect(await site.query(waiting)).toHaveLength(1));
    expect((await app.api.delete(`${app.path}/channels/${channel.id}`)).status).toBe(204);
    await unlock();
    return deployed;
  });
  expectError(refused, 404, 'channel_not_found');
});

it.each([
  ['ahead', YEAR],
  ['behind', -YEAR],
])('a server whose clock is a year %s counts the devices of the last 30 days', async (_which, ahead) => {
  const nodeOptions = [...QUICK_OPTIONS, shiftedClock(ahead)];
  const wrong = await OwnSite.start({ WARNINGS_MAX_MILLISECONDS: '10000' }, undefined, { nodeOptions });
  try {
    app = await createApp(await createTenant(wrong));
    const old = await createDevice(app);
    await wrong.query(`UPDATE devices SET last_seen_at = now() - interval '31 days' WHERE id = $1`, [old]);
    await createDevice(app);
    const { body } = await app.api.post(`${app.path}/bundles`, {
      artifactType: 'zip',
      url: 'https://cdn.example.com/bundle.zip',
      checksum: '0'.repeat(64),
      maxAndroidAppVersionCode: '9',
    });
    expect(body).toMatchObject({ warnings: [{ code: 'constraint_fits_no_device', count: 1 }] });
  } finally {
    await wrong.dispose();
  }
});
