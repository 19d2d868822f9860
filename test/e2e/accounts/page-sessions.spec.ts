import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { deriveKey } from '../../../src/common/secrets/derive-key.js';
import { csrfToken } from '../../../src/pages/requests/csrf.js';
import type { Actor } from '../../builders/identities.js';
import { createPerson, signedInBrowser } from '../../builders/person.js';
import { createDeviceSession } from '../../builders/session.js';
import { createToken } from '../../builders/token.js';
import { query } from '../../setup/databases.js';
import { ENCRYPTION_KEY } from '../../setup/server.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import type { Browser } from '../../support/http/browser.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError } from '../../support/http/expect-error.js';
import { expectOpenApi } from '../../support/http/expect-openapi.js';
import { PageScript } from '../../support/http/page-script.js';

/* The session of a page on /v1: a script of this server's own pages calls the API with the cookie. */

const { origin, databaseUrl } = testEnvironment();
const ME = '/v1/users/me';
const sql = (text: string, values: unknown[]): Promise<object[]> => query(databaseUrl, text, values);

let person: Actor;
let browser: Browser;
let script: PageScript;
beforeAll(async () => {
  person = await createPerson();
  browser = await signedInBrowser(person);
  script = await PageScript.of(browser);
});

/** What a response says besides the id of its request. */
function contentOf({ status, body, headers }: Response): object {
  const { requestId: _, ...content } = body as { requestId: string };
  return { status, content, challenge: headers['www-authenticate'] as unknown };
}

describe('a script of a page', () => {
  it.each<[string, Record<string, string | null>]>([
    ['by the browser’s headers', { Origin: origin }],
    ['in a browser that sends no Sec-Fetch-Site', { Origin: origin, 'Sec-Fetch-Site': null }],
    ['in a browser that sends neither', { 'Sec-Fetch-Site': null }],
  ])('calls the API as its visitor, %s', async (_when, headers) => {
    const read = await script.send('get', ME, headers);
    expect(read.body).toMatchObject({ id: person.userId, email: person.email });
    expect(read.headers['cache-control']).toBe('private, no-cache');
    const name = `Organization ${randomUUID()}`;
    const created = await script.send('post', '/v1/organizations', headers, { name });
    expectOpenApi('post', '/v1/organizations', created);
    expect(expectCreated<{ name: string }>(created).name).toBe(name);
  });

  it('finds its session among those of the user, and ends it', async () => {
    const own = await PageScript.of(await signedInBrowser(person));
    const sessions = (await own.send('get', '/v1/sessions')).body as { id: string; current: boolean }[];
    const [current, ...others] = sessions.filter((session) => session.current);
    expect(others).toEqual([]);
    expect((await own.send('delete', `/v1/sessions/${current?.id}`)).status).toBe(204);
    expectError(await own.send('get', ME), 401, 'invalid_token');
    expect((await script.send('get', ME)).status).toBe(200);
  });

  it('repeats a request safely, and is in the audit log with its session', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const send = (): Promise<Response> => script.send('post', '/v1/organizations', headers, { name: 'Once' });
    const [first, second] = [await send(), await send()];
    const { id } = expectCreated<{ id: string }>(first);
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotency-replayed']).toBe('true');
    const { body } = await person.api.get(`/v1/organizations/${id}/audit-events`);
    const sessions = (await script.send('get', '/v1/sessions')).body as { id: string; current: boolean }[];
    expect((body as { actor: object }[])[0]?.actor).toMatchObject({
      userId: person.userId,
      tokenId: null,
      sessionId: sessions.find(({ current }) => current)?.id,
    });
  });

  it('is limited by its session', async () => {
    const [one, other] = [await signedInBrowser(person), await signedInBrowser(person)];
    const [busy, idle] = [await PageScript.of(one), await PageScript.of(other)];
    const left = async (by: PageScript): Promise<number> => {
      const { headers } = await by.send('get', ME);
      expect(headers['ratelimit-policy']).toMatch(/^"token";/);
      return Number(/;r=(\d+);/.exec(headers['ratelimit'] as string)?.[1]);
    };
    const before = await left(busy);
    expect(await left(busy)).toBe(before - 1);
    expect(await left(idle)).toBe(before);
  });

  it('needs a recent sign-in to create a token, as a program does', async () => {
    const other = await createPerson();
    const own = await PageScript.of(await signedInBrowser(other));
    const create = (): Promise<Response> => own.send('post', '/v1/tokens', {}, { name: 'From a page' });
    expect((await create()).status).toBe(201);
    await sql(`UPDATE sessions SET proved_at = now() - interval '16 minutes' WHERE user_id = $1`, [
      other.userId,
    ]);
    expectError(await create(), 403, 'recent_sign_in_required');
    expect((await own.send('get', '/v1/tokens')).status).toBe(200);
  });

  it('needs the second factor that an organization requires', async () => {
    const { id } = expectCreated<{ id: string }>(
      await person.api.post('/v1/organizations', { name: 'Strict' }),
    );
    await sql('UPDATE organizations SET two_factor_required = true WHERE id = $1', [id]);
    expectError(await script.send('get', `/v1/organizations/${id}`), 403, 'two_factor_required');
    const strong = await PageScript.of(await signedInBrowser(person));
    await sql(
      `UPDATE sessions SET second_factor_at = now()
        WHERE id = (SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at DESC LIMIT 1)`,
      [person.userId],
    );
    expect((await strong.send('get', `/v1/organizations/${id}`)).status).toBe(200);
    expectError(await script.send('get', `/v1/organizations/${id}`), 403, 'two_factor_required');
  });
});

describe('a request of another site', () => {
  it.each<[string, Record<string, string>]>([
    ['cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['of a sibling host', { 'Sec-Fetch-Site': 'same-site' }],
    ['typed by the user', { 'Sec-Fetch-Site': 'none' }],
    ['with headers of two requests', { 'Sec-Fetch-Site': 'same-origin, cross-site' }],
    ['of another origin', { Origin: 'https://evil.example' }],
    ['of another port', { Origin: 'http://127.0.0.1:1' }],
    ['of a hidden origin', { Origin: 'null' }],
  ])('is refused when it is %s, even with the token of the page', async (_which, headers) => {
    expectError(await script.send('get', ME, headers), 403, 'csrf_check_failed');
    const name = `Forged ${randomUUID()}`;
    const refused = await script.send('post', '/v1/organizations', headers, { name });
    expectError(refused, 403, 'csrf_check_failed');
    expectOpenApi('post', '/v1/organizations', refused);
    expect(await sql('SELECT FROM organizations WHERE name = $1', [name])).toEqual([]);
  });

  it('gets no CORS headers, nor does its preflight', async () => {
    const cors = (response: Response): string[] =>
      Object.keys(response.headers as object).filter((name) => name.startsWith('access-control-'));
    const evil = { Origin: 'https://evil.example' };
    expect(cors(await script.send('get', ME, evil))).toEqual([]);
    const preflight = await fetch(origin + ME, {
      method: 'OPTIONS',
      headers: { ...evil, 'Access-Control-Request-Headers': 'x-csrf-token' },
    });
    expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});

describe('without the token of the page', () => {
  it('a cookie is as good as none', async () => {
    const expected = contentOf(await new Api(origin, null).get(ME));
    expect(expected).toMatchObject({ status: 401, content: { code: 'not_authenticated' } });
    for (const site of ['same-origin', 'same-site', 'cross-site', 'none', null]) {
      const headers = { 'X-CSRF-Token': null, 'Sec-Fetch-Site': site };
      expect(contentOf(await script.send('get', ME, headers))).toEqual(expected);
      const created = await script.send('post', '/v1/organizations', headers, { name: 'Forged' });
      expectError(created, 401, 'not_authenticated');
    }
  });

  it('or with another one, a request is refused', async () => {
    const other = await PageScript.of(await signedInBrowser(await createPerson()));
    const { csrf } = script;
    for (const wrong of ['', csrf.slice(0, -1), `${csrf}A`, other.csrf, `${csrf}, ${csrf}`]) {
      const refused = await script.send('get', ME, { 'X-CSRF-Token': wrong });
      expect(expectError(refused, 403, 'csrf_check_failed').message).toContain('Reload the page');
    }
  });

  it('or without a cookie, a token of a page is nothing', async () => {
    expectError(await script.send('get', ME, { Cookie: null }), 401, 'not_authenticated');
  });
});

describe('a session', () => {
  it('that was signed out is refused, and so is the page that is still open', async () => {
    const visitor = await signedInBrowser(person);
    const stale = await PageScript.of(visitor);
    await visitor.submit('/logout');
    expect(expectError(await stale.send('get', ME), 401, 'invalid_token').message).toContain('Sign in again');
    await signedInBrowser(person, visitor);
    const reused = await stale.send('get', ME, { Cookie: visitor.cookie });
    expectError(reused, 403, 'csrf_check_failed');
    expect((await (await PageScript.of(visitor)).send('get', ME)).status).toBe(200);
  });

  it('that has not been used for a month is refused', async () => {
    const other = await createPerson();
    const old = await PageScript.of(await signedInBrowser(other));
    await sql(`UPDATE sessions SET last_used_at = now() - interval '31 days' WHERE user_id = $1`, [
      other.userId,
    ]);
    expectError(await old.send('get', ME), 401, 'invalid_token');
  });

  it('must be one of a browser: other tokens in the cookie are none', async () => {
    const key = deriveKey(ENCRYPTION_KEY, 'forms');
    const anonymous = `anon_${'a'.repeat(22)}`;
    for (const token of [await createDeviceSession(person.userId), person.token, anonymous]) {
      const headers = { Cookie: `slipway=${token}`, 'X-CSRF-Token': csrfToken(key, token) };
      expectError(await script.send('get', ME, headers), 401, 'invalid_token');
    }
  });

  it('does not count beside an Authorization header', async () => {
    const bad = { Authorization: 'Bearer ca_nothing' };
    expectError(await script.send('get', ME, bad), 401, 'invalid_token');
    expect((await script.send('get', ME, { Authorization: 'Basic YTpi' })).status).toBe(401);
    const { token } = await createToken(person.api, { permissions: ['account:read'] });
    const limited = { Authorization: `Bearer ${token}` };
    const refused = await script.send('post', '/v1/organizations', limited, { name: 'Wider' });
    expectError(refused, 403, 'token_limited');
    const foreign = { ...limited, 'Sec-Fetch-Site': 'cross-site', 'X-CSRF-Token': 'wrong' };
    expect((await script.send('get', ME, foreign)).status).toBe(200);
  });
});
