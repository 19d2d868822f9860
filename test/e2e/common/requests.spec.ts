import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Response } from 'supertest';
import { generateApiToken } from '../../../src/common/access/api-token.js';
import { VERSION } from '../../../src/config/version.js';
import { createApp } from '../../builders/app.js';
import { certificateParts } from '../../builders/certificate.js';
import { createDevice } from '../../builders/device.js';
import { type Actor, createActor } from '../../builders/identities.js';
import { createPerson, PASSWORD } from '../../builders/person.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import { form, send } from '../../support/http/multipart.js';
import { Browser } from '../../support/http/browser.js';
import { expectError } from '../../support/http/expect-error.js';

describe('every request', () => {
  let actor: Actor;
  const anonymous = new Api(testEnvironment().origin, null);

  beforeAll(async () => {
    actor = await createActor();
  });

  describe('that acts on what its query names', () => {
    it.each([
      'DELETE environments',
      'DELETE certificates',
      'DELETE configurations',
      'DELETE destinations',
      'DELETE channels',
      'DELETE devices',
      'PATCH devices',
    ])('%s: acts on nothing without it', async (request) => {
      const app = await createApp();
      await createDevice(app);
      const [method, path] = request.split(' ') as ['DELETE' | 'PATCH', string];
      for (const search of ['', '?', '?name', '?name=', '?ids=&customId=&id=']) {
        const url = `${app.path}/${path}${search}`;
        const response = await (method === 'DELETE' ? app.api.delete(url) : app.api.patch(url, {}));
        expectError(response, 400);
      }
      for (const [list, count] of [
        ['channels', 1],
        ['devices', 1],
      ] as const)
        expect((await app.api.get(`${app.path}/${list}`)).body).toHaveLength(count);
    });
  });

  describe('query', () => {
    const ignored = async (path: string): Promise<unknown> => {
      const response = await actor.api.request('get', path);
      return [response.status, response.headers['x-ignored-parameters']];
    };

    it('has its unknown parameters named in a header, and nothing there otherwise', async () => {
      expect(await ignored('/v1/apps?limit=1&query=x&name=&organizationId=')).toEqual([200, undefined]);
      expect(await ignored('/v1/apps?chanel=x&limit=1&sort')).toEqual([200, 'chanel, sort']);
      expect(await ignored('/v1/apps?limit=0&sort=x')).toEqual([400, 'sort']);
      expect(await ignored('/v1/apps?constructor=1&__proto__=1')).toEqual([
        200,
        expect.stringContaining('constructor'),
      ]);
      expect(await ignored('/v1/apps?%0D%0AX-Evil%3A%201=1&%F0%9F%98%80=1')).toEqual([
        200,
        '%0D%0AX-Evil%3A%201, %F0%9F%98%80',
      ]);
    });

    it('is repeated in links without its unknown parameters', async () => {
      const { headers } = await actor.api.request('get', '/v1/apps?secret=x&query=shop&limit=1&secret=y');
      expect(headers['link']).toBe(
        '</v1/apps?query=shop&limit=1&offset=0>; rel="first", </v1/apps?query=shop&limit=1&offset=0>; rel="last"',
      );
    });

    it('does not fill the headers with them', async () => {
      const many = Array.from({ length: 500 }, (_, index) => `parameter${index}`).join('&');
      const [status, list] = (await ignored(`/v1/apps?${many}`)) as [number, string];
      expect(status).toBe(200);
      expect(list.length).toBeLessThan(600);
      expect(list).toMatch(/^parameter0, parameter1, .*, \.\.\.$/);
    });

    it('of a device is left alone', async () => {
      const path = `/v1/apps/${randomUUID()}/bundles/latest?platform=0&new=1`;
      const response = await anonymous.request('get', path);
      expect(response.headers).not.toHaveProperty('x-ignored-parameters');
    });
  });

  describe('body', () => {
    const ignored = async (
      method: 'post' | 'patch' | 'put',
      path: string,
      body: object,
    ): Promise<unknown> => {
      const response = await actor.api.request(method, path).send(body);
      return [response.status, response.headers['x-ignored-fields']];
    };

    it('has its unknown fields named in a header, but none of the response and no id of the path', async () => {
      const app = await createApp();
      const names = async (body: object): Promise<unknown> => {
        const response = await app.api.request('patch', app.path).send(body);
        return [response.status, response.headers['x-ignored-fields']];
      };
      expect(await names({ name: 'Shop' })).toEqual([200, undefined]);
      expect(await names({ nmae: 'Shop', 'a\r\nb': 1 })).toEqual([200, 'nmae, a%0D%0Ab']);
      expect(await names({ appId: app.id, createdAt: 'never', id: 'x' })).toEqual([200, undefined]);
      const { body: shown } = await app.api.get(app.path);
      expect(await names(shown as object)).toEqual([200, undefined]);
      expect(await names({ name: 5, nmae: 'Shop' })).toEqual([400, 'nmae']);
    });

    it('of an upload has them named, too', async () => {
      const app = await createApp();
      const { headers, status } = await send(
        app.api,
        'post',
        `${app.path}/certificates`,
        form(certificateParts({ colour: 'red' })),
      );
      expect([status, headers['x-ignored-fields']]).toEqual([201, 'colour']);
    });

    it('without an effect is left alone', async () => {
      expect(await ignored('post', '/v1/sessions/codes', {})).toEqual([201, undefined]);
    });
  });

  describe('id', () => {
    const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;
    const idFor = async (sent: string): Promise<string | undefined> =>
      (await actor.api.request('get', '/v1/users/me').set('X-Request-Id', sent)).headers['x-request-id'];

    it('is made when none is sent, different each time', async () => {
      const ids = await Promise.all(
        [1, 2].map(async () => (await actor.api.get('/v1/users/me')).headers['x-request-id']),
      );
      for (const id of ids) expect(id).toMatch(uuid);
      expect(new Set(ids).size).toBe(2);
    });

    it.each(['1', 'my-request', '0199b0c2-7c1e-7bd3-a3c1-4c29f4a7d8aa', 'a'.repeat(128), 'A/b:c.d_e+f=='])(
      'is taken from the caller: %s',
      async (sent) => {
        expect(await idFor(sent)).toBe(sent);
      },
    );

    it.each([
      `x-${generateApiToken()}`,
      'trace:ses_0123',
      'web_1',
      'SLIP-00000-00000-00000-00000',
      'Bearer=eyJhbGciOiJIUzI1NiJ9.e30.x',
    ])('is not taken from the caller when it may be a secret: %s', async (sent) => {
      expect(await idFor(sent)).toMatch(uuid);
    });

    it.each(['', 'two words', 'a'.repeat(129), '<script>', 'ü', '"quoted"'])(
      'is not taken from the caller when it could do harm: %s',
      async (sent) => {
        expect(await idFor(sent)).toMatch(uuid);
      },
    );

    it('stands in errors too', async () => {
      for (const path of ['/v1/users/me', '/v1/nothing', '/v1/apps/%00', '/health/nothing']) {
        const response = await anonymous.request('get', path).set('X-Request-Id', 'traced');
        expect(response.headers['x-request-id']).toBe('traced');
        expect(response.body).toMatchObject({ requestId: 'traced' });
      }
    });
  });

  describe('to an unknown address', () => {
    it.each(['/v1', '/v1/nothing', '/v2/apps', '/apps', '/v1/apps/x/y/z', '/v1//apps', '/favicon.ico'])(
      'is a 404: %s',
      async (path) => {
        for (const method of ['get', 'post', 'delete'] as const) {
          expectError(await actor.api.request(method, path), 404, 'resource_not_found');
        }
      },
    );

    it.each([
      ['post', '/v1/users/me', 'GET, HEAD'],
      ['delete', '/v1/apps', 'GET, HEAD, POST'],
      ['put', '/v1/organizations', 'GET, HEAD, POST'],
      ['post', '/health/live', 'GET, HEAD'],
    ] as const)('is a 405 when only the method is wrong: %s %s', async (method, path, allow) => {
      for (const api of [actor.api, anonymous]) {
        const response = await api.request(method, path);
        expectError(response, 405, 'method_not_allowed');
        expect(response.headers['allow']).toBe(allow);
      }
    });

    describe('is a page', () => {
      const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
      const get = (path: string, accept: string) => anonymous.request('get', path).set('Accept', accept);

      it.each(['/nothing', '/settings', '/docs/nothing', '/v2/apps', '/health/nothing', '/v10'])(
        'for a browser: %s',
        async (path) => {
          const response = await get(path, browser);
          expect(response.status).toBe(404);
          expect(response.type).toBe('text/html');
          expect(response.text).toContain('<h1>Page not found</h1>');
          expect(response.headers).toMatchObject({
            'content-security-policy': expect.stringContaining("default-src 'none'") as string,
            'cache-control': 'no-store',
            vary: 'Accept',
            'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
          });
        },
      );

      it('with the status and the header of another error', async () => {
        const response = await get('/logout', browser);
        expect(response.status).toBe(405);
        expect(response.headers['allow']).toBe('POST');
        expect(response.text).toContain('<h1>Page not found</h1>');
      });

      it.each([
        ['the command-line tool and the SDKs', 'application/json, text/plain, */*'],
        ['curl', '*/*'],
        ['a client that prefers JSON', 'application/json, text/html;q=0.9'],
        ['a client that prefers neither', 'application/json, text/html'],
        ['a picture', 'image/avif,image/webp,*/*;q=0.8'],
        ['a client that takes neither', 'image/png'],
      ])('but not for %s', async (_what, accept) => {
        expectError(await get('/nothing', accept), 404, 'resource_not_found');
      });

      it.each(['/v1', '/v1/nothing', '/V1/nothing', '/v1/apps/x/y/z'])(
        'but not in the API: %s',
        async (path) => {
          expectError(await get(path, browser), 404, 'resource_not_found');
        },
      );
    });

    it('is a 404 without a body for HEAD', async () => {
      const response = await anonymous.request('head', '/v1/nothing');
      expect({ status: response.status, text: response.text ?? '' }).toEqual({ status: 404, text: '' });
    });
  });

  it('is answered in JSON, whatever the caller would like', async () => {
    const response = await anonymous.request('get', '/v1/users/me').set('Accept', 'text/html');
    expectError(response, 401, 'not_authenticated');
  });

  it('reports nothing about what the server is made of', async () => {
    for (const path of ['/health/live', '/v1/nothing', '/v1/users/me']) {
      const { headers } = await anonymous.request('get', path);
      expect(headers).not.toHaveProperty('x-powered-by');
      expect(headers).not.toHaveProperty('server');
    }
  });

  it.each([
    '/health/live',
    '/v1/nothing',
    '/v1/users/me',
    '/docs',
    '/openapi',
    '/login',
    '/pages.css',
    '/v1/apps/%00',
  ])('has a response that browsers do not guess the type of: %s', async (path) => {
    const { headers } = await anonymous.request('get', path);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it.each(['/v1/users/me', `/v1/apps/${randomUUID()}/bundles/latest?platform=0`])(
    'with two hosts is refused: %s',
    async (path) => {
      const { hostname, port } = new URL(testEnvironment().origin);
      const socket = connect(Number(port), hostname);
      socket.end(`GET ${path} HTTP/1.1\r\nHost: a.example\r\nhost: b.example\r\nConnection: close\r\n\r\n`);
      const response = await text(socket);
      expect(response).toMatch(/^HTTP\/1\.1 400 /);
      expect(response).toContain('The request has more than one Host header.');
    },
  );

  it('is never cached when it fails', async () => {
    expect((await anonymous.request('get', '/v1/users/me')).headers['cache-control']).toBe('no-store');
  });

  it('may be the same many times at once', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async () => (await actor.api.request('get', '/v1/users/me')).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

describe('the documentation', () => {
  const anonymous = new Api(testEnvironment().origin, null);

  it('is served as a page and as a document, without a token', async () => {
    const page = await anonymous.request('get', '/docs');
    expect(page.text).toContain('Slipway API');
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(page.headers['x-frame-options']).toBe('DENY');
    for (const [, path = ''] of page.text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect((await anonymous.request('get', path)).status).toBe(200);
    }
    const [json, openapi] = [
      await anonymous.request('get', '/docs-json'),
      await anonymous.request('get', '/openapi'),
    ];
    expect(json.body).toMatchObject({ openapi: expect.stringMatching(/^3\./) as string });
    expect(openapi.body).toEqual(json.body);
  });

  it('shows visitors who have signed in as whom they call, and gives its script their token', async () => {
    const visitor = new Browser();
    const signedOut = await visitor.open('/docs');
    expect(signedOut.html).toContain('href="/login?next=%2Fdocs"');
    expect(signedOut.html).not.toContain('csrf-token');
    const person = await createPerson();
    await visitor.open('/login?next=%2Fdocs');
    const { html, headers } = await visitor.submit('/login', { email: person.email, password: PASSWORD });
    expect(html).toContain('<title>Slipway API</title>');
    expect(html).toContain(person.email);
    expect(html).not.toMatch(/<script>|\son[a-z]+=/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none';script-src 'self';connect-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data:;base-uri 'none';frame-ancestors 'none'",
    );
    const [, token = ''] = /name="csrf-token" content="([\w-]+)"/.exec(html) ?? [];
    const me = await visitor.request('GET', '/v1/users/me', { 'X-CSRF-Token': token });
    expect(JSON.parse(me.html)).toMatchObject({ id: person.userId });
  });

  it('is at most 135 kB in gzip', async () => {
    const { headers } = await anonymous.request('get', '/docs-json').set('Accept-Encoding', 'gzip');
    expect(headers['content-encoding']).toBe('gzip');
    expect(Number(headers['content-length'])).toBeLessThanOrEqual(135_000);
  });

  it.each(['/openapi', '/docs-json', '/docs-yaml'])(
    'is compressed, revalidated and limited: %s',
    async (path) => {
      const get = (coding: string, etag = ''): Promise<Response> =>
        Promise.resolve(
          anonymous
            .request('get', path)
            .set({ 'Accept-Encoding': coding, 'If-None-Match': etag })
            .buffer(true),
        );
      const [plain, gzip, br] = [await get('identity'), await get('gzip, deflate'), await get('gzip, br')];
      expect(plain.headers).not.toHaveProperty('content-encoding');
      expect(gzip.headers['content-encoding']).toBe('gzip');
      expect(br.headers['content-encoding']).toBe('br');
      expect(Number(br.headers['content-length'])).toBeLessThan(Number(plain.headers['content-length']) / 5);
      expect(gzip.text).toBe(plain.text);
      expect(plain.headers['vary']).toBe('Accept-Encoding');
      expect(plain.headers['ratelimit']).toContain('"address"');
      expect((await get('br', plain.headers['etag'])).status).toBe(304);
    },
  );
});

describe('health', () => {
  const anonymous = new Api(testEnvironment().origin, null);

  it.each(['/health/live', '/health/ready'])('is shown at %s without a token', async (path) => {
    const { status, body } = await anonymous.get(path);
    const version = path === '/health/ready' ? { version: VERSION } : {};
    expect({ status, body: body as unknown }).toEqual({ status: 200, body: { status: 'ok', ...version } });
  });
});

describe('a hostile JSON body', () => {
  const anonymous = new Api(testEnvironment().origin, null);
  const keys = (count: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));

  it.each([
    ['105,000 keys', keys(105_000), 'The body has more than 1,000 keys in one object.'],
    [
      '30,000 values',
      { steps: Array.from({ length: 30_000 }, () => 1) },
      'The body has more than 20,000 values.',
    ],
    [
      '40 levels',
      JSON.parse('[{"a":'.repeat(20) + '1' + '}]'.repeat(20)),
      'The body is nested more than 32 levels deep.',
    ],
  ])('is refused before anything reads it: %s', async (_what, body, message) => {
    for (const path of ['/v1/organizations', '/v1/apps/1/channels', '/v1/sessions/codes', '/v1/nothing']) {
      const response = await anonymous.request('post', path).send(body as object);
      if (response.status === 413) continue;
      expectError(response, 400, 'invalid_request');
      expect(response.body).toMatchObject({ message });
    }
  });

  it('of 100,000 levels is refused', async () => {
    const text = '['.repeat(100_000) + ']'.repeat(100_000);
    const response = await anonymous.request('post', '/v1/apps').type('json').send(text);
    expectError(response, 400, 'invalid_request');
  });

  it.each([
    ['/v1/sessions', 4],
    ['/v1/sessions/codes', 4],
    ['/v1/tokens', 64],
    ['/v1/organizations', 64],
    ['/v1/apps', 1024],
  ])('of %s may have %i KiB', async (path, kibibytes) => {
    const ofSize = (bytes: number): string => JSON.stringify('x'.repeat(bytes - 2));
    const send = (bytes: number): Promise<Response> =>
      Promise.resolve(
        anonymous
          .request('post', path)
          .type('json')
          .send(`[${ofSize(bytes - 2)}]`),
      );
    expect((await send(kibibytes * 1024)).status).not.toBe(413);
    expectError(await send(kibibytes * 1024 + 1), 413, 'too_large');
  });
});
