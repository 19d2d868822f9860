import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { behaviours, WebhookReceiver } from '../support/notifications/webhook-receiver.js';
import { WebhookScene } from '../support/notifications/webhook-scene.js';
import { OwnSite } from '../support/servers/own-site.js';
import { runQueue } from '../support/servers/run-queue.js';

let receiver: WebhookReceiver;
let site: OwnSite;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  site = await OwnSite.start();
});
afterAll(async () => {
  await site.dispose();
  await receiver.stop();
});

const MINUTE = 60_000;
const create = (values: object = {}): Promise<WebhookScene> => WebhookScene.create(site, receiver, values);
const named = (object: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${object}${n + 1}`);
const all = (names: readonly string[], state: string): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, state]));

describe('a receiver that responds with another 4xx', () => {
  it.each(['strict', 'object'])('for ten minutes to everything has lost nothing (%s)', async (ordering) => {
    const scene = await create({ ordering });
    await scene.happen(['A1']);
    await scene.arrived('A1');
    scene.behave(behaviours.status(404));
    const names = ['B1', 'A2', 'B2', 'C1', 'A3', 'D1', 'B3'];
    await scene.happen(names);
    // Five in a row, one of them of a type that it has accepted before.
    await eventually(async () => {
      const states = [...(await scene.deliveries()).values()].map(({ status }) => status);
      expect(states.filter((status) => status === 'pending')).toHaveLength(7);
    });
    await scene.arrived('A1', 'B1', 'A2', 'B2', 'C1', 'A3');
    await scene.nextAttempt();
    // The same, and a new one.
    await scene.arrived('A1', ...names.slice(0, 5), ...names.slice(0, 6));
    await scene.nextAttempt();
    await scene.arrived('A1', ...names.slice(0, 5), ...names.slice(0, 6), ...names);
    // Until there is another one, the receiver rests.
    scene.behave(behaviours.ok);
    await scene.happen(['E1']);
    await scene.become(all(['A1', ...names, 'E1'], 'succeeded'));
    expect(scene.arrivals.slice(-8)).toEqual([...names, 'E1']);
  });

  it('to types that it has never accepted gets the others, and what it has rejected is undelivered', async () => {
    const scene = await create();
    const typeOf = (name: string): string =>
      name.startsWith('U') ? 'app_channel_resumed' : 'app_channel_paused';
    scene.respond((_event, type) => (type === 'app_channel_resumed' ? 422 : undefined));
    await scene.happen(['A1', ...named('U', 7), 'A2'], typeOf);
    await scene.become({ ...all(named('U', 7), 'failed'), A1: 'succeeded', A2: 'succeeded' });
    expect(scene.arrivals).toEqual(['A1', ...named('U', 7), 'A2']);
    const { body } = await scene.api.get(scene.webhook.path);
    // A success does not forget them.
    expect(body).toMatchObject({
      failingSince: null,
      undelivered: 7,
      undeliveredSince: expect.any(String) as string,
    });
    const { undeliveredRequest } = body as { undeliveredRequest: string };
    expect(undeliveredRequest).toBe(`GET ${scene.webhook.path}/deliveries?status=failed`);
    const { body: listed } = await scene.api.get(undeliveredRequest.slice('GET '.length));
    expect(listed).toHaveLength(7);
  });

  it('to five events, but takes the next one, did not want these', async () => {
    const scene = await create();
    scene.respond((event) => (event.startsWith('U') ? 404 : undefined));
    await scene.happen(['A1', ...named('U', 5)]);
    await scene.become({ A1: 'succeeded', ...all(named('U', 5), 'pending') });
    await scene.happen(['A2']);
    await scene.become({ A1: 'succeeded', ...all(named('U', 5), 'failed'), A2: 'succeeded' });
    expect(scene.arrivals.slice(-6)).toEqual([...named('U', 5), 'A2']);
  });

  it('to five events is tried again on the schedule, and they are undelivered after three days', async () => {
    const scene = await create();
    scene.respond((event) => (event.startsWith('U') ? 404 : undefined));
    await scene.happen(['A1', ...named('U', 5)]);
    await scene.become({ A1: 'succeeded', ...all(named('U', 5), 'pending') });
    for (let passed = 0; passed < 73 * 60 * MINUTE;) {
      passed += await scene.nextAttempt();
      await eventually(async () => {
        const states = [...(await scene.deliveries()).values()].map(({ status }) => status);
        expect([5, 0]).toContain(states.filter((status) => status === 'pending').length);
      });
      if ((await scene.delivery('U1')).status === 'failed') break;
    }
    await scene.become({ A1: 'succeeded', ...all(named('U', 5), 'failed') });
  });
});

it.each([401, 403, 407, 302])('keeps what a receiver responds to with %i', async (status) => {
  const scene = await create();
  scene.behave(behaviours.status(status, { location: 'https://example.com/' }));
  await scene.happen(['A1', 'B1']);
  await scene.arrived('A1');
  await scene.become({ A1: 'pending', B1: 'pending' });
  scene.behave(behaviours.ok);
  await scene.nextAttempt();
  await scene.become({ A1: 'succeeded', B1: 'succeeded' });
});

it('sends nothing elsewhere for a redirect of a receiver to itself', async () => {
  const scene = await create();
  const { body } = await scene.api.get(scene.webhook.path);
  scene.behave(behaviours.redirect((body as { url: string }).url));
  await scene.happen(['A1']);
  await scene.arrived('A1');
  await scene.become({ A1: 'pending' });
  expect(scene.arrivals).toEqual(['A1']);
});

describe('a receiver that is busy', () => {
  it('is called after the time that it has asked for, which counts for nothing', async () => {
    const scene = await create();
    scene.behave(behaviours.status(429, { 'retry-after': '3600' }));
    await scene.happen(['A1', 'B1']);
    await scene.arrived('A1');
    for (let attempt = 2; attempt <= 4; attempt++) {
      expect(Math.round((await scene.nextAttempt()) / MINUTE)).toBe(60);
      expect(scene.arrivals).toHaveLength(attempt);
    }
    await eventually(async () => {
      const sql = 'SELECT failures, busy_responses FROM webhook_schedules WHERE webhook_id = $1';
      expect(await site.query(sql, [scene.webhook.id])).toEqual([{ failures: 0, busy_responses: 4 }]);
    });
    scene.behave(behaviours.ok);
    await scene.nextAttempt();
    await scene.become({ A1: 'succeeded', B1: 'succeeded' });
  });

  it('is called once a minute at most from the tenth time in a row on', async () => {
    const scene = await create();
    scene.behave(behaviours.status(503, { 'retry-after': '1' }));
    await scene.happen(['A1']);
    await eventually(() => expect(scene.arrivals).toHaveLength(10), 120_000);
    const wait = await scene.untilNext();
    expect(wait).toBeGreaterThan(50_000);
    expect(wait).toBeLessThan(60_001);
  });

  it.each(['-1', '1e9', 'Thu, 01 Jan 1970 00:00:00 GMT'])(
    'waits as usual for Retry-After: %s',
    async (header) => {
      const scene = await create();
      scene.behave(behaviours.status(429, { 'retry-after': header }));
      await scene.happen(['A1']);
      await scene.arrived('A1');
      expect(await scene.untilNext()).toBeLessThan(6000);
    },
  );
});

describe('a receiver that does not work', () => {
  it('is reported after five minutes, once, and when it works again', async () => {
    const scene = await create();
    scene.behave(behaviours.status(500));
    await scene.happen(['A1']);
    await scene.arrived('A1');
    expect(await scene.nextAttempt()).toBeLessThan(6000);
    expect(await scene.ownEvents()).toEqual([]);
    // With the third attempt, or without one.
    let passed = 0;
    while ((await scene.ownEvents()).length === 0) {
      passed += await scene.untilNext();
      await eventually(async () => expect(await scene.untilRun()).toBeGreaterThan(0));
    }
    expect(passed).toBeGreaterThan(4.8 * MINUTE);
    expect(passed).toBeLessThan(6 * MINUTE);
    await scene.nextAttempt();
    await scene.nextAttempt();
    expect(await scene.ownEvents()).toEqual(['webhook_failing']);
    scene.behave(behaviours.ok);
    await scene.nextAttempt();
    await eventually(async () =>
      expect(await scene.ownEvents()).toEqual(['webhook_failing', 'webhook_recovered']),
    );
    const events = await site.query<{ data: object }>(
      'SELECT data FROM events WHERE object_id = $1 ORDER BY serial',
      [scene.webhook.id],
    );
    const { id: webhookId, name: webhookName } = scene.webhook;
    const data = { webhookId, webhookName, appId: scene.app.id, failingSince: expect.any(String) as string };
    expect(events.map((event) => event.data)).toEqual([data, { ...data, undelivered: 0 }]);
  });

  it('is not reported for an event that is set aside', async () => {
    const scene = await create();
    scene.respond((event) => (event === 'A1' ? 500 : undefined));
    await scene.happen(['A1', 'B1']);
    for (const attempts of [1, 2]) {
      await eventually(() => expect(scene.arrivals).toHaveLength(attempts));
      await scene.untilNext();
    }
    await scene.become({ A1: 'aside', B1: 'succeeded' });
    await scene.untilNext();
    await eventually(() => expect(scene.arrivals.filter((name) => name === 'A1')).toHaveLength(5));
    expect(await scene.ownEvents()).toEqual([]);
  });
});

it('trusts no time that is further away than it was planned', async () => {
  const scene = await create();
  scene.behave(behaviours.status(500));
  await scene.happen(['A1']);
  await scene.arrived('A1');
  scene.behave(behaviours.ok);
  // As after a clock that was put back.
  await eventually(async () => {
    await scene.pass(-40 * 24 * 60 * MINUTE);
    expect(scene.arrivals).toEqual(['A1']);
  });
  await runQueue(site, 'lost-webhook-deliveries');
  await scene.become({ A1: 'succeeded' });
});

it('gives everything in order to 50 webhooks that fail together', async () => {
  const scenes = await Promise.all(Array.from({ length: 50 }, () => create()));
  for (const scene of scenes) scene.behave(behaviours.status(500));
  await Promise.all(scenes.map((scene) => scene.happen(['A1', 'B1', 'A2'])));
  await Promise.all(scenes.map((scene) => scene.arrived('A1')));
  for (const scene of scenes) scene.behave(behaviours.ok);
  await Promise.all(
    scenes.map((scene) => scene.become({ A1: 'succeeded', B1: 'succeeded', A2: 'succeeded' })),
  );
  for (const scene of scenes) expect(scene.arrivals.slice(-3)).toEqual(['A1', 'B1', 'A2']);
});

it('with a certificate that is not trusted gets nothing, and its events wait', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const own = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=elsewhere.example',
    '-days',
    '2',
  ];
  spawnSync('openssl', [...own, '-keyout', key, '-out', cert]);
  let requests = 0;
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) => {
    requests++;
    response.end();
  });
  try {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const scene = await create({ url: `https://127.0.0.1:${port}` });
    await scene.happen(['A1', 'B1']);
    const path = await eventually(async () => {
      const { id, attemptCount } = await scene.delivery('A1');
      expect(attemptCount).toBeGreaterThan(0);
      return `${scene.webhook.path}/deliveries/${id}`;
    });
    const { body } = await scene.api.get(path);
    const [attempt] = (body as { attempts: { error: string }[] }).attempts;
    expect(attempt?.error).toMatch(/^The certificate of 127\.0\.0\.1\S* is not trusted \(/);
    expect((await scene.delivery('A1')).status).toBe('pending');
    expect((await scene.delivery('B1')).attemptCount).toBe(0);
    expect(requests).toBe(0);
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
});
