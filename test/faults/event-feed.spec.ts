import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, type TestApp } from '../builders/app.js';
import { createChannel, type TestChannel } from '../builders/channel.js';
import { type Actor, createMember, createTenant, type Tenant } from '../builders/identities.js';
import {
  type Balancer,
  missingPrograms,
  startHaproxyExample,
  startNginxExample,
} from '../drills/balancers.js';
import { freePort } from '../setup/free-port.js';
import { TEST_NAME } from '../setup/databases.js';
import type { ServerProcess } from '../setup/server.js';
import { type ReadFeed, readEvents } from '../support/events/feed.js';
import { eventually } from '../support/eventually.js';
import { DatabaseProxy } from '../support/servers/database-proxy.js';
import { OwnSite } from '../support/servers/own-site.js';

const TENANTS = 5;
const USERS = 10;
const REQUESTS = 20;

let proxy: DatabaseProxy;
let site: OwnSite;
let second: ServerProcess;
const agent = new Agent({ maxSockets: Infinity });

beforeAll(async () => {
  site = await OwnSite.start({ RATE_LIMIT_TOKEN: '0', TRUST_PROXY: '1' }, async (url) => {
    proxy = await DatabaseProxy.start(url);
    return proxy.url;
  });
  second = await OwnSite.beside(site);
});
beforeEach(() => site.resume());
afterAll(async () => {
  agent.destroy();
  await second.kill();
  await site.dispose();
  await proxy.stop().catch(() => undefined);
});

/** An organization with a channel. */
interface Scene {
  readonly tenant: Tenant;
  readonly app: TestApp;
  readonly channel: TestChannel;
  /** Before everything that happens to the channel. */
  readonly cursor: string;
}

async function createScene(): Promise<Scene> {
  const tenant = await createTenant(site);
  const app = await createApp(tenant);
  const channel = await createChannel(app);
  await sleep(100);
  const { cursor } = await readEvents(tenant.owner.api, tenant.organizationId, { start: 'latest' });
  return { tenant, app, channel, cursor };
}

const pause = ({ app, channel }: Scene) => app.api.post(`${app.path}/channels/${channel.id}/pause`);

/** A request that waits. */
class Wait {
  private readonly sent: ClientRequest;
  readonly ended: Promise<{ status: number; feed: ReadFeed }>;

  constructor(scene: Scene, actor: Actor, { origin = site.origin, seconds = 25 } = {}) {
    const { organizationId } = scene.tenant;
    const url = `${origin}/v1/organizations/${organizationId}/events?wait=${seconds}&types=app_channel_paused&cursor=${scene.cursor}`;
    this.sent = request(url, { agent, headers: { authorization: `Bearer ${actor.token}` } });
    this.ended = this.receive();
    this.ended.catch(() => undefined);
    this.sent.end();
  }

  leave(): void {
    this.sent.destroy();
  }

  private async receive(): Promise<{ status: number; feed: ReadFeed }> {
    const [response] = (await once(this.sent, 'response')) as [IncomingMessage];
    const chunks = (await response.toArray()) as Buffer[];
    const feed = JSON.parse(Buffer.concat(chunks).toString()) as ReadFeed;
    return { status: response.statusCode ?? 0, feed };
  }
}

/** Fails when the request ends soon. */
async function expectWaiting(wait: Wait): Promise<void> {
  const ended = await Promise.race([wait.ended.then(() => true), sleep(500).then(() => false)]);
  expect(ended).toBe(false);
}

async function expectPaused(wait: Wait, { channel }: Scene): Promise<void> {
  const { status, feed } = await wait.ended;
  expect({ status, types: feed.events.map(({ type, objectId }) => [type, objectId]) }).toEqual({
    status: 200,
    types: [['app_channel_paused', channel.id]],
  });
}

it('gives an event to 1,000 requests that wait, with few reads of the database', async () => {
  const scenes: Scene[] = [];
  const waits: { readonly scene: Scene; readonly wait: Wait }[] = [];
  for (let i = 0; i < TENANTS; i++) {
    const scene = await createScene();
    scenes.push(scene);
    for (let user = 0; user < USERS; user++) {
      const member = await createMember(scene.tenant, 'viewer', site);
      for (let n = 0; n < REQUESTS; n++) waits.push({ scene, wait: new Wait(scene, member) });
      await sleep(50);
    }
  }
  // Background work has transactions, too, but not all the time.
  await eventually(async () => {
    const busy = await site.query(
      `SELECT query FROM pg_stat_activity
        WHERE datname = current_database() AND application_name <> $1 AND xact_start IS NOT NULL`,
      [TEST_NAME],
    );
    expect(busy).toEqual([]);
  });
  await Promise.all(waits.slice(0, 50).map(({ wait }) => expectWaiting(wait)));

  const recorded = proxy.record();
  await Promise.all(scenes.map(pause));
  await Promise.all(waits.map(({ scene, wait }) => expectPaused(wait, scene)));
  const statements = recorded();
  const reads = statements.split('"hasItsApp" FROM events').length - 1;
  // One for each organization and batch, and those of the second server and of repeated signals.
  expect(reads).toBeLessThanOrEqual(5 * TENANTS);
});

it('ends waits with a cursor when the server stops', async () => {
  const scene = await createScene();
  const wait = new Wait(scene, scene.tenant.owner);
  await expectWaiting(wait);
  const stopped = site.server.stop();
  const { status, feed } = await wait.ended;
  expect({ status, events: feed.events }).toEqual({ status: 200, events: [] });
  expect(await stopped).toBe(0);
  await pause(scene).catch(() => undefined);
  await site.resume();
});

it('sees events whose signals were lost', async () => {
  const scene = await createScene();
  const waits = [site.origin, second.origin].map((origin) => new Wait(scene, scene.tenant.owner, { origin }));
  await Promise.all(waits.map(expectWaiting));
  await site.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'slipway-listen' AND datname = current_database()`,
  );
  await pause(scene);
  await Promise.all(waits.map((wait) => expectPaused(wait, scene)));
});

it('keeps waits while the database is away', async () => {
  const scene = await createScene();
  const short = new Wait(scene, scene.tenant.owner, { seconds: 3 });
  const long = new Wait(scene, scene.tenant.owner);
  await expectWaiting(long);
  await proxy.stop();
  const { status, feed } = await short.ended;
  expect({ status, events: feed.events }).toEqual({ status: 200, events: [] });
  await proxy.resume();
  await eventually(async () => expect((await pause(scene)).status).toBeLessThan(300));
  await expectPaused(long, scene);
});

it('forgets requests whose clients have left', async () => {
  const scene = await createScene();
  const { owner } = scene.tenant;
  const waits = Array.from({ length: REQUESTS }, () => new Wait(scene, owner));
  await Promise.all(waits.map(expectWaiting));
  // Under load, a later request may overtake one of them, which then is the one too many.
  await eventually(async () => {
    const next = new Wait(scene, owner);
    waits.push(next);
    const ended = next.ended.then(({ status }) => status);
    expect(await Promise.race([ended, sleep(1000, 'waits')])).toBe(429);
  });
  waits.forEach((wait) => wait.leave());
  await eventually(async () => expect((await new Wait(scene, owner, { seconds: 1 }).ended).status).toBe(200));
});

const balancers = { 'nginx.conf': startNginxExample, 'haproxy.cfg': startHaproxyExample };
const withBalancers = missingPrograms().length > 0 ? it.skip : it;

withBalancers('waits for 25 seconds through deploy/proxies', async () => {
  const scene = await createScene();
  const servers = [site.origin, second.origin].map((origin) => Number(new URL(origin).port));
  const started: Balancer[] = [];
  for (const start of Object.values(balancers)) {
    const port = await freePort();
    started.push(await start({ balancer: port, servers: servers as unknown as readonly [number, number] }));
  }
  try {
    const waits = started.map(({ origin }) => new Wait(scene, scene.tenant.owner, { origin }));
    for (const { ended } of waits) {
      const { status, feed } = await ended;
      expect({ status, events: feed.events }).toEqual({ status: 200, events: [] });
    }
    const late = started.map(({ origin }) => new Wait(scene, scene.tenant.owner, { origin }));
    await Promise.all(late.map(expectWaiting));
    await pause(scene);
    await Promise.all(late.map((wait) => expectPaused(wait, scene)));
  } finally {
    await Promise.all(started.map((balancer) => balancer.stop()));
  }
});
