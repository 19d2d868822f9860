import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { SecretBox } from '../../src/common/secrets/secret-box.js';
import { createApp, type TestApp } from '../builders/app.js';
import { createWebhook, type TestWebhook } from '../builders/webhook.js';
import { query } from '../setup/databases.js';
import { freePort } from '../setup/free-port.js';
import { ENCRYPTION_KEY } from '../setup/server.js';
import { testEnvironment } from '../setup/test-environment.js';
import { eventually } from '../support/eventually.js';
import { receiverPrograms } from '../support/notifications/receiver-page.js';

/* The programs of docs/guides/build-a-receiver.md, as they are printed there. */

const hasPython = spawnSync('python3', ['--version']).status === 0;
const receivers = ['receiver.mjs', ...(hasPython ? ['receiver.py'] : [])];
const types = ['app_channel_paused', 'app_channel_resumed'];

let app: TestApp;
let folder: string;
let running: ChildProcess[];
let env: Readonly<Record<string, string>>;

beforeEach(async () => {
  app = await createApp();
  running = [];
  folder = await mkdtemp(join(tmpdir(), 'slipway-receiver-'));
  await symlink(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'));
  for (const name of ['inbox', 'handled']) await mkdir(join(folder, name));
  for (const [name, program] of Object.entries(receiverPrograms))
    await writeFile(join(folder, name), program);
  env = {
    PATH: process.env['PATH'] ?? '',
    SLIPWAY: testEnvironment().origin,
    CAPAWESOME_TOKEN: app.tenant.owner.token,
    ORGANIZATION_ID: app.tenant.organizationId,
  };
});
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const programOf = (name: string): string => (name.endsWith('.py') ? 'python3' : process.execPath);

/** Starts a receiver. @returns its address */
async function startReceiver(name: string, secret: string): Promise<string> {
  const port = await freePort();
  const variables = { ...env, PORT: String(port), WEBHOOK_SECRET: secret };
  running.push(spawn(programOf(name), [name], { cwd: folder, env: variables, stdio: 'inherit' }));
  const url = `http://127.0.0.1:${port}/slipway`;
  await eventually(async () => expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401));
  return url;
}

/** Runs a program to its end. @returns the lines that it prints */
async function run(name: string): Promise<string[]> {
  const child = spawn(programOf(name), [name], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = (await once(child, 'close')) as [number];
  expect({ name, code }).toEqual({ name, code: 0 });
  return Buffer.concat(chunks).toString().split('\n').filter(Boolean);
}

const filesIn = async (name: string): Promise<string[]> =>
  (await readdir(join(folder, name))).filter((file) => file.endsWith('.json')).sort();
const untilStored = (count: number): Promise<string[]> =>
  eventually(async () => {
    const files = await filesIn('inbox');
    expect(files).toHaveLength(count);
    return files;
  });
const change = (action: 'pause' | 'resume') =>
  app.api.post(`${app.path}/channels/${app.defaultChannelId}/${action}`);
const linesOf = (...happened: string[]): string[] =>
  happened.map((type) => `app_channel_${type} ${app.defaultChannelId}`);

/** Puts an event into the inbox, as the receiver does. */
async function put(values: { readonly id?: string; readonly [field: string]: unknown }): Promise<void> {
  const id = values.id ?? uuid();
  await writeFile(
    join(folder, `inbox/${id}.json`),
    JSON.stringify({ type: 'job_created', epoch: null, ...values, id }),
  );
}

/** Gives a webhook a secret that was stored before only ASCII was taken. */
async function store(webhook: TestWebhook, secret: string): Promise<void> {
  const sealed = new SecretBox([ENCRYPTION_KEY]).seal(secret, `webhooks:${webhook.id}`);
  await query(testEnvironment().databaseUrl, 'UPDATE webhooks SET sealed_signing_secret = $1 WHERE id = $2', [
    sealed,
    webhook.id,
  ]);
}

const secrets = {
  'of Standard Webhooks': () => `whsec_${randomBytes(32).toString('base64')}`,
  'of ASCII': () => `correct horse ~ ${randomBytes(8).toString('hex')}`,
  'of a time before, with other characters,': () => `Straße – ключ 🔑 ${randomBytes(8).toString('hex')}`,
};

describe.each(receivers)('%s', (name) => {
  it.each(Object.entries(secrets))(
    'takes messages with a secret %s and no others',
    async (_kind, secretOf) => {
      const secret = secretOf();
      const url = await startReceiver(name, secret);
      const webhook = await createWebhook(app, { url, events: types });
      await store(webhook, secret);
      await change('pause');
      const [file = ''] = await untilStored(1);
      const event = JSON.parse(await readFile(join(folder, 'inbox', file), 'utf8')) as Record<
        string,
        unknown
      >;
      expect(event).toMatchObject({
        type: 'app_channel_paused',
        objectId: app.defaultChannelId,
        id: file.slice(0, -5),
      });

      const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
      const send = async (
        changes: object = {},
        at = Date.now() / 1000,
        signedWith = key,
      ): Promise<number> => {
        const body = JSON.stringify({ ...event, id: uuid() });
        const [id, time] = [uuid(), String(Math.floor(at))];
        const signature = createHmac('sha256', signedWith).update(`${id}.${time}.${body}`).digest('base64');
        const headers = {
          'webhook-id': id,
          'webhook-timestamp': time,
          'webhook-signature': `v1,${signature}`,
        };
        const response = await fetch(url, { method: 'POST', body, headers: { ...headers, ...changes } });
        return response.status;
      };
      const now = Date.now() / 1000;
      expect(await send({}, now - 301)).toBe(401);
      expect(await send({}, now + 310)).toBe(401);
      expect(await send({}, now, Buffer.from('another'))).toBe(401);
      expect(await send({ 'webhook-id': uuid() })).toBe(401);
      for (const time of ['now', '', '-1', '²', '9'.repeat(5000)])
        expect(await send({ 'webhook-timestamp': time })).toBe(401);
      for (const signature of ['', 'v1', 'v1,', 'v2,AAAA', 'é,ÿ', 'v1,AAAA v1,BBBB'])
        expect(await send({ 'webhook-signature': signature })).toBe(401);
      expect(await filesIn('inbox')).toEqual([file]);
      expect(await send()).toBe(204);
      expect(await filesIn('inbox')).toHaveLength(2);
    },
  );

  it('stores a message once that arrives again, also after it was handled', async () => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const url = await startReceiver(name, secret);
    const webhook = await createWebhook(app, { url, events: types, signingSecret: secret });
    await change('pause');
    await untilStored(1);
    const deliveries = `${webhook.path}/deliveries`;
    const [{ id }] = (await app.api.get(deliveries)).body as [{ id: string }];
    const again = async (): Promise<void> => {
      await eventually(async () => {
        expect((await app.api.get(`${deliveries}/${id}`)).body).toMatchObject({ status: 'succeeded' });
      });
      expect((await app.api.post(`${deliveries}/${id}/redeliver`)).status).toBeLessThan(300);
      await eventually(async () => {
        expect((await app.api.get(`${deliveries}/${id}`)).body).toMatchObject({ status: 'succeeded' });
      });
    };
    await again();
    expect(await filesIn('inbox')).toHaveLength(1);
    expect(await run('handle.mjs')).toEqual(linesOf('paused'));
    await again();
    expect(await filesIn('inbox')).toEqual([]);
    expect(await filesIn('handled')).toHaveLength(1);
    await change('resume');
    await untilStored(1);
    expect(await run('handle.mjs')).toEqual(linesOf('resumed'));
  });
});

describe('handle.mjs', () => {
  const epochs = [null, uuid({ msecs: Date.now() - 1000 }), uuid()];

  it('does the work of each object in order, whatever the order of arrival', async () => {
    const places = epochs.flatMap((epoch) => [9, 10, 200].map((position) => ({ epoch, position })));
    const ids = Object.fromEntries(places.map((place) => [JSON.stringify(place), uuid()]));
    for (const place of [...places].reverse())
      await put({ ...place, type: ids[JSON.stringify(place)], objectId: 'a' });
    const order = places.map((place) => `${ids[JSON.stringify(place)]} a`);
    expect(await run('handle.mjs')).toEqual(order);
  });

  it('leaves out what is older than what it has handled of the object', async () => {
    await put({ epoch: epochs[1], position: 10, objectId: 'a' });
    expect(await run('handle.mjs')).toHaveLength(1);
    await put({ epoch: epochs[1], position: 9, objectId: 'a' });
    await put({ epoch: null, position: 11, objectId: 'a' });
    expect(await run('handle.mjs')).toEqual([]);
    await put({ epoch: epochs[2], position: 3, objectId: 'a' });
    await put({ epoch: null, position: 3, objectId: 'b' });
    expect(await run('handle.mjs')).toHaveLength(2);
    expect(await filesIn('inbox')).toEqual([]);
  });
});

describe('catch-up.mjs', () => {
  it('reads what the webhook has not sent, and handles nothing twice', async () => {
    await change('pause');
    await eventually(async () => {
      await run('catch-up.mjs');
      expect(await filesIn('inbox')).toHaveLength(1);
    });
    expect(await run('handle.mjs')).toEqual(linesOf('paused'));
    await change('resume');
    await eventually(async () => {
      await run('catch-up.mjs');
      expect(await filesIn('inbox')).toHaveLength(1);
    });
    expect(await run('handle.mjs')).toEqual(linesOf('resumed'));
  });

  it('reads everything again when its cursor is from another epoch', async () => {
    await change('pause');
    await eventually(async () => {
      await run('catch-up.mjs');
      expect(await filesIn('inbox')).toHaveLength(1);
    });
    await run('handle.mjs');
    const cursor = Buffer.from(await readFile(join(folder, 'cursor'), 'utf8'), 'base64url');
    const other = Buffer.concat([Buffer.of(2), cursor.subarray(1, 17), randomBytes(16), cursor.subarray(-8)]);
    await writeFile(join(folder, 'cursor'), other.toString('base64url'));
    await rm(join(folder, 'handled', (await filesIn('handled'))[0] ?? ''));
    await change('resume');
    await eventually(async () => {
      await run('catch-up.mjs');
      expect(await filesIn('inbox')).toHaveLength(2);
    });
    expect(await run('handle.mjs')).toEqual(linesOf('resumed'));
  });
});
