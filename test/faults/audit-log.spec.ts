import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../builders/app.js';
import { createTenant } from '../builders/identities.js';
import { Api } from '../support/http/api.js';
import { verifyAudit } from '../support/organizations/audit-log.js';
import { OwnSite } from '../support/servers/own-site.js';
import { uniqueName } from '../support/unique-name.js';

let site: OwnSite;

beforeAll(async () => {
  site = await OwnSite.start();
});
afterAll(() => site.dispose());

it('has an event of each change that was kept, and of no other, when the server is killed again and again', async () => {
  const tenant = await createTenant(site);
  const { owner } = tenant;
  const app = await createApp(tenant);
  for (let round = 0; round < 3; round++) {
    if (round > 0) await site.restart();
    const api = new Api(site.origin, owner.token);
    const writes = Array.from({ length: 40 }, () =>
      api
        .request('post', `${app.path}/channels`)
        .send({ name: uniqueName('channel') })
        .then(({ status }) => status)
        .catch(() => null),
    );
    await Promise.race(writes);
    await sleep(round * 10);
    await site.server.kill();
    await Promise.all(writes);
  }
  const channels = await site.query('SELECT id::text FROM channels ORDER BY id');
  const events = await site.query(
    `SELECT object_id AS id FROM audit_events WHERE object_type = 'channel' AND action = 'created' ORDER BY 1`,
  );
  expect(channels.length).toBeGreaterThan(3);
  expect(events).toEqual(channels);
  expect(await verifyAudit(site.databaseUrl)).toMatchObject({ code: 0 });
});
