import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Response } from 'supertest';
import { createApp as createTestApp } from '../builders/app.js';
import { createTenant, type Tenant } from '../builders/identities.js';
import { eventually } from '../support/eventually.js';
import { uploadSource } from '../support/native-builds/sources.js';
import { Api } from '../support/http/api.js';
import { DatabaseProxy } from '../support/servers/database-proxy.js';
import { OwnSite } from '../support/servers/own-site.js';
import { countWaitingFor } from '../support/servers/waiting-for.js';

let site: OwnSite;
let proxy: DatabaseProxy;
let tenant: Tenant;
let api: Api;

beforeAll(async () => {
  site = await OwnSite.start({}, async (databaseUrl) => {
    proxy = await DatabaseProxy.start(databaseUrl);
    return proxy.url;
  });
});
afterAll(async () => {
  await site.dispose();
  await proxy.stop();
});
beforeEach(async () => {
  tenant = await createTenant(site);
  ({ api } = tenant.owner);
  // Requests do not wait for it, and its COMMIT must not be the one that is held.
  await eventually(async () => {
    const used = 'SELECT FROM tokens WHERE user_id = $1 AND last_used_at IS NOT NULL';
    expect(await site.query(used, [tenant.owner.userId])).toHaveLength(1);
  });
});

const createApp = (): Promise<Response> => api.post('/v1/apps', { name: 'Shop' });
const idOf = ({ body }: Response): string => (body as { id: string }).id;
const isReplayed = ({ headers }: Response): boolean => headers['idempotency-replayed'] === 'true';

async function apps(): Promise<string[]> {
  const rows = await site.query<{ id: string }>(
    'SELECT id FROM apps WHERE organization_id = $1 ORDER BY id',
    [tenant.organizationId],
  );
  return rows.map(({ id }) => id);
}

/** Cuts the connection of a request, and waits until the server knows. */
async function cut(request: ClientRequest): Promise<void> {
  const closed = new Promise((resolve) => request.once('close', resolve));
  request.destroy();
  await closed;
  // What the server receives now, it handles after the end of the connection.
  await fetch(`${site.origin}/health/live`);
}

/** The same request as `createApp`, on a connection that can be cut. */
function beginCreation(
  headers: Record<string, string> = {},
  path = '/v1/apps',
  body: object = { name: 'Shop' },
  agent: Agent | false = false,
): ClientRequest {
  const request = httpRequest(`${site.origin}${path}`, {
    method: 'POST',
    agent,
    headers: {
      Authorization: `Bearer ${tenant.owner.token}`,
      'Content-Type': 'application/json',
      ...headers,
    },
  });
  request.on('error', () => undefined);
  request.end(JSON.stringify(body));
  return request;
}

/** The same request as `createApp`, on a connection that is kept, to its end. */
async function createOn(connection: Agent): Promise<{ socket: Socket; id: string }> {
  const request = beginCreation({}, '/v1/apps', { name: 'Shop' }, connection);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const { socket } = response;
  const { id } = JSON.parse((await buffer(response)).toString()) as { id: string };
  return { socket, id };
}

async function killAfterCommit(headers: Record<string, string> = {}): Promise<void> {
  const committed = proxy.holdNextCommit();
  beginCreation(headers);
  await committed;
  await site.server.kill();
  proxy.release();
  await site.restart();
  api = new Api(site.origin, tenant.owner.token);
}

async function cutAfterCommit(...creation: Parameters<typeof beginCreation>): Promise<void> {
  const committed = proxy.holdNextCommit();
  const request = beginCreation(...creation);
  await committed;
  await cut(request);
  proxy.release();
}

describe('a POST whose answer is lost', () => {
  it('is answered again after the process was killed between commit and answer', async () => {
    await killAfterCommit();
    const created = await apps();
    expect(created).toHaveLength(1);
    const again = await createApp();
    expect(again.status).toBe(201);
    expect(isReplayed(again)).toBe(true);
    expect(idOf(again)).toBe(created[0]);
    expect(await apps()).toEqual(created);
  });

  it('is answered again after the connection was cut between commit and answer', async () => {
    await cutAfterCommit();
    const again = await createApp();
    expect(isReplayed(again)).toBe(true);
    expect(await apps()).toEqual([idOf(again)]);
  });

  it('is answered again where the handler asks another server before it writes', async () => {
    const app = await createTestApp(tenant);
    const path = `${app.path}/builds`;
    const body = { platform: 'web', appBuildSourceId: await uploadSource(app) };
    await cutAfterCommit({}, path, body);
    const again = await api.post(path, body);
    expect([again.status, isReplayed(again)]).toEqual([201, true]);
    const { body: builds } = await api.get(path);
    expect((builds as { id: string }[]).map(({ id }) => id)).toEqual([idOf(again)]);
    expect(isReplayed(await api.post(path, body))).toBe(false);
  });

  it('is carried out again once the answer has arrived', async () => {
    await cutAfterCommit();
    const again = await createApp();
    const another = await createApp();
    expect(isReplayed(another)).toBe(false);
    expect(await apps()).toEqual([idOf(again), idOf(another)].sort());
  });

  it('is answered again after the connection was reset right behind the answer', async () => {
    const connection = new Agent({ keepAlive: true, maxSockets: 1 });
    const { socket, id } = await createOn(connection);
    socket.resetAndDestroy();
    // Not the row that is deleted once the answer has been sent.
    await eventually(async () => {
      const stored = `SELECT FROM stored_responses AS stored JOIN apps AS app ON app.id = $1
                       WHERE stored.created_at > app.created_at + interval '200 milliseconds'`;
      expect(await site.query(stored, [id])).toHaveLength(1);
    });
    const again = await createApp();
    expect(isReplayed(again)).toBe(true);
    expect(await apps()).toEqual([idOf(again)]);
    connection.destroy();
  });

  it('has arrived when its connection brings another request, whatever becomes of that one', async () => {
    const connection = new Agent({ keepAlive: true, maxSockets: 1 });
    const { socket, id } = await createOn(connection);
    const next = httpRequest(`${site.origin}/health/live`, { agent: connection });
    next.on('error', () => undefined).end();
    const [used] = (await once(next, 'socket')) as [Socket];
    expect(used === socket).toBe(true);
    await once(next, 'response');
    socket.resetAndDestroy();
    // Longer than a reset counts.
    await sleep(400);
    const another = await createApp();
    expect(isReplayed(another)).toBe(false);
    expect(await apps()).toEqual([id, idOf(another)].sort());
    connection.destroy();
  });

  it('gives every lost answer to one caller', async () => {
    await cutAfterCommit();
    await eventually(async () => expect(await apps()).toHaveLength(1));
    // Answers that have arrived a moment ago may still be there.
    const kept = await site.query(
      'SELECT FROM stored_responses AS stored JOIN tokens ON tokens.id = token_id WHERE user_id = $1',
      [tenant.owner.userId],
    );
    // As if two requests had been lost at once.
    const [first] = await apps();
    const answers = await Promise.all([createApp(), createApp()]);
    expect(kept).toHaveLength(1);
    expect(answers.filter(isReplayed).map(idOf)).toEqual([first]);
    expect(await apps()).toHaveLength(2);
  });

  it('does not answer another request', async () => {
    await cutAfterCommit();
    const other = await createTenant(site);
    const answers = [
      await api.post('/v1/apps', { name: 'Other shop' }),
      await api.post(`/v1/apps?organizationId=${tenant.organizationId}`, { name: 'Shop' }),
      await other.owner.api.post('/v1/apps', { name: 'Shop' }),
    ];
    expect(answers.map(isReplayed)).toEqual([false, false, false]);
  });

  it('is forgotten after two minutes', async () => {
    await cutAfterCommit();
    await site.query("UPDATE stored_responses SET created_at = now() - interval '121 seconds'");
    expect(isReplayed(await createApp())).toBe(false);
    expect(await apps()).toHaveLength(2);
  });
});

describe('a POST whose caller has left', () => {
  it('is undone', async () => {
    const blocker = new pg.Client({ connectionString: site.databaseUrl });
    await blocker.connect();
    try {
      // Of the organization alone: whatever the server does for others goes on.
      await blocker.query('BEGIN');
      await blocker.query('SELECT FROM organizations WHERE id = $1 FOR UPDATE', [tenant.organizationId]);
      const request = beginCreation();
      await eventually(async () => expect(await countWaitingFor(blocker)).toBe(1));
      await cut(request);
      await blocker.query('COMMIT');
      await eventually(async () => expect(await countWaitingFor(blocker)).toBe(0));
    } finally {
      await blocker.end();
    }
    const created = await createApp();
    expect(isReplayed(created)).toBe(false);
    expect(await apps()).toEqual([idOf(created)]);
  });
});

describe('POSTs that are answered', () => {
  it('are all carried out, however alike and however fast', async () => {
    for (let i = 0; i < 3; i++) await createApp();
    await Promise.all(Array.from({ length: 6 }, createApp));
    expect(await apps()).toHaveLength(9);
  });

  it('are carried out beside the same one, however long its answer takes', async () => {
    const committed = proxy.holdNextCommit();
    const slow = createApp();
    await committed;
    const twin = createApp();
    await sleep(1500);
    expect(await apps()).toHaveLength(1);
    proxy.release();
    const answers = await Promise.all([slow, twin]);
    expect(answers.map(isReplayed)).toEqual([false, false]);
    expect(await apps()).toEqual(answers.map(idOf));
  });

  it('leave nothing behind', async () => {
    await createApp();
    await eventually(async () => {
      const left =
        "SELECT id FROM stored_responses WHERE key IS NULL AND created_at > now() - interval '2 seconds'";
      expect(await site.query(left)).toEqual([]);
    });
  });
});

describe('a POST with an Idempotency-Key', () => {
  it('is answered again after the process was killed between commit and answer', async () => {
    await killAfterCommit({ 'Idempotency-Key': 'killed' });
    const again = await api
      .request('post', '/v1/apps')
      .set('Idempotency-Key', 'killed')
      .send({ name: 'Shop' });
    expect(isReplayed(again)).toBe(true);
    expect(await apps()).toEqual([idOf(again)]);
  });
});
