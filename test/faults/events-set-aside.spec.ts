import { randomUUID } from 'node:crypto';
import { behaviours, WebhookReceiver } from '../support/notifications/webhook-receiver.js';
import { WebhookScene } from '../support/notifications/webhook-scene.js';
import { expectError } from '../support/http/expect-error.js';
import { eventually } from '../support/eventually.js';
import { OwnSite } from '../support/servers/own-site.js';

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

const HOUR = 3_600_000;
const create = (values: object = {}): Promise<WebhookScene> => WebhookScene.create(site, receiver, values);

/** A webhook with A1, which its receiver fails for, set aside; and A2, which waits for it. */
async function setAside(values: object = {}): Promise<WebhookScene> {
  const scene = await create(values);
  scene.respond((event) => (event === 'A1' ? 500 : undefined));
  await scene.happen(['A1', 'B1', 'A2', 'C1'], (name) =>
    name === 'B1' ? 'app_channel_resumed' : 'app_channel_paused',
  );
  await scene.arrived('A1');
  await scene.nextAttempt();
  await scene.arrived('A1', 'A1');
  await scene.nextAttempt();
  await scene.become({ A1: 'aside', B1: 'succeeded', A2: 'aside', C1: 'succeeded' });
  return scene;
}

it('sets an event aside that the receiver fails for, and only that when the receiver works for others', async () => {
  const scene = await setAside();
  // Three times, then another type, and at once again; then what remains.
  await scene.arrived('A1', 'A1', 'A1', 'B1', 'A1', 'C1');
  await scene.happen(['D1', 'A3']);
  await scene.become({
    A1: 'aside',
    B1: 'succeeded',
    A2: 'aside',
    C1: 'succeeded',
    D1: 'succeeded',
    A3: 'aside',
  });
  const { body } = await scene.api.get(scene.webhook.path);
  expect(body).toMatchObject({ ordering: 'object', failingSince: null });
  const { id } = await scene.delivery('A1');
  const shown = await scene.api.get(`${scene.webhook.path}/deliveries/${id}`);
  const { nextAttemptAt } = shown.body as { nextAttemptAt: string };
  const wait = new Date(nextAttemptAt).getTime() - Date.now();
  expect(wait).toBeGreaterThan(20 * 60_000);
  expect(wait).toBeLessThan(35 * 60_000);

  scene.behave(behaviours.ok);
  await scene.nextAttempt();
  await scene.arrived('A1', 'A1', 'A1', 'B1', 'A1', 'C1', 'D1', 'A1', 'A2', 'A3');
  expect(
    await site.query('SELECT FROM webhook_objects_aside WHERE webhook_id = $1', [scene.webhook.id]),
  ).toEqual([]);
  await scene.happen(['A4']);
  await eventually(() => expect(scene.arrivals.at(-1)).toBe('A4'));
});

it('retries what is set aside on its own schedule, for three days, then tries the next one of the object', async () => {
  const scene = await setAside();
  let passed = 0;
  for (let attempt = 2; passed < 71.9 * HOUR; attempt++) {
    passed += await scene.nextAttempt();
    await eventually(() =>
      expect(scene.arrivals.filter((name) => name === 'A1').length).toBeGreaterThan(attempt + 2),
    );
  }
  await eventually(async () => expect((await scene.delivery('A2')).status).toBe('succeeded'));
  expect((await scene.delivery('A1')).reason).toMatch(/^Given up after three days and \d+ attempts\./);
  expect(passed / HOUR).toBeLessThan(72.5);
});

it('sets nothing aside when the receiver fails for others, too', async () => {
  const scene = await create();
  scene.behave(behaviours.status(500));
  await scene.happen(['A1', 'B1', 'C1', 'D1', 'E1']);
  for (const attempts of [1, 2]) {
    await eventually(() => expect(scene.arrivals).toHaveLength(attempts));
    await scene.nextAttempt();
  }
  // The third failure, and three events of other objects.
  await scene.arrived('A1', 'A1', 'A1', 'B1', 'C1', 'D1');
  await scene.become({ A1: 'pending', B1: 'pending', C1: 'pending', D1: 'pending', E1: 'pending' });
  const wait = await scene.nextAttempt();
  expect(wait).toBeGreaterThan(26 * 60_000);
  // Others than before are tried first, and the webhook is in order again when it works.
  await eventually(() => expect(scene.arrivals).toHaveLength(10));
  expect(scene.arrivals.slice(6, 8)).toEqual(['A1', 'E1']);
  scene.behave(behaviours.ok);
  await scene.nextAttempt();
  await eventually(() => expect(scene.arrivals.slice(10)).toEqual(['A1', 'B1', 'C1', 'D1', 'E1']));
});

it('tries a new event at once that may show that the receiver works, once in each rest', async () => {
  const scene = await create();
  scene.respond((event) => (event === 'A1' || event === 'B1' ? 500 : undefined));
  await scene.happen(['A1']);
  for (const attempts of [1, 2, 3, 4]) {
    await eventually(() => expect(scene.arrivals).toHaveLength(attempts));
    if (attempts < 4) await scene.nextAttempt();
  }
  await scene.happen(['B1']);
  await scene.arrived('A1', 'A1', 'A1', 'A1', 'B1');
  // The rest is as long as it was.
  const rest = await scene.nextAttempt();
  expect(rest).toBeGreaterThan(1.7 * HOUR);
  await eventually(() => expect(scene.arrivals.length).toBeGreaterThanOrEqual(7));
  await scene.happen(['C1']);
  await scene.become({ A1: 'pending', B1: 'pending', C1: 'pending' });
  expect(scene.arrivals).toHaveLength(7);
  await scene.nextAttempt();
  await scene.become({ A1: 'aside', B1: 'pending', C1: 'succeeded' });
});

it('sends everything in the order of positions when the webhook says so', async () => {
  const scene = await create({ ordering: 'strict' });
  scene.respond((event) => (event === 'A1' ? 500 : undefined));
  await scene.happen(['A1', 'B1']);
  for (const attempts of [1, 2, 3]) {
    await eventually(() => expect(scene.arrivals).toHaveLength(attempts));
    await scene.nextAttempt();
  }
  await scene.arrived('A1', 'A1', 'A1', 'A1');
  const refused = await scene.ask('B1', 'redeliver');
  const { id } = await scene.delivery('A1');
  expect(expectError(refused, 409, 'webhook_delivery_waits').message).toBe(
    `The delivery waits for an earlier one: ${id}. Redeliver or skip that first.`,
  );
  await scene.api.patch(scene.webhook.path, { ordering: 'object' });
  await scene.nextAttempt();
  await scene.become({ A1: 'aside', B1: 'succeeded' });
  // And back.
  scene.behave(behaviours.ok);
  await scene.api.patch(scene.webhook.path, { ordering: 'strict' });
  await scene.become({ A1: 'succeeded', B1: 'succeeded' });
});

it('sets at most a hundred objects aside', async () => {
  const scene = await create();
  scene.respond((event) => (event === 'A1' ? 500 : undefined));
  await site.query(
    `INSERT INTO webhook_objects_aside (webhook_id, object_id, retry_at, wait_ms)
     SELECT $1, gen_random_uuid(), now() + interval '9 days', 1000000000 FROM generate_series(1, 100)`,
    [scene.webhook.id],
  );
  await scene.happen(['A1', 'B1']);
  for (const attempts of [1, 2, 3]) {
    await eventually(() => expect(scene.arrivals).toHaveLength(attempts));
    await scene.nextAttempt();
  }
  await scene.arrived('A1', 'A1', 'A1', 'A1');
});

it('sets all objects aside whose events are of a type that the receiver fails for', async () => {
  const scene = await create();
  const typeOf = (name: string): string =>
    /[ABC]/.test(name) ? 'app_channel_paused' : 'app_channel_resumed';
  scene.respond((_event, type) => (type === 'app_channel_paused' ? 500 : undefined));
  await scene.happen(['A1', 'B1', 'C1', 'X1', 'Y1', 'Z1'], typeOf);
  for (let round = 0; round < 6; round++) {
    const before = scene.arrivals.length;
    await eventually(() => expect(scene.arrivals.length).toBeGreaterThan(before - 1));
    await scene.nextAttempt();
    await eventually(() => expect(scene.arrivals.length).toBeGreaterThan(before));
  }
  await scene.become({
    A1: 'aside',
    B1: 'aside',
    C1: 'aside',
    X1: 'succeeded',
    Y1: 'succeeded',
    Z1: 'succeeded',
  });
  await scene.happen(['X2'], typeOf);
  await eventually(() => expect(scene.arrivals.at(-1)).toBe('X2'));
});

it('stands still for no object with 10,000 later events', async () => {
  const scene = await setAside();
  const object = scene.objectOf('A');
  await site.query(
    `INSERT INTO webhook_deliveries (id, webhook_id, event_id, event_type, object_id, position, status)
     SELECT gen_random_uuid(), $1, gen_random_uuid(), 'app_channel_paused', $2, 1000 + n, 'pending'
       FROM generate_series(1, 10000) AS n`,
    [scene.webhook.id, object],
  );
  await site.query('UPDATE event_positions SET position = 20000 WHERE organization_id = $1', [
    scene.tenant.organizationId,
  ]);
  const begin = Date.now();
  await scene.happen(['D1', 'E1', 'F1']);
  await eventually(() => expect(scene.arrivals.slice(-3)).toEqual(['D1', 'E1', 'F1']));
  expect(Date.now() - begin).toBeLessThan(15_000);
  const hidden = await site.query(
    `SELECT FROM webhook_deliveries WHERE webhook_id = $1 AND status = 'pending' AND set_aside`,
    [scene.webhook.id],
  );
  expect(hidden).toHaveLength(10_002);
});

describe('what is set aside', () => {
  it('is sent now when a user wants it, in the order of its object', async () => {
    const scene = await setAside();
    const refused = await scene.ask('A2', 'redeliver');
    const { id } = await scene.delivery('A1');
    expect(expectError(refused, 409, 'webhook_delivery_waits').message).toBe(
      `The delivery waits for an earlier one of its object: ${id}. Redeliver or skip that first.`,
    );
    const before = scene.arrivals.length;
    expect(await scene.ask('A1', 'redeliver')).toMatchObject({ status: 200, body: { status: 'pending' } });
    await eventually(() => expect(scene.arrivals).toHaveLength(before + 1));
    await scene.become({ A1: 'aside', B1: 'succeeded', A2: 'aside', C1: 'succeeded' });
    scene.behave(behaviours.ok);
    await scene.ask('A1', 'redeliver');
    await scene.become({ A1: 'succeeded', B1: 'succeeded', A2: 'succeeded', C1: 'succeeded' });
    expect(scene.arrivals.slice(-2)).toEqual(['A1', 'A2']);
  });

  it('goes to another address, and is tried with another secret', async () => {
    const scene = await setAside({ signingSecret: 'the former secret of a test' });
    const before = scene.arrivals.length;
    await scene.api.post(`${scene.webhook.path}/rotate-secret`);
    await eventually(() => expect(scene.arrivals).toHaveLength(before + 1));
    const other = await create();
    const { body } = await other.api.get(other.webhook.path);
    await scene.api.patch(scene.webhook.path, { url: (body as { url: string }).url });
    await scene.become({ A1: 'succeeded', B1: 'succeeded', A2: 'succeeded', C1: 'succeeded' });
    expect(other.arrivals).toHaveLength(2);
  });

  it('is given up with the webhook, and recovered in its order', async () => {
    const scene = await setAside();
    await scene.api.patch(scene.webhook.path, { enabled: false });
    await scene.become({ A1: 'failed', B1: 'succeeded', A2: 'failed', C1: 'succeeded' });
    await scene.api.patch(scene.webhook.path, { enabled: true });
    scene.behave(behaviours.ok);
    const { body } = await scene.api.get(scene.webhook.path);
    const { undelivered, undeliveredSince, undeliveredRequest } = body as Record<string, unknown>;
    expect(undelivered).toBe(2);
    const listed = await scene.api.get(String(undeliveredRequest).replace('GET ', ''));
    expect(listed.body).toHaveLength(2);
    const recovery = await scene.api.post(`${scene.webhook.path}/recover`, { since: undeliveredSince });
    expect(recovery.body).toEqual({ requested: 2, continueFrom: null });
    await scene.become({ A1: 'succeeded', B1: 'succeeded', A2: 'succeeded', C1: 'succeeded' });
    expect(scene.arrivals.slice(-2)).toEqual(['A1', 'A2']);
  });

  it('is deleted with the webhook', async () => {
    const scene = await setAside();
    expect((await scene.api.delete(scene.webhook.path)).status).toBe(204);
    const left = await site.query('SELECT FROM webhook_objects_aside WHERE webhook_id = $1', [
      scene.webhook.id,
    ]);
    expect(left).toEqual([]);
  });
});

describe('a delivery that a user skips', () => {
  it('holds up nothing, is left out by recover, and can be sent', async () => {
    const scene = await create();
    scene.respond((event) => (event === 'A1' ? 500 : undefined));
    await scene.happen(['A1', 'A2', 'B1']);
    await scene.arrived('A1');
    const reason = 'The receiver cannot read it.';
    const skips = await Promise.all([
      scene.ask('A1', 'skip', { reason }),
      scene.ask('A1', 'skip', { reason }),
    ]);
    expect(skips.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = skips.find(({ status }) => status === 409);
    expect(expectError(refused!, 409, 'webhook_delivery_over').message).toBe(
      'The delivery has arrived, or was skipped.',
    );
    await scene.become({ A1: 'skipped', A2: 'succeeded', B1: 'succeeded' });
    const skipped = await scene.delivery('A1');
    expect(skipped).toMatchObject({ status: 'skipped', reason });
    const since = new Date(Date.now() - HOUR).toISOString();
    const recovery = await scene.api.post(`${scene.webhook.path}/recover`, { since });
    expect(recovery.body).toEqual({ requested: 0, continueFrom: null });
    const log = await scene.api.get(
      `/v1/organizations/${scene.tenant.organizationId}/audit-events?objectType=activity`,
    );
    expect(log.body).toMatchObject([
      { after: { kind: 'webhook-delivery-skipped', detail: `${skipped.id}: ${reason}` } },
    ]);
    expect((await scene.api.get(scene.webhook.path)).body).toMatchObject({ undelivered: 0 });
    scene.behave(behaviours.ok);
    expect((await scene.ask('A1', 'redeliver')).status).toBe(200);
    await scene.become({ A1: 'succeeded', A2: 'succeeded', B1: 'succeeded' });
  });

  it('lets the next one of its object follow at once where it is set aside', async () => {
    const scene = await setAside();
    expect((await scene.ask('A1', 'skip', { reason: 'Not needed.' })).status).toBe(200);
    await scene.become({ A1: 'skipped', B1: 'succeeded', A2: 'succeeded', C1: 'succeeded' });
    const arrived = await scene.ask('A2', 'skip', { reason: 'Not needed.' });
    expect(expectError(arrived, 409, 'webhook_delivery_over').message).toContain('has arrived');
    const nameless = await scene.ask('A1', 'skip', {});
    expect(expectError(nameless, 400, 'invalid_fields').message).toContain('reason');
  });
});

it('finds the objects of deliveries that a server of the former version makes', async () => {
  const scene = await create();
  await scene.happen(['A1']);
  await scene.arrived('A1');
  const [event] = await site.query<{ id: string }>('SELECT id FROM events WHERE object_id = $1', [
    scene.objectOf('A'),
  ]);
  await site.query(
    `WITH former AS (DELETE FROM webhook_deliveries WHERE webhook_id = $1)
     SELECT`,
    [scene.webhook.id],
  );
  const insert = `INSERT INTO webhook_deliveries (id, webhook_id, event_id, event_type, position, status)
    VALUES (gen_random_uuid(), $1, $2, 'app_channel_paused', 5000, $3) RETURNING object_id AS object`;
  expect(await site.query(insert, [scene.webhook.id, event?.id, 'pending'])).toEqual([
    { object: scene.objectOf('A') },
  ]);
  const test = randomUUID();
  expect(await site.query(insert, [scene.webhook.id, test, 'pending'])).toEqual([{ object: test }]);
});
