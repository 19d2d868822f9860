import type { Response } from 'supertest';
import { createApp, type TestApp } from '../../builders/app.js';
import { createChannel } from '../../builders/channel.js';
import { Api } from '../../support/http/api.js';
import { expectOpenApi } from '../../support/http/expect-openapi.js';

type Method = 'get' | 'head';

let app: TestApp;

beforeAll(async () => {
  app = await createApp();
});

async function send(
  method: Method,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const response = await app.api.request(method, path).set(headers);
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
      expect(headers['etag']).toMatch(/^"([\w-]{36}\.\d+\.)?[\w-]{27}"$/);
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
