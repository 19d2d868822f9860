import pg from 'pg';
import type { Response } from 'supertest';
import { createApp } from '../../builders/app.js';
import { createBundle } from '../../builders/bundle.js';
import { type Actor, createMember, createTenant, type Tenant } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectError } from '../../support/http/expect-error.js';
import { expectOpenApi } from '../../support/http/expect-openapi.js';
import { MANIFEST, manifestOf, postFile } from '../../support/live-updates/uploads.js';

let tenant: Tenant;
let owner: Actor;

beforeAll(async () => {
  tenant = await createTenant();
  ({ owner } = tenant);
});

let used = 0;
const newKey = (): string => `key ${++used}`;

async function send(
  method: 'post' | 'patch' | 'put' | 'delete',
  path: string,
  key: string,
  body?: object,
  caller = owner,
): Promise<Response> {
  const response = await caller.api.request(method, path).set('Idempotency-Key', key).send(body);
  expectOpenApi(method, path, response);
  return response;
}

const isReplayed = ({ headers }: Response): boolean => headers['idempotency-replayed'] === 'true';
const idOf = ({ body }: Response): string => (body as { id: string }).id;

async function appsNamed(name: string): Promise<string[]> {
  const { body } = await owner.api.get(`/v1/apps?name=${encodeURIComponent(name)}`);
  return (body as { id: string }[]).map(({ id }) => id);
}

it('answers a repeated POST as it did the first time', async () => {
  const key = newKey();
  const first = await send('post', '/v1/apps', key, { name: 'Repeated' });
  const second = await send('post', '/v1/apps', key, { name: 'Repeated' });
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body).toEqual(first.body);
  expect([first, second].map(isReplayed)).toEqual([false, true]);
  expect(second.headers['content-type']).toBe(first.headers['content-type']);
  expect(await appsNamed('Repeated')).toHaveLength(1);
});

it('does not apply a repeated PATCH', async () => {
  const app = await owner.api.post('/v1/apps', { name: 'Before' });
  const path = `/v1/apps/${idOf(app)}`;
  const key = newKey();
  await send('patch', path, key, { name: 'Between' });
  await owner.api.patch(path, { name: 'After' });
  const again = await send('patch', path, key, { name: 'Between' });
  expect(again.body).toMatchObject({ name: 'Between' });
  expect((await owner.api.get(path)).body).toMatchObject({ name: 'After' });
});

it('repeats an answer without body', async () => {
  const app = await owner.api.post('/v1/apps', { name: 'Pausing' });
  const { body } = await owner.api.get(`/v1/apps/${idOf(app)}/channels`);
  const path = `/v1/apps/${idOf(app)}/channels/${(body as { id: string }[])[0]?.id}/pause`;
  const key = newKey();
  const answers = [await send('post', path, key), await send('post', path, key)];
  expect(answers.map(({ status, text }) => [status, text])).toEqual([
    [204, ''],
    [204, ''],
  ]);
  expect(answers.map(isReplayed)).toEqual([false, true]);
});

it('carries out one of many equal requests at once', async () => {
  const key = newKey();
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => send('post', '/v1/apps', key, { name: 'At once' })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(answers.map(idOf)).size).toBe(1);
  expect(answers.filter(isReplayed)).toHaveLength(29);
  expect(await appsNamed('At once')).toHaveLength(1);
});

it('refuses the key of a request with another body', async () => {
  const key = newKey();
  await send('post', '/v1/apps', key, { name: 'First' });
  expectError(await send('post', '/v1/apps', key, { name: 'Second' }), 422, 'idempotency_key_reused');
  expect(await appsNamed('Second')).toEqual([]);
});

it('knows keys of one token and one address only', async () => {
  const key = newKey();
  const admin = await createMember(tenant, 'admin');
  const answers = [
    await send('post', '/v1/apps', key, { name: 'Elsewhere' }),
    await send('post', '/v1/apps', key, { name: 'Elsewhere' }, admin),
    await send('post', `/v1/apps?organizationId=${tenant.organizationId}`, key, { name: 'Elsewhere' }),
  ];
  expect(answers.map(isReplayed)).toEqual([false, false, false]);
  expect(await appsNamed('Elsewhere')).toHaveLength(3);
});

it('does not remember a refusal, which has changed nothing', async () => {
  const app = await owner.api.post('/v1/apps', { name: 'Refusing' });
  const path = `/v1/apps/${idOf(app)}/channels`;
  const first = await owner.api.post(path, { name: 'Taken' });
  const key = newKey();
  expectError(await send('post', path, key, { name: 'Taken' }), 409, 'channel_name_taken');
  await owner.api.delete(`${path}/${idOf(first)}`);
  const again = await send('post', path, key, { name: 'Taken' });
  expect([again.status, isReplayed(again)]).toEqual([201, false]);
});

it('repeats secrets to their owner, and does not store them in clear', async () => {
  const key = newKey();
  const first = await send('post', '/v1/tokens', key, { name: 'Secret' });
  const second = await send('post', '/v1/tokens', key, { name: 'Secret' });
  expect(second.body).toEqual(first.body);
  const { token } = first.body as { token: string };
  expect(token).toMatch(/^ca_/);
  const rows = await query(testEnvironment().databaseUrl, 'SELECT * FROM stored_responses WHERE key = $1', [
    key,
  ]);
  expect(rows).not.toEqual([]);
  expect(JSON.stringify(rows)).not.toContain(token);
});

it('asks for the permission again before it repeats an answer', async () => {
  const app = await owner.api.post('/v1/apps', { name: 'Guarded' });
  const member = await createMember(tenant, 'member');
  const path = `/v1/apps/${idOf(app)}/channels`;
  const key = newKey();
  await send('post', path, key, { name: 'Mine' }, member);
  await query(testEnvironment().databaseUrl, 'DELETE FROM members WHERE user_id = $1', [member.userId]);
  expectError(await send('post', path, key, { name: 'Mine' }, member), 404, 'app_not_found');
});

it('forgets a key after a day', async () => {
  const key = newKey();
  await send('post', '/v1/apps', key, { name: 'Daily' });
  await query(
    testEnvironment().databaseUrl,
    "UPDATE stored_responses SET created_at = now() - interval '25 hours' WHERE key = $1 AND token_id IN (SELECT id FROM tokens WHERE user_id = $2)",
    [key, owner.userId],
  );
  const answers = [
    await send('post', '/v1/apps', key, { name: 'Daily' }),
    await send('post', '/v1/apps', key, { name: 'Daily' }),
  ];
  expect(answers.map(isReplayed)).toEqual([false, true]);
  expect(await appsNamed('Daily')).toHaveLength(2);
});

it('publishes a bundle once', async () => {
  const app = await createApp(tenant);
  const bundle = await createBundle(app);
  await postFile(bundle, 'index', { href: 'index.html' });
  await postFile(bundle, manifestOf({ 'index.html': 'index' }), { href: MANIFEST });
  const key = newKey();
  const answers = await Promise.all(
    Array.from({ length: 3 }, () => send('patch', bundle.path, key, { artifactStatus: 'ready' })),
  );
  answers.push(await send('patch', bundle.path, key, { artifactStatus: 'ready' }));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(isReplayed(answers[3] as Response)).toBe(true);
  const { body } = await owner.api.get(`${app.path}/deployments`);
  expect(body).toHaveLength(1);
});

it('gives up waiting for a request with the same key that does not end', async () => {
  const key = newKey();
  const [{ id } = { id: '' }] = await query<{ id: string }>(
    testEnvironment().databaseUrl,
    // The first one, which the owner calls with: other tests make more.
    'SELECT id FROM tokens WHERE user_id = $1 ORDER BY created_at LIMIT 1',
    [owner.userId],
  );
  const other = new pg.Client({ connectionString: testEnvironment().databaseUrl });
  await other.connect();
  await other.query('BEGIN');
  await other.query(
    `INSERT INTO stored_responses (id, token_id, route_hash, key, body_hash)
     VALUES (gen_random_uuid(), $1, encode(sha256('POST /v1/apps'), 'hex'), $2, '')`,
    [id, key],
  );
  expectError(await send('post', '/v1/apps', key, { name: 'Waiting' }), 409, 'idempotency_key_in_use');
  await other.query('ROLLBACK');
  await other.end();
  expect((await send('post', '/v1/apps', key, { name: 'Waiting' })).status).toBe(201);
});

it.each([
  ['empty', ''],
  ['longer than 255 characters', 'k'.repeat(256)],
  ['of 300 characters', 'k'.repeat(300)],
  ['not printable ASCII', 'k\u00e9y'],
])('refuses a key that is %s', async (_, key) => {
  expectError(await send('post', '/v1/apps', key, { name: 'Bad key' }), 400, 'invalid_idempotency_key');
});

it('takes a key of 255 characters', async () => {
  expect((await send('post', '/v1/apps', 'k'.repeat(255), { name: 'Long key' })).status).toBe(201);
});

it('does not mind a key where repeating is harmless anyway', async () => {
  const app = await owner.api.post('/v1/apps', { name: 'Deleted' });
  const path = `/v1/apps/${idOf(app)}`;
  const key = newKey();
  expect((await send('delete', path, key)).status).toBe(204);
  expectError(await send('delete', path, key), 404, 'app_not_found');
});
