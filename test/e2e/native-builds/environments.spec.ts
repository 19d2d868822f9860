import { createApp, type TestApp } from '../../builders/app.js';
import { createEnvironment, createSecret, type TestEnvironment } from '../../builders/environment.js';
import { createMember } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { auditEvents } from '../../support/organizations/audit-log.js';

let app: TestApp;
let environment: TestEnvironment;
beforeAll(async () => {
  app = await createApp();
});
beforeEach(async () => {
  environment = await createEnvironment(app);
});

const set = (what: 'variables' | 'secrets', values: unknown, api = app.api) =>
  api.post(`${environment.path}/${what}/set`, values as object);
const unset = (what: 'variables' | 'secrets', keys: unknown) =>
  app.api.post(`${environment.path}/${what}/unset`, keys as object);
async function valuesOf(what: 'variables' | 'secrets'): Promise<Record<string, unknown>> {
  const { body } = await app.api.get(`${environment.path}/${what}`);
  return Object.fromEntries(
    (body as { key: string; value?: string; masked?: boolean }[]).map((one) => [
      one.key,
      one.value ?? one.masked,
    ]),
  );
}

describe('environments', () => {
  it('have their variables and secrets as relations, without the values of secrets', async () => {
    await set('variables', [
      { key: 'B', value: '2' },
      { key: 'A', value: '1' },
    ]);
    await set('secrets', [{ key: 'KEY', value: 'very secret' }]);
    const relations = 'relations=appEnvironmentVariables,appEnvironmentSecrets,unknown';
    const one = await app.api.get(`${environment.path}?${relations}`);
    expect(one.body).toEqual({
      id: environment.id,
      appId: app.id,
      name: environment.name,
      allowedRefs: [],
      protected: false,
      appEnvironmentVariables: [
        expect.objectContaining({ key: 'A', value: '1', appEnvironmentId: environment.id }),
        expect.objectContaining({ key: 'B', value: '2' }),
      ],
      appEnvironmentSecrets: [
        {
          id: expect.any(String) as string,
          appEnvironmentId: environment.id,
          key: 'KEY',
          masked: true,
          createdAt: expect.any(String) as string,
          updatedAt: expect.any(String) as string,
        },
      ],
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
    });
    const list = await app.api.get(
      `${app.path}/environments?name=${environment.name.toUpperCase()}&${relations}`,
    );
    expect(list.body).toEqual([one.body]);
    expect((await app.api.get(environment.path)).body).not.toHaveProperty('appEnvironmentSecrets');
  });

  it('are deleted by name, ignoring case', async () => {
    const named = `${app.path}/environments?name=`;
    expect((await app.api.delete(named + environment.name.toUpperCase())).status).toBe(204);
    expectError(await app.api.delete(named + environment.name), 404, 'environment_not_found');
    expectInvalid(await app.api.delete(named), 'name');
  });

  it('become the default of their app by id or name, until they are deleted', async () => {
    const patch = async (body: object) => (await app.api.patch(app.path, body)).body as object;
    const { id, name } = environment;
    expect(await patch({ appEnvironmentId: id })).toMatchObject({ appEnvironmentId: id });
    expect(await patch({ appEnvironmentName: null })).toMatchObject({ appEnvironmentId: null });
    expect(await patch({ appEnvironmentName: name.toUpperCase() })).toMatchObject({ appEnvironmentId: id });
    expect(await patch({ appEnvironmentId: null, appEnvironmentName: name })).toMatchObject({
      appEnvironmentId: null,
    });
    expect(await patch({ appEnvironmentId: id, appEnvironmentName: 'unknown' })).toMatchObject({
      appEnvironmentId: id,
    });
    expect(await patch({ buildStack: 'macos-tahoe' })).toMatchObject({
      buildStack: 'macos-tahoe',
      appEnvironmentId: id,
    });
    expect(await patch({ buildStack: null })).toMatchObject({ buildStack: null });
    expect((await app.api.delete(environment.path)).status).toBe(204);
    expect((await app.api.get(app.path)).body).toMatchObject({ appEnvironmentId: null });
  });

  it('become the default of no other app', async () => {
    const other = await createApp(app.tenant);
    for (const body of [{ appEnvironmentId: environment.id }, { appEnvironmentName: environment.name }]) {
      expectError(await other.api.patch(other.path, body), 404, 'environment_not_found');
    }
  });
});

describe.each(['variables', 'secrets'] as const)('%s', (what) => {
  const shown = (value: string): unknown => (what === 'variables' ? value : true);

  it('are set and unset, and others stay', async () => {
    await set(what, [
      { key: 'A', value: 'first' },
      { key: 'B', value: 'second' },
    ]);
    const before = (await app.api.get(`${environment.path}/${what}`)).body as { id: string }[];
    await set(what, [
      { key: 'C', value: 'x'.repeat(5), extra: 1 },
      { key: 'B', value: 'twice' },
      { key: 'B', value: 'changed' },
    ]);
    expect(await valuesOf(what)).toEqual({ A: shown('first'), B: shown('changed'), C: shown('xxxxx') });
    const after = (await app.api.get(`${environment.path}/${what}`)).body as { id: string }[];
    expect(after.slice(0, 2).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect((await unset(what, ['A', 'C', 'UNKNOWN', 'not a key', '__proto__'])).status).toBe(204);
    expect(await valuesOf(what)).toEqual({ B: shown('changed') });
    for (const empty of [[], []]) expect((await unset(what, empty)).status).toBe(204);
    expect((await set(what, [])).status).toBeLessThan(300);
  });

  it('are created, changed and deleted one by one', async () => {
    const path = `${environment.path}/${what}`;
    const created = await app.api.post(path, { key: 'A', value: 'some value' });
    expect(created.status).toBe(201);
    const { id } = created.body as { id: string };
    expect('value' in (created.body as object)).toBe(what === 'variables');
    expectError(await app.api.post(path, { key: 'A', value: 'x' }), 409, 'environment_key_taken');
    await app.api.post(path, { key: 'a', value: 'other case' });
    expectError(await app.api.patch(`${path}/${id}`, { key: 'a' }), 409, 'environment_key_taken');
    expect((await app.api.patch(`${path}/${id}`, { key: 'B' })).body).toMatchObject({ id, key: 'B' });
    expect((await app.api.patch(`${path}/${id}`, { value: 'changed' })).status).toBe(200);
    expect((await app.api.patch(`${path}/${id}`, {})).status).toBe(200);
    expect(await valuesOf(what)).toEqual({ a: shown('other case'), B: shown('changed') });
    expect((await app.api.delete(`${path}/${id}`)).status).toBe(204);
    expectError(await app.api.delete(`${path}/${id}`), 404);
  });

  it('belong to one environment', async () => {
    const { id } = (await app.api.post(`${environment.path}/${what}`, { key: 'A', value: 'value' })).body as {
      id: string;
    };
    const other = await createEnvironment(app);
    const otherApp = await createApp(app.tenant);
    for (const path of [other.path, `${otherApp.path}/environments/${environment.id}`]) {
      expectError(await app.api.patch(`${path}/${what}/${id}`, { value: 'stolen' }), 404);
      expectError(await app.api.delete(`${path}/${what}/${id}`), 404);
    }
    for (const body of [[{ key: 'A', value: 'stolen' }], []]) {
      const path = `${otherApp.path}/environments/${environment.id}/${what}/set`;
      expectError(await app.api.post(path, body), 404, 'environment_not_found');
    }
    expect(await valuesOf(what)).toEqual({ A: shown('value') });
  });

  it('name every wrong entry, and change nothing then', async () => {
    const wrong = [
      { key: 'A', value: 'fine' },
      { key: 'CI_X', value: 'x' },
      { key: 'A=B', value: 'x' },
      { key: 'B\n', value: 'x' },
      { key: '__proto__', value: 'x' },
      { key: 'PATH', value: '/tmp' },
      { key: 5, value: 5 },
      { value: 'x'.repeat(32_769) },
      { key: 'C', value: 'ü'.repeat(16_385) },
    ];
    const refused = expectError(await set(what, wrong), 400, 'invalid_fields');
    expect(refused.errors?.map(({ field }) => field)).toEqual([
      '1.key',
      '2.key',
      '3.key',
      '4.key',
      '5.key',
      '6.key',
      '6.value',
      '7.key',
      '7.value',
      '8.value',
    ]);
    expectError(await set(what, [{ key: 'A', value: 'a\0b' }]), 400, 'malformed_text');
    for (const body of [{}, { key: 'A', value: 'x' }, [5], ['A'], [null], [[{ key: 'A', value: 'x' }]]]) {
      expectError(await set(what, body), 400);
    }
    for (const body of [{}, [5], [['A']], [null], ['x'.repeat(129)]])
      expectError(await unset(what, body), 400);
    expect(await valuesOf(what)).toEqual({});
  });

  it('are limited in number and size', async () => {
    const many = (count: number, value = 'x') =>
      Array.from({ length: count }, (_, index) => ({ key: `KEY_${index}`, value }));
    expectError(await set(what, many(10_000)), 400);
    expectError(await set(what, many(501)), 400);
    expect((await set(what, many(500))).status).toBeLessThan(300);
    expect((await set(what, many(500, 'y'))).status).toBeLessThan(300);
    expectError(await set(what, [{ key: 'ONE_MORE', value: 'x' }]), 409, 'environment_full');
    const one = { key: 'ONE_MORE', value: 'x' };
    expectError(await app.api.post(`${environment.path}/${what}`, one), 409, 'environment_full');
    await unset(
      what,
      many(500).map(({ key }) => key),
    );
    expectError(await set(what, many(8, 'x'.repeat(32_768))), 409, 'environment_full');
    expect((await set(what, many(7, 'x'.repeat(32_768)))).status).toBeLessThan(300);
  });

  it('can be set by many at once, with overlapping keys in any order', async () => {
    const keys = ['A', 'B', 'C', 'D', 'E', 'F'];
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => {
        const order = index % 2 === 0 ? keys : keys.toReversed();
        return set(
          what,
          order.map((key) => ({ key, value: `value ${index}` })),
        );
      }),
    );
    expect(responses.filter(({ status }) => status >= 300)).toEqual([]);
    const values = Object.values(await valuesOf(what));
    expect(values).toHaveLength(keys.length);
    expect(new Set(values).size).toBe(1);
  });

  it('stay within the limit when many set other keys at once', async () => {
    const responses = await Promise.all(
      Array.from({ length: 4 }, (_, part) =>
        set(
          what,
          Array.from({ length: 200 }, (_, index) => ({ key: `KEY_${part}_${index}`, value: 'x' })),
        ),
      ),
    );
    expect(responses.map(({ status }) => (status < 300 ? 'set' : status)).sort()).toEqual([
      409,
      409,
      'set',
      'set',
    ]);
    expect(Object.keys(await valuesOf(what))).toHaveLength(400);
  });

  it('are in the audit log without their values', async () => {
    await set(what, [{ key: 'LOGGED', value: 'not in the log' }]);
    await set(what, [{ key: 'LOGGED', value: 'not there either' }]);
    await unset(what, ['LOGGED']);
    const events = await auditEvents(app.tenant, `objectType=environment-${what.slice(0, -1)}`);
    const own = events.filter(({ object }) => object.name === 'LOGGED');
    expect(own.map(({ action }) => action).sort()).toEqual(['created', 'deleted', 'updated']);
    expect(JSON.stringify(own)).not.toMatch(/not (in|there)|v1\./);
  });
});

describe('secrets', () => {
  it('say when they are too short to be masked', async () => {
    const { body } = await set('secrets', [
      { key: 'PIN', value: '123' },
      { key: 'EMPTY', value: '' },
      { key: 'LONG', value: '1234' },
    ]);
    expect(body).toEqual({ warning: 'Logs cannot mask values of fewer than 4 characters: EMPTY, PIN.' });
    expect((await set('secrets', [{ key: 'LONG', value: '12345' }])).body).toEqual({ warning: null });
    expect(await valuesOf('secrets')).toEqual({ PIN: false, EMPTY: false, LONG: true });
  });

  it('are sealed in the database, and never returned', async () => {
    await set('secrets', [{ key: 'A', value: 'correct horse battery staple' }]);
    await createSecret(app, environment.id);
    const rows = await query<Record<string, unknown>>(
      testEnvironment().databaseUrl,
      'SELECT * FROM environment_secrets WHERE environment_id = $1',
      [environment.id],
    );
    expect(rows).toHaveLength(2);
    for (const row of rows) expect(row).toMatchObject({ sealed_value: expect.stringMatching(/^v1\./) });
    expect(JSON.stringify(rows)).not.toMatch(/correct|some value/);
    const lists = await app.api.get(`${environment.path}/secrets`);
    expect(lists.text).not.toMatch(/correct|v1\./);
  });
});

describe('restricted environments', () => {
  it('are changed by owners and admins only, in every way', async () => {
    const member = await createMember(app.tenant, 'member');
    const admin = await createMember(app.tenant, 'admin');
    const { path } = environment;
    const secret = await createSecret(app, environment.id);
    for (const restriction of [
      { protected: true, allowedRefs: [] },
      { protected: false, allowedRefs: ['main'] },
    ]) {
      expectError(await member.api.patch(path, restriction), 403, 'not_authorized');
      expect((await admin.api.patch(path, restriction)).body).toMatchObject(restriction);
      const refused = [
        member.api.patch(path, { name: 'x' }),
        member.api.patch(path, { protected: false }),
        member.api.patch(path, { allowedRefs: [] }),
        member.api.delete(path),
        member.api.delete(`${app.path}/environments?name=${environment.name}`),
        ...(['variables', 'secrets'] as const).flatMap((what) => [
          member.api.post(`${path}/${what}`, { key: 'X', value: 'x' }),
          member.api.post(`${path}/${what}/unset`, ['X']),
          set(what, [{ key: 'X', value: 'x' }], member.api),
        ]),
        member.api.patch(`${path}/secrets/${secret.id}`, { value: 'x' }),
        member.api.delete(`${path}/secrets/${secret.id}`),
      ];
      for (const response of await Promise.all(refused)) expectError(response, 403, 'not_authorized');
      expect((await member.api.get(path)).status).toBe(200);
    }
    await admin.api.patch(path, { protected: false, allowedRefs: [] });
    expect((await member.api.patch(path, { name: environment.name })).status).toBe(200);
    for (const body of [
      { name: 'new', protected: true },
      { name: 'new', allowedRefs: ['main'] },
    ]) {
      expectError(await member.api.post(`${app.path}/environments`, body), 403, 'not_authorized');
    }
  });

  it('take at most 20 patterns, which cannot be slow', async () => {
    const patch = (allowedRefs: unknown) => app.api.patch(environment.path, { allowedRefs });
    for (const wrong of [
      'main',
      ['*a*b*c*'],
      ['{a,b}'],
      ['x'.repeat(101)],
      Array<string>(21).fill('a'),
      [''],
    ]) {
      expectInvalid(await patch(wrong), 'allowedRefs');
    }
    const body = { allowedRefs: ['main', 'release/**', 'refs/tags/v?.*'] };
    expect((await patch(body.allowedRefs)).body).toMatchObject(body);
  });
});

it('limits the lines of all secrets of an environment, which logs are searched for', async () => {
  const { path } = await createEnvironment(app);
  const set = (key: string, lines: number, line = 'line') =>
    app.api.post(`${path}/secrets/set`, [
      { key, value: Array.from({ length: lines }, (_, n) => `${line}${n}`).join('\n') },
    ]);
  for (const key of ['A', 'B']) expect((await set(key, 750)).status).toBeLessThan(300);
  const refused = expectError(await set('C', 1), 409, 'environment_full');
  expect(refused.message).toMatch(/can have at most 1500 lines in all, not 1501: store long texts in Base64/);
  const one = { key: 'C', value: 'word' };
  expectError(await app.api.post(`${path}/secrets`, one), 409, 'environment_full');
  // Shorter lines are not masked.
  expect((await app.api.post(`${path}/secrets`, { ...one, value: 'abc\n\r\nabc' })).status).toBe(201);
  expect((await set('A', 749)).status).toBeLessThan(300);
  expect((await set('C', 1)).status).toBeLessThan(300);
});
