import { v7 as uuid } from 'uuid';
import type { Response } from 'supertest';
import { type RolePermission, roleGrants, roles } from '../../../src/common/access/permissions.js';
import { createActor, createMember } from '../../builders/identities.js';
import { Api } from '../http/api.js';
import { expectError, expectInvalid } from '../http/expect-error.js';
import { expectOpenApi } from '../http/expect-openapi.js';
import type { OpenApiOperation, OpenApiPaths } from '../http/openapi-document.js';
import { uniqueName } from '../unique-name.js';
import { codeOf, type Parent, parameterOf, pathOf as routeOf, type Resource, titleOf } from './resource.js';

type Method = 'get' | 'post' | 'patch' | 'delete';

/** One way to call a resource. */
interface Operation {
  readonly method: Method;
  /** Below the parent, such as `channels/{id}`. */
  readonly path: (id: string) => string;
  readonly ofItem: boolean;
  readonly permission: RolePermission;
  readonly body?: object;
}

type Methods = Readonly<Record<string, OpenApiOperation>>;

/** Every documented operation of the collection and of one item, with a body where it takes one. */
async function operationsOf(
  resource: Resource,
  parent: Parent,
  { ofListPath, ofItemPath }: { ofListPath: Methods; ofItemPath: Methods },
): Promise<Operation[]> {
  const create = await resource.create?.(parent);
  const found: Operation[] = [];
  const add = (method: Method, ofItem: boolean, body?: object): void => {
    const operation = (ofItem ? ofItemPath : ofListPath)[method];
    if (operation === undefined) return;
    const permission = (operation['x-permission'] ?? 'channels:read') as RolePermission;
    const path = (id: string): string => (ofItem ? `${resource.name}/${id}` : resource.name);
    found.push({ method, path, ofItem, permission, ...(body === undefined ? {} : { body }) });
  };
  add('get', false);
  add('get', true);
  if (create !== undefined) add('post', false, create);
  if (resource.update !== undefined) add('patch', true, resource.update);
  add('delete', true);
  return found;
}

/** The header `Allow` of a path. */
function allowOf(methods: Methods): string {
  const names = Object.keys(methods).map((method) => method.toUpperCase());
  return [...names, ...(names.includes('GET') ? ['HEAD'] : [])].sort().join(', ');
}

/**
 * The tests that every resource must pass.
 *
 * @param paths of the OpenAPI document
 */
export function describeResource(resource: Resource, paths: OpenApiPaths): void {
  const what = titleOf(resource);
  const { parent: kind, name } = resource;
  const ofListPath = paths[routeOf(resource)] ?? {};
  const ofItemPath = paths[`${routeOf(resource)}/{${parameterOf(resource)}}`] ?? {};
  const isPaged = ofListPath['get']?.parameters?.some((parameter) => parameter.name === 'offset') ?? false;
  const parentTitle = kind.idField === 'appId' ? 'App' : 'Organization';
  const parentCode = `${parentTitle.toLowerCase()}_not_found`;
  let parent: Parent;
  let id: string;
  let operations: readonly Operation[];
  const read = (): Operation[] => operations.filter(({ method }) => method === 'get');
  const ofItem = (): Operation[] => operations.filter((operation) => operation.ofItem);
  const withBody = (): Operation[] => operations.filter(({ body }) => body !== undefined);
  const pathOf = (operation: Operation, ofId = id): string => `${parent.path}/${operation.path(ofId)}`;
  const list = (query = ''): string => `${parent.path}/${name}${query}`;

  const call = async (api: Api, operation: Operation, path = pathOf(operation)): Promise<Response> => {
    const request = api.request(operation.method, path);
    const response = await (operation.body === undefined ? request : request.send(operation.body));
    expectOpenApi(operation.method, path, response);
    return response;
  };
  const callRaw = async (operation: Operation, contentType: string, body: string): Promise<Response> => {
    const path = pathOf(operation);
    const response = await parent.api
      .request(operation.method, path)
      .set('Content-Type', contentType)
      .send(body);
    expectOpenApi(operation.method, path, response);
    return response;
  };

  beforeAll(async () => {
    parent = await kind.create();
    id = await resource.make(parent);
    operations = await operationsOf(resource, parent, { ofListPath, ofItemPath });
  });

  describe('access', () => {
    it('asks for a token', async () => {
      for (const operation of operations) {
        const response = await call(new Api(parent.api.origin, null), operation);
        expectError(response, 401, 'not_authenticated');
        expect(response.headers['www-authenticate']).toBe('Bearer realm="slipway"');
      }
    });

    it('refuses a token that is wrong, cut short or expired, and any other scheme', async () => {
      const { token } = parent.tenant.owner;
      const expired = await createActor(undefined, new Date(0));
      const wrong = ['nonsense', token.slice(0, -1), `${token}0`, token.toUpperCase(), expired.token];
      for (const operation of operations) {
        for (const bad of wrong) {
          const response = await call(new Api(parent.api.origin, bad), operation);
          expectError(response, 401, 'invalid_token');
          expect(response.headers['www-authenticate']).toBe('Bearer realm="slipway", error="invalid_token"');
        }
        const basic = Buffer.from(`${token}:`).toString('base64');
        const request = new Api(parent.api.origin, null).request(operation.method, pathOf(operation));
        expectError(await request.set('Authorization', `Basic ${basic}`), 401, 'invalid_token');
      }
    });

    it('does not exist for another organization', async () => {
      const stranger = await createActor();
      for (const operation of operations) {
        const response = await call(stranger.api, operation);
        expect(expectError(response, 404, parentCode).message).toBe(`${parentTitle} not found.`);
      }
      expect((await parent.api.get(list(`/${id}`))).status).toBe(200);
    });

    it('does not exist in another parent of the same owner', async () => {
      const other = await kind.create(parent);
      for (const operation of ofItem()) {
        const response = await call(parent.api, operation, `${other.path}/${operation.path(id)}`);
        expect(expectError(response, 404).message).toBe(`${what} not found.`);
      }
    });

    it.each(roles)('lets a %s do what the role grants', async (role) => {
      const member = await createMember(parent.tenant, role);
      for (const operation of operations) {
        if (roleGrants(role, operation.permission)) continue;
        expectError(await call(member.api, operation), 403, 'not_authorized');
      }
      for (const operation of read()) {
        if (!roleGrants(role, operation.permission)) continue;
        expect((await call(member.api, operation)).status).toBe(200);
      }
    });
  });

  describe('ids', () => {
    it('answers a malformed id of the parent like an unknown one', async () => {
      for (const operation of operations) {
        for (const unknown of ['unknown', uuid(), `${parent.id}0`, '1']) {
          const path = `${kind.path.replace(/\{\w+\}/, unknown)}/${operation.path(id)}`;
          const response = await call(parent.api, operation, path);
          expect(expectError(response, 404, parentCode).message).toBe(`${parentTitle} not found.`);
        }
      }
    });

    it('answers a malformed id of its own like an unknown one', async () => {
      for (const operation of ofItem()) {
        for (const unknown of ['unknown', uuid(), `${id}0`, '1', '%25', 'x'.repeat(3000)]) {
          const response = await call(parent.api, operation, pathOf(operation, unknown));
          expect(expectError(response, 404, `${codeOf(resource)}_not_found`).message).toBe(
            `${what} not found.`,
          );
        }
      }
    });
  });

  if (isPaged) {
    describe('list', () => {
      let paged: Parent;
      let ids: string[];

      beforeAll(async () => {
        paged = await kind.create();
        for (let count = resource.initially ?? 0; count < 5; count++) await resource.make(paged);
        ids = idsOf(await paged.api.get(`${paged.path}/${name}`));
      });

      /** Other tests may add shared ones at any time. */
      const expectTotal = ({ headers }: Response, own: number): void => {
        const total = Number(headers['x-total-count']);
        if (resource.hasShared === true) expect(total).toBeGreaterThanOrEqual(own);
        else expect(total).toBe(own);
      };
      const page = (query: string): Promise<Response> => paged.api.get(`${paged.path}/${name}?${query}`);

      it.each(['limit=0', 'limit=-1', 'limit=1.5', 'limit=abc', 'limit=1e2', 'limit=5&limit=6'])(
        'refuses %s',
        async (query) => {
          expectInvalid(await page(query), 'limit');
        },
      );

      it.each(['offset=-1', 'offset=1.5', 'offset=abc', 'offset=99999999999', 'offset=1&offset=2'])(
        'refuses %s',
        async (query) => {
          expectInvalid(await page(query), 'offset');
        },
      );

      it('names both when both are wrong', async () => {
        expectInvalid(await page('limit=0&offset=-1'), 'limit', 'offset');
      });

      it('takes empty parameters, and ones that it does not know, for absent', async () => {
        for (const query of ['limit=&offset=', 'limit&offset', 'colour=red', 'relations=unknown']) {
          expect(idsOf(await page(query))).toEqual(ids);
        }
      });

      it('lowers a large limit to 100', async () => {
        const response = await page('limit=1000');
        expect(response.status).toBe(200);
        expect(response.headers['link']).toContain('limit=100&');
      });

      it('is a bare array with its length in X-Total-Count', async () => {
        const response = await page('');
        expect(idsOf(response)).toHaveLength(5);
        expectTotal(response, 5);
        expect(new Set(ids).size).toBe(5);
      });

      it('comes in pages of a stable order', async () => {
        const pages = await Promise.all([0, 2, 4, 6].map((offset) => page(`limit=2&offset=${offset}`)));
        expect(pages.map(idsOf)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4), []]);
        for (const response of pages) expectTotal(response, 5);
      });

      it('leads from page to page by Link', async () => {
        const seen: string[] = [];
        let next: string | undefined = `${paged.path}/${name}?limit=2`;
        while (next !== undefined) {
          const response: Response = await paged.api.get(next);
          seen.push(...idsOf(response));
          next = linksOf(response)['next'];
        }
        expect(seen).toEqual(ids);
      });

      it('links to the first, the last and the previous page', async () => {
        const links = linksOf(await page('limit=2&offset=2'));
        const at = (offset: number): string => `${paged.path}/${name}?limit=2&offset=${offset}`;
        expect(links).toMatchObject({ first: at(0), prev: at(0), next: at(4) });
        if (resource.hasShared !== true) expect(links['last']).toBe(at(4));
      });

      it('holds nothing of other parents', async () => {
        const other = await kind.create(paged);
        const response = await other.api.get(`${other.path}/${name}`);
        expectTotal(response, resource.initially ?? 0);
        expect(idsOf(response)).toHaveLength(resource.initially ?? 0);
        expect(ids).not.toEqual(expect.arrayContaining(idsOf(response).slice(0, 1).concat('-')));
      });
    });
  }

  describe('HEAD', () => {
    it('answers as GET does, without a body', async () => {
      for (const operation of read()) {
        const get = await parent.api.request('get', pathOf(operation));
        const head = await parent.api.request('head', pathOf(operation));
        expect(head.status).toBe(200);
        expect(head.text ?? '').toBe('');
        for (const header of ['content-type', 'content-length', 'x-total-count', 'link']) {
          expect(head.headers[header]).toBe(get.headers[header]);
        }
      }
    });
  });

  describe('methods', () => {
    it('are refused when there is no such operation, with those that there are', async () => {
      const onList = await parent.api.request('put', list());
      expectError(onList, 405, 'method_not_allowed');
      expect(onList.headers['allow']).toBe(allowOf(ofListPath));
      const onItem = await parent.api.request('put', list(`/${id}`));
      expectError(onItem, 405, 'method_not_allowed');
      expect(onItem.headers['allow']).toBe(allowOf(ofItemPath));
    });

    it('are unknown below an unknown path', async () => {
      for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
        expectError(await parent.api.request(method, list(`/${id}/nothing/here`)), 404, 'resource_not_found');
      }
    });
  });

  describe('bodies', () => {
    it('may hold fields of the response and unknown ones, which are dropped', async () => {
      for (const { method, path } of withBody()) {
        const body = method === 'post' ? await resource.create?.(parent) : resource.update;
        const send = (sent: object): Promise<Response> =>
          parent.api[method === 'post' ? 'post' : 'patch'](`${parent.path}/${path(id)}`, sent);
        const sent = { ...body, id: uuid(), [kind.idField]: uuid(), createdAt: 'never' };
        const unknown = { ...sent, colour: 'red' };
        const isRefused = resource.refusesUnknownFields === true;
        if (isRefused) expectInvalid(await send(unknown), 'colour');
        const response = await send(isRefused ? sent : unknown);
        expect(response.status).toBe(method === 'post' ? 201 : 200);
        expect(response.body).toMatchObject({ [kind.idField]: parent.id });
        expect(response.body).not.toHaveProperty('colour');
        expect((response.body as { id: string }).id).not.toBe(sent.id);
      }
    });

    it('are refused with every wrong field named', async () => {
      for (const { body, fields } of resource.wrongCreates ?? []) {
        expectInvalid(await parent.api.post(list(), body), ...fields);
      }
      for (const { body, fields } of resource.wrongUpdates ?? []) {
        expectInvalid(await parent.api.patch(list(`/${id}`), body), ...fields);
      }
    });

    it('are refused when they are not JSON', async () => {
      for (const operation of withBody()) {
        for (const text of ['{"name":', '{name: 1}', '"text"', '5', 'null', '\u0000']) {
          expectError(await callRaw(operation, 'application/json', text), 400, 'malformed_json');
        }
      }
    });

    it('are refused when they are a list', async () => {
      for (const operation of withBody()) {
        for (const text of ['[]', '[{}]', `[${JSON.stringify(operation.body)}]`]) {
          expectError(await callRaw(operation, 'application/json', text), 400, 'invalid_request');
        }
      }
    });

    it('are refused when they are nested without end', async () => {
      const deep = 30_000;
      const text = `{"name":${'['.repeat(deep)}${']'.repeat(deep)}}`;
      for (const operation of withBody()) {
        expectError(await callRaw(operation, 'application/json', text), 400);
      }
    });

    it('are refused in another content type', async () => {
      for (const operation of withBody()) {
        const json = JSON.stringify(operation.body);
        for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']) {
          expectError(await callRaw(operation, type, json), 415, 'unsupported_media_type');
        }
      }
    });

    it('are refused when they are large', async () => {
      const json = JSON.stringify({ name: 'x'.repeat(2 * 1024 * 1024) });
      for (const operation of withBody()) {
        expectError(await callRaw(operation, 'application/json', json), 413, 'too_large');
      }
    });
  });

  describe('text that no field can hold', () => {
    it('is refused in paths', async () => {
      for (const operation of ofItem()) {
        for (const text of ['%00', 'a%00b', '%ED%A0%80', '%FF', '%']) {
          expectError(await call(parent.api, operation, pathOf(operation, text)), 400, 'malformed_text');
        }
      }
    });

    it('is refused in queries', async () => {
      for (const text of ['%00', 'a%00b', '%ED%A0%80', '%C3']) {
        for (const name of ['query', 'colour', `relations=x&${text}`]) {
          expectError(await parent.api.request('get', list(`?${name}=${text}`)), 400, 'malformed_text');
        }
      }
    });

    it('is refused in bodies, in values as in names', async () => {
      const texts = ['{"name":"a\\u0000"}', '{"name":"\\ud800"}', '{"name":"\\udc00x"}', '{"a\\u0000":1}'];
      for (const operation of withBody()) {
        for (const text of [...texts, '{"colour":[{"of":"\\ud800"}]}']) {
          expectError(await callRaw(operation, 'application/json', text), 400, 'malformed_text');
        }
      }
    });
  });

  describe('a token outside the header', () => {
    it('is refused, with another in the header or without', async () => {
      const { token } = parent.tenant.owner;
      for (const api of [parent.api, new Api(parent.api.origin, null)]) {
        for (const operation of operations) {
          const path = `${pathOf(operation)}?access_token=${token}`;
          expectError(await call(api, operation, path), 400, 'token_outside_header');
        }
        for (const operation of withBody()) {
          const request = api.request(operation.method, pathOf(operation));
          const response = await request.send({ ...operation.body, access_token: token });
          expectError(response, 400, 'token_outside_header');
        }
      }
    });
  });

  if (ofItemPath['delete'] !== undefined) {
    it('is gone after it was deleted', async () => {
      const gone = await resource.make(parent);
      const response = await parent.api.delete(list(`/${gone}`));
      expect({ status: response.status, body: response.text }).toEqual({ status: 204, body: '' });
      for (const operation of ofItem()) {
        expectError(await call(parent.api, operation, pathOf(operation, gone)), 404);
      }
      expect(idsOf(await parent.api.get(list()))).not.toContain(gone);
    });
  }

  const field = resource.uniqueName;
  if (field !== undefined) {
    describe('unique name', () => {
      const create = async (value: unknown): Promise<Response> =>
        parent.api.post(list(), { ...(await resource.create?.(parent)), [field]: value });

      it.each([
        ['nothing', ''],
        ['only spaces', '   '],
        ['only invisible characters', '\u200b\u00a0'],
        ['129 characters', 'x'.repeat(129)],
        ['10,000 characters', 'x'.repeat(10_000)],
        ['a line break', 'a\nb'],
        ['a control character', 'a\u0007b'],
        ['a change of the writing direction', 'a\u202eb'],
        ['a number', 5],
        ['a list', ['a']],
        ['an object', { a: 1 }],
      ])('is refused with %s', async (_what, value) => {
        expectInvalid(await create(value), field);
        expectInvalid(await parent.api.patch(list(`/${id}`), { [field]: value }), field);
      });

      it('may have 128 characters of any script', async () => {
        const value = `${uniqueName('😀 ü 日本')}${'x'.repeat(128)}`;
        const response = await create([...value].slice(0, 128).join(''));
        expect(response.body).toMatchObject({ [field]: [...value].slice(0, 128).join('') });
      });

      it('loses the spaces around it', async () => {
        const value = uniqueName('name');
        expect((await create(`  ${value} `)).body).toMatchObject({ [field]: value });
      });

      it('is refused when another has it', async () => {
        const value = uniqueName('taken');
        expect((await create(value)).status).toBe(201);
        expectError(await create(value), 409, `${codeOf(resource)}_${field}_taken`);
        expectError(await parent.api.patch(list(`/${id}`), { [field]: value }), 409);
      });

      it('is given to one of many concurrent requests', async () => {
        const value = uniqueName('race');
        const statuses = await Promise.all(
          Array.from({ length: 8 }, async () => (await create(value)).status),
        );
        expect(statuses.sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
      });

      it('may be taken in another parent', async () => {
        const value = uniqueName('shared');
        const other = await kind.create(parent);
        expect((await create(value)).status).toBe(201);
        const body = { ...(await resource.create?.(other)), [field]: value };
        expect((await other.api.post(`${other.path}/${name}`, body)).status).toBe(201);
      });
    });
  }
}

/** The ids of a page, without those of shared rows. */
function idsOf(response: Response): string[] {
  const rows = response.body as { id: string; organizationId?: string | null }[];
  return rows.filter(({ organizationId }) => organizationId !== null).map(({ id }) => id);
}

/** The links of a page by relation. */
function linksOf(response: Response): Record<string, string> {
  const links = response.headers['link'] ?? '';
  return Object.fromEntries(
    [...links.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, url, rel]) => [rel ?? '', url ?? '']),
  );
}
