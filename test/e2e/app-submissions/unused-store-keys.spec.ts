import pg from 'pg';
import { createApp, type TestApp } from '../../builders/app.js';
import { createDestination } from '../../builders/destination.js';
import { createTenant } from '../../builders/identities.js';
import { createAppleKey, createGoogleKey } from '../../builders/store-key.js';
import { uniqueName } from '../../support/unique-name.js';
import { OwnSite } from '../../support/servers/own-site.js';
import { runQueue } from '../../support/servers/run-queue.js';

let site: OwnSite;
let app: TestApp;
beforeAll(async () => {
  site = await OwnSite.start();
  app = await createApp(await createTenant(site));
});
afterAll(() => site.dispose());

const collect = (): Promise<void> => runQueue(site, 'unused-store-keys');
const age = (hours: number): Promise<unknown> =>
  site.query(`UPDATE store_keys SET updated_at = now() - $1 * interval '1 hour'`, [hours]);
const keysLeft = async (): Promise<string[]> =>
  (await site.query<{ id: string }>('SELECT id FROM store_keys ORDER BY id')).map(({ id }) => id);

it('are deleted a day after their upload, or after the last destination used them', async () => {
  const [inGoogle, inApple, released, replaced] = [
    await createGoogleKey(app),
    await createAppleKey(app),
    await createGoogleKey(app),
    await createGoogleKey(app),
  ];
  const unused = [await createGoogleKey(app), await createAppleKey(app)];
  await createDestination(app, { appGoogleServiceAccountKeyId: inGoogle });
  await createDestination(app, { appGoogleServiceAccountKeyId: null, appAppleApiKeyId: inApple });
  const deleted = await createDestination(app, { appGoogleServiceAccountKeyId: released });
  const changed = await createDestination(app, { appGoogleServiceAccountKeyId: replaced });
  const all = [inGoogle, inApple, released, replaced, ...unused].sort();
  await age(23);
  await collect();
  expect(await keysLeft()).toEqual(all);

  await age(25);
  await app.api.delete(`${app.path}/destinations/${deleted.id}`);
  await app.api.patch(`${app.path}/destinations/${changed.id}`, { appGoogleServiceAccountKeyId: inGoogle });
  await collect();
  expect(await keysLeft()).toEqual([inGoogle, inApple, released, replaced].sort());

  await age(25);
  await collect();
  expect(await keysLeft()).toEqual([inGoogle, inApple].sort());
});

it('are deleted while destinations begin to use them: each is used, or gone', async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, () => createGoogleKey(app)));
  await age(25);
  const [, ...answers] = await Promise.all([
    collect(),
    ...keys.map((appGoogleServiceAccountKeyId) =>
      app.api.post(`${app.path}/destinations`, {
        name: uniqueName('destination'),
        platform: 'android',
        appGoogleServiceAccountKeyId,
      }),
    ),
  ]);
  const left = await keysLeft();
  expect(answers.map(({ status }) => status)).toEqual(keys.map((id) => (left.includes(id) ? 201 : 404)));
});

it('stay while a request that uses them has not ended', async () => {
  const key = await createGoogleKey(app);
  await age(25);
  const { id } = await createDestination(app, { appGoogleServiceAccountKeyId: null });
  const client = new pg.Client({ connectionString: site.databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('UPDATE destinations SET google_key_id = $1 WHERE id = $2', [key, id]);
    await collect();
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
  expect(await keysLeft()).toContain(key);
});
