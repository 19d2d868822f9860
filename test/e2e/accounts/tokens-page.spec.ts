import { permissions as allPermissions } from '../../../src/common/access/permissions.js';
import { VERSION } from '../../../src/config/version.js';
import { databaseNow } from '../../../src/common/database-clock.js';
import { createApp, type TestApp } from '../../builders/app.js';
import type { Actor, Tenant } from '../../builders/identities.js';
import { createPerson, signedInBrowser } from '../../builders/person.js';
import { createToken } from '../../builders/token.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import type { Browser, Shown } from '../../support/http/browser.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError } from '../../support/http/expect-error.js';

const TOKENS = '/settings/tokens';
const DELETE = '/settings/tokens/delete';

interface Token {
  readonly id: string;
  readonly name: string;
  readonly expiresAt: string | null;
  readonly permissions: string | readonly string[];
  readonly organizationIds: readonly string[] | null;
  readonly appIds: readonly string[] | null;
}

let person: Actor;
let browser: Browser;
let tenant: Tenant;
let app: TestApp;
beforeAll(async () => {
  person = await createPerson();
  const organization = await person.api.post('/v1/organizations', { name: 'Acme <b>' });
  tenant = { organizationId: expectCreated<{ id: string }>(organization).id, owner: person };
  app = await createApp(tenant, { name: 'Shop & more' });
  browser = await signedInBrowser(person);
});

/** Sends the form with its hidden fields, as a browser sends checkboxes. */
async function send(fields: readonly (readonly [string, string])[], by = browser): Promise<Shown> {
  await by.open(TOKENS);
  const body = new URLSearchParams([...Object.entries(by.hidden(TOKENS)), ...fields] as [string, string][]);
  const type = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: by.origin };
  return by.request('POST', TOKENS, type, body.toString());
}

const secretOf = ({ html }: Shown): string => /class="secret">(ca_[0-9a-f]{48})</.exec(html)?.[1] ?? '';

/** The newest token of the person. */
async function newest(): Promise<Token> {
  const { body } = await person.api.get('/v1/tokens?limit=1');
  return (body as Token[])[0] as Token;
}

describe('a new token', () => {
  it('is shown once and works', async () => {
    const created = await send([
      ['name', '<b>"CI" & more'],
      ['expires', '30'],
    ]);
    expect(created.html).toContain('&lt;b&gt;&quot;CI&quot; &amp; more');
    expect(created.html).not.toContain('<b>"CI"');
    const api = new Api(browser.origin, secretOf(created));
    expect((await api.get('/v1/users/me')).body).toMatchObject({ id: person.userId });
    expect((await browser.open(TOKENS)).html).not.toContain(secretOf(created));
    expect(await newest()).toMatchObject({ permissions: 'all', organizationIds: null, appIds: null });
  });

  it('has the chosen permissions, organizations and apps', async () => {
    const { html } = await browser.open(TOKENS);
    expect(html).toContain(`value="${tenant.organizationId}"`);
    expect(html).toContain('Acme &lt;b&gt;');
    expect(html).toContain('Shop &amp; more');
    const created = await send([
      ['name', 'Live updates'],
      ['access', 'list'],
      ['permissions', 'apps:read'],
      ['permissions', 'bundles:write'],
      ['organizationIds', tenant.organizationId],
      ['appIds', app.id],
    ]);
    expect(created.status).toBe(200);
    expect(await newest()).toMatchObject({
      name: 'Live updates',
      permissions: ['apps:read', 'bundles:write'],
      organizationIds: [tenant.organizationId],
      appIds: [app.id],
    });
    expect(created.html).toContain('apps:read, bundles:write · only Acme &lt;b&gt; · only Shop &amp; more');
    const api = new Api(browser.origin, secretOf(created));
    expect((await api.get(app.path)).status).toBe(200);
    expectError(await api.delete(app.path), 403, 'token_limited');
  });

  it('can be for reading only', async () => {
    const created = await send([
      ['name', 'Reader'],
      ['access', 'read-only'],
    ]);
    expect(await newest()).toMatchObject({ permissions: 'read-only' });
    expect(created.html).toContain('read only');
  });

  it('can be for CI, which publishes but changes no settings', async () => {
    const created = await send([
      ['name', 'Pipeline'],
      ['access', 'ci'],
    ]);
    const { permissions } = await newest();
    expect(permissions).toEqual(
      expect.arrayContaining(['bundles:write', 'builds:write', 'deployments:write']),
    );
    expect(
      (permissions as string[]).filter((each) => /^(apps|channels|environments):write$/.test(each)),
    ).toEqual([]);
    const api = new Api(browser.origin, secretOf(created));
    expect((await api.get('/v1/users/me')).status).toBe(200);
    expectError(await api.delete(app.path), 403, 'token_limited');
  });

  it('can be for a release manager, who publishes nothing', async () => {
    await send([
      ['name', 'Releases'],
      ['access', 'release-manager'],
    ]);
    const { permissions } = await newest();
    expect(permissions).toEqual(expect.arrayContaining(['deployments:approve', 'channels:write']));
    expect(permissions).not.toContain('bundles:write');
  });

  it('says what each group of permissions is about', async () => {
    const { html } = await browser.open(TOKENS);
    const groups = new Set(allPermissions.map((permission) => permission.split(':', 1)[0]));
    for (const group of groups)
      expect(html).toMatch(new RegExp(`<legend>${group}</legend>\\s*<p class="hint">[A-Z][^<]+</p>`));
    expect(html).toContain(`Slipway ${VERSION}`);
  });

  it('is valid until the end of a chosen day, in UTC', async () => {
    const day = '2037-02-28';
    await send([
      ['name', 'Until a day'],
      ['expires', '30'],
      ['lastDay', day],
    ]);
    expect((await newest()).expiresAt).toBe(`${day}T23:59:59.999Z`);
    const today = databaseNow().toISOString().slice(0, 10);
    await send([
      ['name', 'Until tonight'],
      ['lastDay', today],
    ]);
    expect((await newest()).expiresAt).toBe(`${today}T23:59:59.999Z`);
  });

  it.each(['2020-01-01', '2037-02-30', 'tomorrow', '37-01-01'])('has no last day %s', async (lastDay) => {
    const refused = await send([
      ['name', 'Wrong day'],
      ['lastDay', lastDay],
    ]);
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('a day that is not over');
    expect((await newest()).name).not.toBe('Wrong day');
  });

  it.each<[string, [string, string][]]>([
    ['chooses permissions but not that only these count', [['permissions', 'apps:read']]],
    [
      'chooses permissions and all that read',
      [
        ['access', 'read-only'],
        ['permissions', 'apps:read'],
      ],
    ],
    ['chooses none of the permissions', [['access', 'list']]],
    [
      'names a permission that there is not',
      [
        ['access', 'list'],
        ['permissions', 'apps:all'],
      ],
    ],
    ['names what is not an id', [['appIds', 'x']]],
  ])('is never wider than it seems: a form is refused that %s', async (_which, fields) => {
    const refused = await send([['name', 'Wider'], ...fields]);
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('value="Wider"');
    for (const [name, value] of fields.filter(([, value]) => value === 'apps:read')) {
      expect(refused.html).toMatch(new RegExp(`name="${name}"\\s+value="${value}"\\s+checked`));
    }
    expect((await newest()).name).not.toBe('Wider');
  });

  it('is limited to no organization or app that its user cannot see', async () => {
    const other = await createPerson();
    const stranger = await signedInBrowser(other);
    expect((await stranger.open(TOKENS)).html).not.toContain(app.id);
    for (const [field, id] of [
      ['organizationIds', tenant.organizationId],
      ['appIds', app.id],
    ] as const) {
      const refused = await send(
        [
          ['name', 'Foreign'],
          [field, id],
        ],
        stranger,
      );
      expect(refused.status).toBe(404);
    }
  });

  it.each([
    ['only invisible characters', '\u200b'],
    ['a control character', 'a\u0085b'],
    ['a text direction', 'a\u202eb'],
    ['129 characters', 'a'.repeat(129)],
  ])('has no name of %s, in the form as in the API', async (_what, name) => {
    expect((await send([['name', name]])).status).toBe(422);
    expectError(await person.api.post('/v1/tokens', { name }), 400, 'invalid_fields');
  });

  it('has a name of 128 characters outside of the basic plane, in the form as in the API', async () => {
    const name = '😀'.repeat(128);
    const created = await send([
      ['name', name],
      ['expires', 'never'],
    ]);
    expect(created.status).toBe(200);
    expect((await person.api.post('/v1/tokens', { name })).status).toBe(201);
  });

  it('can have every permission, and as many organizations and apps as the API allows', async () => {
    const { html } = await browser.open(TOKENS);
    const permissions = [...html.matchAll(/name="permissions"\s+value="([^"]+)"/g)].map(
      ([, value = '']) => value,
    );
    expect(permissions.length).toBeGreaterThan(40);
    const ids = Array.from({ length: 100 }, () => crypto.randomUUID());
    const refused = await send([
      ['name', 'Everything'],
      ['access', 'list'],
      ...permissions.map((value) => ['permissions', value] as const),
      ...ids.map((id) => ['organizationIds', id] as const),
      ...ids.map((id) => ['appIds', id] as const),
    ]);
    // The form was read as a whole, and the ids are of nothing.
    expect(refused.status).toBe(404);
  });
});

describe('deleting a token', () => {
  it('asks first, with its name, its last characters and its last use', async () => {
    const { id, api, token } = await createToken(person.api, { name: 'To be <deleted>' });
    await query(
      testEnvironment().databaseUrl,
      `UPDATE tokens SET last_used_at = '2026-03-05T14:07:00Z', last_used_address = '192.0.2.7',
              last_used_client = 'Capawesome CLI v4.18.4' WHERE id = $1`,
      [id],
    );
    const path = `${DELETE}?id=${id}`;
    expect((await browser.open(TOKENS)).html).toContain(`href="${path}"`);
    const asked = await browser.open(path);
    expect(asked.html).toContain('To be &lt;deleted&gt;');
    expect(asked.html).toContain(token.slice(-4));
    expect(asked.html).toContain('last used 5 Mar 2026, 14:07 UTC from 192.0.2.7 by Capawesome CLI v4.18.4');
    expect(asked.html).not.toContain('.slipway/token');
    expect((await api.get('/v1/users/me')).status).toBe(200);
    expect((await browser.submit(DELETE)).html).not.toContain(id);
    expectError(await api.get('/v1/users/me'), 401, 'invalid_token');
  });

  it('is not for tokens of others', async () => {
    const { id } = await createToken((await createPerson()).api);
    const own = await createToken(person.api);
    await browser.open(`${DELETE}?id=${own.id}`);
    const { csrf = '' } = browser.hidden(DELETE);
    for (const wrong of [id, 'x', '']) {
      expect((await browser.request('GET', `${DELETE}?id=${wrong}`)).status).toBe(404);
      expect((await browser.send(DELETE, { csrf, id: wrong })).status).toBe(404);
    }
  });
});
