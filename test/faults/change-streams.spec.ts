import { createApp, type TestApp } from '../builders/app.js';
import { createTenant, type Tenant } from '../builders/identities.js';
import { ChangeStream } from '../support/events/change-stream.js';
import { eventually } from '../support/eventually.js';
import { OwnSite } from '../support/servers/own-site.js';

let site: OwnSite;
let tenant: Tenant;
let app: TestApp;

beforeAll(async () => {
  site = await OwnSite.start({ DATABASE_POOL_SIZE: '4', SHUTDOWN_DELAY_SECONDS: '0' });
  tenant = await createTenant(site);
  app = await createApp(tenant);
});
afterAll(() => site.dispose());

const openStream = (): Promise<ChangeStream> => ChangeStream.open(app.api, tenant.organizationId);
const act = async (action: 'pause' | 'resume'): Promise<void> => {
  const { status } = await app.api.post(`${app.path}/channels/${app.defaultChannelId}/${action}`);
  expect(status).toBeLessThan(300);
};
const pause = (): Promise<void> => act('pause');
const resume = (): Promise<void> => act('resume');
const expectHint = (stream: ChangeStream): Promise<void> =>
  eventually(() => expect(stream.hints.map(({ kind }) => kind)).toContain('channel'));

it('streams hold no connection of the database', async () => {
  const streams = await Promise.all(Array.from({ length: 15 }, openStream));
  // Background work may have a transaction at one moment, but not at each.
  await eventually(async () => {
    const inTransaction = await site.query(
      `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    );
    expect(inTransaction).toEqual([]);
  });
  await Promise.all(
    Array.from({ length: 20 }, async () => expect((await app.api.get('/v1/users/me')).status).toBe(200)),
  );
  await pause();
  for (const stream of streams) await expectHint(stream);
  for (const stream of streams) stream.close();
  await resume();
});

it('streams end when signals may have been lost, so that clients read again what they show', async () => {
  const stream = await openStream();
  await site.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'slipway-listen'`,
  );
  await eventually(() => expect(stream.hasEnded).toBe(true));
  const next = await openStream();
  await pause();
  await expectHint(next);
  next.close();
  await resume();
});

it('a change on one server is a hint on another', async () => {
  const other = await OwnSite.beside(site);
  const stream = await ChangeStream.open({ ...app.api, origin: other.origin }, tenant.organizationId);
  await pause();
  await expectHint(stream);
  stream.close();
  await resume();
});

it('streams end when the server stops, which they do not hold up', async () => {
  // Another server: tests that are repeated need the first one.
  const other = await OwnSite.beside(site);
  const stream = await ChangeStream.open({ ...app.api, origin: other.origin }, tenant.organizationId);
  const before = performance.now();
  expect(await other.stop()).toBe(0);
  expect(performance.now() - before).toBeLessThan(15_000);
  await eventually(() => expect(stream.hasEnded).toBe(true));
});
