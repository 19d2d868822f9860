import type { Response } from 'supertest';
import { createApp, type TestApp } from '../../builders/app.js';
import { createChannel } from '../../builders/channel.js';
import { createDeployment } from '../../builders/deployment.js';
import { Api } from '../../support/http/api.js';
import { expectError } from '../../support/http/expect-error.js';
import { expectOpenApi } from '../../support/http/expect-openapi.js';
import { uniqueName } from '../../support/unique-name.js';

type Method = 'get' | 'head' | 'patch' | 'delete';

let app: TestApp;

beforeAll(async () => {
  app = await createApp();
});

async function send(
  method: Method,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: object,
): Promise<Response> {
  const request = app.api.request(method, path).set(headers);
  const response = await (body === undefined ? request : request.send(body));
  if (method !== 'head') expectOpenApi(method, path, response);
  return response;
}

const etagOf = async (path: string): Promise<string> => (await app.api.get(path)).headers['etag'] ?? '';

describe('reading', () => {
  const paths = (): string[] => [
    '/v1/users/me',
    '/v1/tokens',
    '/v1/invitations',
    '/v1/organizations',
    `/v1/organizations/${app.tenant.organizationId}`,
    `/v1/organizations/${app.tenant.organizationId}/members`,
    `/v1/organizations/${app.tenant.organizationId}/teams`,
    '/v1/apps',
    app.path,
    ...['channels', 'builds', 'deployments', 'devices'].map((name) => `${app.path}/${name}`),
    `${app.path}/channels/${app.defaultChannelId}?relations=appDeployment`,
  ];

  it('answers a strong ETag that may be kept by the caller only, also to HEAD', async () => {
    for (const path of paths()) {
      const { status, headers } = await app.api.get(path);
      expect({ path, status, 'cache-control': headers['cache-control'] }).toEqual({
        path,
        status: 200,
        'cache-control': 'private, no-cache',
      });
      expect(headers['etag']).toMatch(/^"[\w-]{27}"$/);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    }
    const head = await send('head', app.path);
    expect(head.headers['etag']).toBe(await etagOf(app.path));
  });

  it('answers 304 without a body to a caller that has it, with all headers but those of the body', async () => {
    const path = `${app.path}/channels?limit=1`;
    const { headers } = await app.api.get(path);
    const etag = headers['etag'] ?? '';
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, `"other",W/${etag} , "x"`, '*']) {
      const again = await send('get', path, { 'If-None-Match': known, 'X-Request-Id': 'again' });
      expect({ known, status: again.status, text: again.text }).toEqual({ known, status: 304, text: '' });
      expect(again.headers).toMatchObject({
        etag,
        'cache-control': 'private, no-cache',
        link: headers['link'],
        'x-total-count': headers['x-total-count'],
        'x-request-id': 'again',
      });
      expect(again.headers).not.toHaveProperty('content-type');
    }
    expect((await send('head', path, { 'If-None-Match': etag })).status).toBe(304);
  });

  it('answers everything to a caller that has something else', async () => {
    const etag = await etagOf(app.path);
    for (const other of ['"other"', etag.slice(1, -1), etag.toLowerCase() + 'x', '', 'nonsense', '"*"']) {
      const response = await send('get', app.path, { 'If-None-Match': other });
      expect(response.status).toBe(200);
      expect(response.body).toMatchObject({ id: app.id });
    }
  });

  it('changes with the object, its relations and the length of the whole list', async () => {
    const own = await createApp();
    const of = async (path: string): Promise<string> => (await own.api.get(path)).headers['etag'] ?? '';
    const [page, object] = [`${own.path}/channels?limit=1`, own.path];
    const before = [await of(page), await of(object)];
    expect([await of(page), await of(object)]).toEqual(before);
    // Neither the first page nor the app shows the channel: only the total reports it.
    await createChannel(own, { name: 'zzz' });
    expect(await of(page)).not.toBe(before[0]);
    expect(await of(object)).toBe(before[1]);
    await own.api.patch(own.path, { name: 'Other' });
    expect(await of(object)).not.toBe(before[1]);
    const channel = `${own.path}/channels/${own.defaultChannelId}`;
    expect(await of(`${channel}?relations=appDeployment`)).not.toBe(await of(channel));
  });

  it('tags no errors, no writes, and nothing for devices', async () => {
    const anonymous = new Api(app.api.origin, null);
    await app.api.patch(app.path, { appChannelDiscoveryEnabled: true });
    const answers = [
      await send('get', `${app.path}/channels/unknown`, { 'If-None-Match': '*' }),
      await app.api.get(`${app.path}/channels?limit=0`),
      await app.api.patch(app.path, {}),
      await anonymous.get(app.path),
      await anonymous.get(`${app.path}/channels`),
      await anonymous.get('/health/live'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 400, 200, 401, 200, 200]);
    for (const { headers } of answers) expect(headers).not.toHaveProperty('etag');
  });
});

/** What may be changed under a condition. */
const changeable: readonly {
  readonly what: string;
  readonly make: () => Promise<string>;
  readonly change: (count: number) => object;
  readonly canDelete: boolean;
}[] = [
  {
    what: 'a channel',
    make: async () => `${app.path}/channels/${(await createChannel(app)).id}`,
    change: () => ({ name: uniqueName('channel') }),
    canDelete: true,
  },
  {
    what: 'a deployment',
    make: async () => `${app.path}/deployments/${(await createDeployment(app)).id}`,
    change: (count) => ({ rolloutPercentage: count / 100 }),
    canDelete: false,
  },
  {
    what: 'an app',
    make: async () => (await createApp(app.tenant)).path,
    change: () => ({ name: uniqueName('app') }),
    canDelete: true,
  },
];

describe.each(changeable)('changing $what', ({ make, change, canDelete }) => {
  let path: string;

  beforeAll(async () => {
    path = await make();
  });

  it('happens when it is as the caller knows it', async () => {
    const etag = await etagOf(path);
    const changed = await send('patch', path, { 'If-Match': `"other", ${etag}` }, change(1));
    expect(changed.status).toBe(200);
    expect((await app.api.get(path)).body).toEqual(changed.body);
    expect(await etagOf(path)).not.toBe(etag);
  });

  it('is refused when it is not, and changes nothing', async () => {
    const old = await etagOf(path);
    await app.api.patch(path, change(2));
    const { body, headers } = await app.api.get(path);
    const weak = `W/${headers['etag']}`;
    for (const wrong of [old, weak, '"other"', `"a", ${old}`, '""', '"*"']) {
      const refused = await send('patch', path, { 'If-Match': wrong }, change(3));
      expectError(refused, 412, 'precondition_failed');
      expect(refused.headers['cache-control']).toBe('no-store');
      if (!canDelete) continue;
      expectError(await send('delete', path, { 'If-Match': wrong }), 412, 'precondition_failed');
    }
    expect((await app.api.get(path)).body).toEqual(body);
  });

  it('is refused when the condition is malformed', async () => {
    for (const malformed of ['nonsense', '"a', '"a" "b"', '*, "a"', ',', 'W/*']) {
      const headers = { 'If-Match': malformed };
      expectError(await send('patch', path, headers, change(4)), 400, 'invalid_request');
      if (canDelete) expectError(await send('delete', path, headers), 400, 'invalid_request');
    }
    expect((await app.api.get(path)).status).toBe(200);
  });

  it('takes * for "it exists", and is a 404 when it does not', async () => {
    expect((await send('patch', path, { 'If-Match': '*' }, change(5))).status).toBe(200);
    const gone = path.replace(/[^/]+$/, '0199b0c2-7c1e-7bd3-a3c1-4c29f4a7d8aa');
    for (const condition of ['*', '"other"']) {
      expectError(await send('patch', gone, { 'If-Match': condition }, change(6)), 404);
      if (canDelete) expectError(await send('delete', gone, { 'If-Match': condition }), 404);
    }
  });

  it('is done by exactly one of those who know the same state and write at once', async () => {
    for (let round = 0; round < 5; round++) {
      const etag = await etagOf(path);
      const answers = await Promise.all(
        [0, 1, 2, 3].map((n) => send('patch', path, { 'If-Match': etag }, change(10 + round * 4 + n))),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.sort()).toEqual([200, 412, 412, 412]);
      const winner = answers.find(({ status }) => status === 200);
      expect((await app.api.get(path)).body).toEqual(winner?.body);
    }
  });

  it('deletes it, or changes it, when both are asked for at once', async () => {
    if (!canDelete) return;
    for (let round = 0; round < 3; round++) {
      const own = await make();
      const headers = { 'If-Match': await etagOf(own) };
      const [changed, deleted] = await Promise.all([
        send('patch', own, headers, change(50)),
        send('delete', own, headers),
      ]);
      expect([
        [200, 412],
        [404, 204],
      ]).toContainEqual([changed.status, deleted.status]);
      expect((await app.api.get(own)).status).toBe(changed.status);
    }
  });
});

describe('deleting a channel by its name', () => {
  it('takes the ETag of the channel, which changes with what is deployed to it', async () => {
    const own = await createApp(app.tenant);
    const byName = `${own.path}/channels?name=DEFAULT`;
    const channel = `${own.path}/channels/${own.defaultChannelId}`;
    const old = await etagOf(channel);
    await createDeployment(own);
    expectError(await send('delete', byName, { 'If-Match': old }), 412, 'precondition_failed');
    expect((await send('delete', byName, { 'If-Match': await etagOf(channel) })).status).toBe(204);
    expectError(await send('delete', byName, { 'If-Match': old }), 404, 'channel_not_found');
  });
});
