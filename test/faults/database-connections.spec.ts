import { createApp } from '../builders/app.js';
import { createTenant } from '../builders/identities.js';
import { eventually } from '../support/eventually.js';
import { Api } from '../support/http/api.js';
import { expectCleanable, expectIntegrity } from '../support/live-updates/integrity.js';
import { Publishers } from '../support/live-updates/publishers.js';
import { OwnSite } from '../support/servers/own-site.js';

let site: OwnSite;

beforeAll(async () => {
  site = await OwnSite.start();
});
afterAll(() => site.dispose());

it('loses nothing and recovers when all database connections are cut in mid-flight', async () => {
  const app = await createApp(await createTenant(site));
  const publishers = new Publishers(app, 6);
  for (let cut = 1; cut <= 3; cut++) {
    const { length } = publishers.confirmed;
    await eventually(() => {
      site.expectAlive();
      expect(publishers.confirmed.length).toBeGreaterThan(length + 1);
    });
    await site.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
  }
  const { length } = publishers.confirmed;
  await eventually(() => expect(publishers.confirmed.length).toBeGreaterThan(length + 4));
  await publishers.stop();
  site.expectAlive();
  expect((await new Api(site.origin, null).get('/health/ready')).status).toBe(200);
  const ready = await site.query<{ id: string }>("SELECT id FROM build_artifacts WHERE status = 'ready'");
  expect(ready.map(({ id }) => id)).toEqual(expect.arrayContaining(publishers.confirmed));
  await expectIntegrity(site);
  await expectCleanable(site);
});
