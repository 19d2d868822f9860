import { randomBytes } from 'node:crypto';
import type { Response } from 'supertest';
import { createApp, type TestApp } from '../../builders/app.js';
import { createChannel } from '../../builders/channel.js';
import { createMember, createTenant, type Tenant } from '../../builders/identities.js';
import { createWebhook, type TestWebhook, WEBHOOK_URL } from '../../builders/webhook.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { eventsOfRequest } from '../../support/organizations/audit-log.js';
import { asParent } from '../../support/resources/parents.js';

interface Webhook {
  readonly id: string;
  readonly [field: string]: unknown;
}

const sql = <T extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<T[]> =>
  query<T>(testEnvironment().databaseUrl, text, values);

/** Of each group of tests, because an app has at most 50 webhooks. */
let app: TestApp;
const useOwnApp = (): void =>
  beforeAll(async () => {
    app = await createApp();
  });

const valid = { name: 'Chat', url: WEBHOOK_URL, events: ['*'] };
const post = (values: object): Promise<Response> =>
  app.api.post(`${app.path}/webhooks`, { ...valid, ...values });
const read = async (path: string): Promise<Webhook> => (await app.api.get(path)).body as Webhook;

describe('a webhook of an app', () => {
  useOwnApp();

  it('has the order of all events only when it is asked for', async () => {
    const { path } = await createWebhook(app, { ordering: 'strict' });
    expect(await read(path)).toMatchObject({ ordering: 'strict' });
    expect((await app.api.patch(path, { ordering: 'object' })).body).toMatchObject({ ordering: 'object' });
    expect((await app.api.patch(path, { name: 'Other' })).body).toMatchObject({ ordering: 'object' });
    for (const ordering of ['none', null, 5]) {
      const refused = await app.api.patch(path, { ordering });
      expect(expectError(refused, 400, 'invalid_fields').message).toContain('ordering');
    }
  });

  it('is shown with everything but its secrets', async () => {
    const channelIds = [app.defaultChannelId];
    const response = await post({
      url: 'https://hooks.example.com:8443/T0?token=t0ken',
      events: ['job_finished', 'app_deployment_created', 'job_finished'],
      description: 'For the team.',
      signingSecret: 'correct horse battery',
      headers: { 'X-Team': 'mobile', Authorization: 'Bearer t0ken-of-header' },
      channelIds,
    });
    expect(response.status).toBe(201);
    expect(response.headers['cache-control']).toBe('no-store');
    const body = response.body as Webhook;
    expect(body).toEqual({
      id: expect.any(String) as string,
      appId: app.id,
      organizationId: app.tenant.organizationId,
      name: 'Chat',
      description: 'For the team.',
      url: 'https://hooks.example.com:8443/T0?token=t0ken',
      events: ['job_finished', 'app_deployment_created'],
      format: 'raw',
      ordering: 'object',
      enabled: true,
      disabledReason: null,
      appIds: [],
      channelIds,
      headerNames: ['Authorization', 'X-Team'],
      hasSigningSecret: true,
      previousSigningSecretExpiresAt: null,
      failingSince: null,
      lastSuccessAt: null,
      undelivered: 0,
      undeliveredSince: null,
      undeliveredRequest: null,
      createdAt: expect.any(String) as string,
      updatedAt: body['createdAt'],
    });
    expect(await read(`${app.path}/webhooks/${body.id}`)).toEqual(body);
    const [row] = await sql('SELECT * FROM webhooks WHERE id = $1', [body.id]);
    expect(JSON.stringify(row)).not.toMatch(/t0ken|correct horse/);
    expect(row).toMatchObject({ host: 'hooks.example.com:8443' });
  });

  it('changes field by field', async () => {
    const { path } = await createWebhook(app, {
      description: 'For the team.',
      headers: { 'X-Team': 'mobile' },
      channelIds: [app.defaultChannelId],
    });
    const before = await read(path);
    expect((await app.api.patch(path, {})).body).toEqual(before);
    const changed = await app.api.patch(path, {
      name: 'Releases',
      url: 'https://hooks.example.com/other',
      events: ['job_created'],
      description: null,
      channelIds: [],
      enabled: false,
    });
    expect(changed.headers['cache-control']).toBe('no-store');
    expect(changed.body).toEqual({
      ...before,
      name: 'Releases',
      url: 'https://hooks.example.com/other',
      events: ['job_created'],
      description: null,
      channelIds: [],
      enabled: false,
      updatedAt: expect.any(String) as string,
    });
    expect((await app.api.patch(path, { headers: null })).body).toMatchObject({ headerNames: [] });
  });

  it('is found by parts of name and id, and listed by name', async () => {
    const other = await createApp(app.tenant);
    const [b, a] = [
      await createWebhook(other, { name: 'Beta' }),
      await createWebhook(other, { name: 'Alpha' }),
    ];
    await createWebhook(asParent(app.tenant), { name: 'Alpha of the organization' });
    const listed = async (text = ''): Promise<unknown> =>
      ((await other.api.get(`${other.path}/webhooks?query=${text}`)).body as Webhook[]).map(({ id }) => id);
    expect(await listed()).toEqual([a.id, b.id]);
    expect(await listed('BET')).toEqual([b.id]);
    expect(await listed(a.id.slice(-6))).toEqual([a.id]);
    expect(await listed('%25')).toEqual([]);
    const page = await other.api.get(`${other.path}/webhooks?limit=1&offset=1`);
    expect(page.headers).toMatchObject({ 'x-total-count': '2', 'cache-control': 'no-store' });
    expect(page.body).toMatchObject([{ id: b.id }]);
  });

  it('has a tag for If-Match, although it must not be stored', async () => {
    const { path } = await createWebhook(app);
    const { headers } = await app.api.get(path);
    expect(headers['cache-control']).toBe('no-store');
    const etag = headers['etag'] ?? '';
    const change = (body: object): Promise<Response> =>
      Promise.resolve(app.api.request('patch', path).set('If-Match', etag).send(body));
    expect((await change({ name: 'One' })).status).toBe(200);
    expectError(await change({ name: 'Two' }), 412, 'precondition_failed');
    expectError(await app.api.request('delete', path).set('If-Match', etag), 412, 'precondition_failed');
    expect(await read(path)).toMatchObject({ name: 'One' });
  });

  it('is for administrators only', async () => {
    const { path } = await createWebhook(app);
    const member = await createMember(app.tenant, 'member');
    expectError(await member.api.get(path), 403, 'not_authorized');
    expectError(await member.api.get(`${app.path}/webhooks`), 403, 'not_authorized');
  });

  it('takes channels of its app only, and keeps those that are gone', async () => {
    const other = await createApp(app.tenant);
    expectError(await post({ channelIds: [other.defaultChannelId] }), 404, 'channel_not_found');
    const channel = await createChannel(app);
    const { path, id } = await createWebhook(app, { channelIds: [channel.id.toUpperCase()] });
    await app.api.delete(`${app.path}/channels/${channel.id}`);
    const channelIds = [channel.id, app.defaultChannelId];
    expect((await app.api.patch(path, { channelIds })).body).toMatchObject({ id, channelIds });
    const both = [...channelIds, other.defaultChannelId];
    expectError(await app.api.patch(path, { channelIds: both }), 404, 'channel_not_found');
  });

  it('takes types of events that an app has', async () => {
    expectInvalid(await post({ events: ['job_finished', 'no_such_event'] }), 'events');
    expect(expectInvalid(await post({ events: ['runner_lost'] }), 'events').message).toContain(
      'it is about the organization',
    );
    expectInvalid(await post({ events: ['Job Finished'] }), 'events');
    expect((await post({ events: ['*', 'job_finished'] })).status).toBe(201);
  });

  it('is enabled again by a user, who need not know why it was disabled', async () => {
    const { path, id } = await createWebhook(app);
    await sql(`UPDATE webhooks SET enabled = false, disabled_reason = 'failing' WHERE id = $1`, [id]);
    expect(await read(path)).toMatchObject({ enabled: false, disabledReason: 'failing' });
    const { body } = await app.api.patch(path, { enabled: true });
    expect(body).toMatchObject({ enabled: true, disabledReason: null });
  });
});

describe('a webhook of an organization', () => {
  useOwnApp();

  it('gets the events of the apps that it names', async () => {
    const parent = asParent(app.tenant);
    const other = await createApp(app.tenant);
    const appIds = [app.id, other.id];
    const { path } = await createWebhook(parent, {
      events: ['runner_lost', 'job_finished'],
      appIds: [app.id, other.id.toUpperCase(), other.id],
      channelIds: [other.defaultChannelId],
    });
    expect(await read(path)).toMatchObject({ appId: null, organizationId: parent.id, appIds });
    const foreign = await createApp();
    const create = (values: object): Promise<Response> =>
      parent.api.post(`${parent.path}/webhooks`, { ...valid, ...values });
    expectError(await create({ appIds: [app.id, foreign.id] }), 404, 'app_not_found');
    expectError(await create({ channelIds: [foreign.defaultChannelId] }), 404, 'channel_not_found');
    await other.api.delete(other.path);
    expect((await parent.api.patch(path, { appIds: [other.id] })).body).toMatchObject({ appIds: [other.id] });
  });

  it('is not one of its apps, and theirs are not its own', async () => {
    const parent = asParent(app.tenant);
    const own = await createWebhook(parent);
    const ofApp = await createWebhook(app);
    expectError(await app.api.get(`${app.path}/webhooks/${own.id}`), 404, 'webhook_not_found');
    expectError(await app.api.get(`${parent.path}/webhooks/${ofApp.id}`), 404, 'webhook_not_found');
    expectError(await app.api.delete(`${parent.path}/webhooks/${ofApp.id}`), 404, 'webhook_not_found');
  });
});

describe('the address of a webhook', () => {
  useOwnApp();
  let webhook: TestWebhook;
  beforeAll(async () => {
    webhook = await createWebhook(app);
  });

  it.each([
    'https://127.0.0.2/',
    'https://127.2/',
    'https://2130706434/',
    'https://0x7f000002/',
    'https://0177.0.0.2/',
    'https://１２７.0.0.2/',
    'https://127。0。0。2/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.2]/',
    'https://[64:ff9b::127.0.0.2]/',
    'https://[64:ff9b::7f00:2]/',
    'https://[2002:7f00:2::]/',
    'https://10.0.0.1/',
    'https://192.168.1.1/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://0xa9fea9fe/',
    'https://metadata.google.internal/',
    'http://hooks.example.com/',
    'http://1.1.1.1/',
    'ftp://hooks.example.com/',
    'https://user:secret@hooks.example.com/',
    'https://user@hooks.example.com/',
    'https://hooks.example.com/#token',
    'https://hooks.example.com\\@10.0.0.1/',
    'https://hooks.example.com/a b',
    'https://',
    'hooks.example.com',
    `https://hooks.example.com/${'a'.repeat(2000)}`,
  ])('is not %s', async (url) => {
    const response = await post({ url });
    expect(expectInvalid(response, 'url').message).not.toMatch(/secret|token/);
    expectInvalid(await app.api.patch(webhook.path, { url }), 'url');
  });

  it('may be one that the operator allows, also by http', async () => {
    // OUTBOUND_ALLOW of the server under test.
    for (const url of ['http://127.0.0.1:9/hook', 'http://localhost:9/hook', 'https://127.0.0.1:9/hook']) {
      expect((await post({ url })).body).toMatchObject({ url });
    }
  });

  it('is shown as it is called', async () => {
    const { body } = await post({ url: 'https://bücher.example/Träume' });
    expect(body).toMatchObject({ url: 'https://xn--bcher-kva.example/Tr%C3%A4ume' });
  });

  it('takes no headers to another server', async () => {
    const { path } = await createWebhook(app, { headers: { Authorization: 'Bearer t0ken' } });
    const url = 'https://evil.example.com/';
    expectInvalid(await app.api.patch(path, { url }), 'headers');
    expect((await app.api.patch(path, { url: 'https://hooks.example.com/other' })).status).toBe(200);
    const headers = { Authorization: 'Bearer other' };
    expect((await app.api.patch(path, { url, headers })).body).toMatchObject({ url });
    expect((await app.api.patch(path, { url: WEBHOOK_URL, headers: null })).body).toMatchObject({
      headerNames: [],
    });
  });
});

describe('the signing secret of a webhook', () => {
  useOwnApp();

  const sealed = async (id: string): Promise<Record<string, unknown>> => {
    const [row] = await sql(
      'SELECT sealed_signing_secret AS current, sealed_previous_signing_secret AS previous FROM webhooks WHERE id = $1',
      [id],
    );
    return row ?? {};
  };
  const rotate = (path: string, body?: object): Promise<Response> =>
    app.api.post(`${path}/rotate-secret`, body);

  it('is not empty or too long, and has the bytes that its form promises', async () => {
    for (const signingSecret of ['', 'x'.repeat(201), 'whsec_x', 'whsec_not base64 at all']) {
      expectInvalid(await post({ signingSecret }), 'signingSecret');
    }
    for (const signingSecret of ['Straße', 'ключ от всего', '🔑']) {
      const { message } = expectInvalid(await post({ signingSecret }), 'signingSecret');
      expect(message).toMatch(/^signingSecret must consist of ASCII characters, .*\.$/);
    }
    const standard = `whsec_${randomBytes(24).toString('base64')}`;
    expect((await post({ signingSecret: standard })).body).toMatchObject({ hasSigningSecret: true });
  });

  it('is generated by a rotation, and the former one stays valid for a day', async () => {
    const { path, id } = await createWebhook(app, { signingSecret: 'the first secret' });
    expectInvalid(await rotate(path, { signingSecret: 'Straße' }), 'signingSecret');
    expectInvalid(await app.api.patch(path, { signingSecret: 'Straße' }), 'signingSecret');
    const first = (await sealed(id))['current'];
    const response = await rotate(path);
    expect(response.status).toBe(200);
    expect(response.headers['cache-control']).toBe('no-store');
    const body = response.body as Webhook;
    expect(body['signingSecret']).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const left = Date.parse(String(body['previousSigningSecretExpiresAt'])) - Date.now();
    expect(left / 3_600_000).toBeCloseTo(24, 0);
    expect(await sealed(id)).toMatchObject({ previous: first });
    const { signingSecret, ...shown } = body;
    expect(signingSecret).toBeDefined();
    expect(await read(path)).toEqual(shown);

    // The secret of the caller is not repeated, and the first one is over.
    const second = (await sealed(id))['current'];
    const again = (await rotate(path, { signingSecret: 'the third secret' })).body as Webhook;
    expect(again).not.toHaveProperty('signingSecret');
    expect(await sealed(id)).toMatchObject({ previous: second });
  });

  it('begins with a rotation where there was none', async () => {
    const { path, id } = await createWebhook(app);
    expect((await rotate(path, {})).body).toMatchObject({
      hasSigningSecret: true,
      previousSigningSecretExpiresAt: null,
    });
    expect(await sealed(id)).toMatchObject({ previous: null });
  });

  it('is replaced at once by a change, and gone with null', async () => {
    const { path, id } = await createWebhook(app, { signingSecret: 'the first secret' });
    await rotate(path);
    const replaced = await app.api.patch(path, { signingSecret: 'the third secret' });
    expect(replaced.body).toMatchObject({ hasSigningSecret: true, previousSigningSecretExpiresAt: null });
    expect(await sealed(id)).toMatchObject({ previous: null });
    await rotate(path);
    const removed = await app.api.patch(path, { signingSecret: null });
    expect(removed.body).toMatchObject({ hasSigningSecret: false, previousSigningSecretExpiresAt: null });
    expect(await sealed(id)).toEqual({ current: null, previous: null });
  });

  it('is one of those that were rotated in at the same time', async () => {
    const { path, id } = await createWebhook(app, { signingSecret: 'the first secret' });
    const first = (await sealed(id))['current'];
    const responses = await Promise.all([rotate(path), rotate(path), rotate(path)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { current, previous } = await sealed(id);
    expect(new Set([first, current, previous]).size).toBe(3);

    const [rotated, changed] = await Promise.all([
      rotate(path),
      app.api.patch(path, { signingSecret: 'the last secret' }),
    ]);
    expect([rotated.status, changed.status]).toEqual([200, 200]);
    expect((await sealed(id))['current']).not.toBe(current);
  });

  it.each(['slack', 'teams', 'discord'])('does not belong to the format %s', async (format) => {
    const refusal = expectInvalid(await post({ format, signingSecret: 'the first secret' }), 'signingSecret');
    expect(refusal.message).toContain(`messages in the format ${format} are not signed`);
    const { path } = await createWebhook(app, { signingSecret: 'the first secret' });
    expectInvalid(await app.api.patch(path, { format, signingSecret: 'another secret' }), 'signingSecret');
    expect((await app.api.get(path)).body).toMatchObject({ format: 'raw', hasSigningSecret: true });
    const { body: changed } = await app.api.patch(path, { format });
    expect(changed).toMatchObject({
      format,
      hasSigningSecret: false,
      warning: `The signing secret was removed: messages in the format ${format} are not signed.`,
    });
    expectInvalid(await rotate(path), 'signingSecret');
    expectInvalid(await app.api.patch(path, { signingSecret: 'the first secret' }), 'signingSecret');
    const { body: back } = await app.api.patch(path, { ...(changed as object), format: 'raw' });
    expect(back).toMatchObject({ format: 'raw', hasSigningSecret: false });
    expect(back).not.toHaveProperty('warning');
  });
});

describe('the custom headers of a webhook', () => {
  useOwnApp();

  it.each([
    [{ Host: 'evil.example.com' }],
    [{ 'Content-Length': '0' }],
    [{ 'Transfer-Encoding': 'chunked' }],
    [{ 'webhook-signature': 'v1,x' }],
    [{ 'X-Capawesome-Signature': 'x' }],
    [{ 'X-A': 'a\r\nX-B: b' }],
    [{ 'X A': 'a' }],
    [{ 'X-A': 5 }],
    [{ 'X-A': 'a', 'x-a': 'b' }],
    [['X-A']],
    ['X-A: a'],
    [Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`X-${index}`, 'a']))],
  ])('are not %j', async (headers) => {
    expectInvalid(await post({ headers }), 'headers');
  });
});

describe('the audit log of webhooks', () => {
  useOwnApp();

  it('shows the host of the address, and that secrets changed', async () => {
    const { tenant } = app;
    const secrets = {
      url: 'https://chat.example.com/hooks/t0ken',
      headers: { Authorization: 'Bearer t0ken' },
      signingSecret: 'the t0ken secret',
    };
    const created = await post({ ...secrets, name: 'Audited' });
    const path = `${app.path}/webhooks/${(created.body as Webhook).id}`;
    const changed = await app.api.patch(path, {
      ...secrets,
      url: 'https://other.example.com:8443/hooks/t0ken',
      signingSecret: 'another t0ken secret',
    });
    const rotated = await app.api.post(`${path}/rotate-secret`);
    const deleted = await app.api.delete(path);
    const events = await Promise.all(
      [created, changed, rotated, deleted].map(async (each) => (await eventsOfRequest(tenant, each))[0]),
    );
    expect(events).toMatchObject([
      { action: 'created', object: { type: 'webhook', name: 'Audited', appId: app.id } },
      { action: 'updated', before: { host: 'chat.example.com' }, after: { host: 'other.example.com:8443' } },
      { action: 'updated' },
      { action: 'deleted' },
    ]);
    const text = JSON.stringify(events);
    expect(text).not.toMatch(/t0ken|whsec|v1\./);
    expect(Object.keys(events[1]?.after ?? {}).sort()).toEqual(['headers', 'host', 'signingSecret', 'url']);
  });
});

describe('webhooks of an app that moves', () => {
  let source: Tenant;
  let target: Tenant;
  let moving: TestApp;
  beforeEach(async () => {
    source = await createTenant();
    moving = await createApp(source);
    target = await createTenant();
    await sql(
      `INSERT INTO members (id, organization_id, user_id, role) VALUES (gen_random_uuid(), $1, $2, 'admin')`,
      [target.organizationId, source.owner.userId],
    );
  });
  const move = (): Promise<Response> =>
    moving.api.post(`${moving.path}/transfer`, { organizationId: target.organizationId });

  it('follow it, disabled', async () => {
    const ofOrganization = await createWebhook(asParent(source), { appIds: [moving.id] });
    const on = await createWebhook(moving, { channelIds: [moving.defaultChannelId] });
    const off = await createWebhook(moving, { enabled: false });
    expect((await move()).status).toBe(200);
    const { api } = target.owner;
    expect((await api.get(on.path)).body).toMatchObject({
      organizationId: target.organizationId,
      enabled: false,
      disabledReason: 'app-transferred',
      channelIds: [moving.defaultChannelId],
    });
    expect((await api.get(off.path)).body).toMatchObject({ enabled: false, disabledReason: null });
    expect((await source.owner.api.get(ofOrganization.path)).body).toMatchObject({ appIds: [moving.id] });
    expect((await api.patch(on.path, { enabled: true })).body).toMatchObject({ enabled: true });
  });

  it('belong to the organization of the app also when they are created meanwhile', async () => {
    const create = (): Promise<Response> => moving.api.post(`${moving.path}/webhooks`, valid);
    const [moved, ...created] = await Promise.all([move(), ...Array.from({ length: 8 }, create)]);
    expect(moved.status).toBe(200);
    for (const { status } of created) expect([201, 404]).toContain(status);
    const rows = await sql(
      'SELECT DISTINCT organization_id AS "organizationId" FROM webhooks WHERE app_id = $1',
      [moving.id],
    );
    for (const row of rows) expect(row).toEqual({ organizationId: target.organizationId });
  });
});
