import { type Actor, createActor } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';

interface Code {
  readonly id: string;
  readonly code: string;
}
interface Session {
  readonly id: string;
  readonly token: string;
}

const anonymous = new Api(testEnvironment().origin, null);
const sql = (text: string, values: unknown[]): Promise<unknown> =>
  query(testEnvironment().databaseUrl, text, values);

async function newCode(): Promise<Code> {
  const { status, body } = await anonymous.post('/v1/sessions/codes', {});
  expect(status).toBe(201);
  return body as Code;
}

/** As a user does on the page. */
const decide = (code: string, status: string, user: Actor): Promise<unknown> =>
  sql('UPDATE session_codes SET status = $2, user_id = $3 WHERE code = $1', [code, status, user.userId]);

const exchange = (id: string): ReturnType<Api['post']> =>
  anonymous.post('/v1/sessions', { code: id, provider: 'code' });

async function signIn(user: Actor): Promise<Session & { api: Api }> {
  const { id, code } = await newCode();
  await decide(code, 'approved', user);
  const { status, body } = await exchange(id);
  expect(status).toBe(201);
  return { ...(body as Session), api: new Api(testEnvironment().origin, (body as Session).token) };
}

describe('a session code', () => {
  it('is a long secret and eight letters', async () => {
    const { id, code } = await newCode();
    expect(id).toMatch(/^[\w-]{32}$/);
    expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/);
  });

  it('stores the secret as its hash only, and who asked', async () => {
    const response = await anonymous.request('post', '/v1/sessions/codes').set('User-Agent', 'Some CLI 1');
    const { code, id } = response.body as Code;
    expect(response.headers['cache-control']).toBe('no-store');
    const [row] = (await sql('SELECT * FROM session_codes WHERE code = $1', [code])) as object[];
    expect(row).toMatchObject({ status: 'created', address: '127.0.0.1', user_agent: 'Some CLI 1' });
    expect(JSON.stringify(row)).not.toContain(id);
  });

  it('answers 400 exactly while no one has decided', async () => {
    const { id } = await newCode();
    for (let poll = 0; poll < 3; poll++) expectError(await exchange(id), 400, 'session_code_pending');
  });

  it('becomes a session once', async () => {
    const user = await createActor();
    const { id, code } = await newCode();
    await decide(code, 'approved', user);
    const { status, body } = await exchange(id);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String) as string,
      token: expect.stringMatching(/^ses_/) as string,
    });
    expectError(await exchange(id), 410, 'session_code_consumed');
    const me = await new Api(anonymous.origin, (body as Session).token).get('/v1/users/me');
    expect(me.body).toMatchObject({ id: user.userId });
  });

  it('becomes one session even when twenty polls come at once', async () => {
    const user = await createActor();
    const { id, code } = await newCode();
    await decide(code, 'approved', user);
    const statuses = (await Promise.all(Array.from({ length: 20 }, () => exchange(id)))).map((r) => r.status);
    expect(statuses.sort()).toEqual([201, ...Array.from({ length: 19 }, () => 410)]);
    expect(await sql('SELECT id FROM sessions WHERE user_id = $1', [user.userId])).toHaveLength(1);
  });

  it('reports that it was denied', async () => {
    const { id, code } = await newCode();
    await decide(code, 'denied', await createActor());
    expectError(await exchange(id), 403, 'session_code_denied');
  });

  it.each(['created', 'approved'])('expires, also when it is %s', async (status) => {
    const { id, code } = await newCode();
    if (status === 'approved') await decide(code, status, await createActor());
    await sql(`UPDATE session_codes SET expires_at = now() - interval '1 second' WHERE code = $1`, [code]);
    expectError(await exchange(id), 410, 'session_code_expired');
  });

  it('is removed a day after it has expired', async () => {
    const { id, code } = await newCode();
    await sql(`UPDATE session_codes SET expires_at = now() - interval '25 hours' WHERE code = $1`, [code]);
    await newCode();
    expectError(await exchange(id), 404, 'session_code_not_found');
  });

  it('cannot be exchanged by what people type, or by anything else', async () => {
    const { code } = await newCode();
    await decide(code, 'approved', await createActor());
    for (const wrong of [code, '', 'x', '💥'.repeat(20)]) {
      expectError(await exchange(wrong), 404, 'session_code_not_found');
    }
  });

  it('refuses bodies that are not what it takes', async () => {
    expectInvalid(await anonymous.post('/v1/sessions', {}), 'code', 'provider');
    expectInvalid(await anonymous.post('/v1/sessions', { code: 1, provider: 'code' }), 'code');
    expectInvalid(await anonymous.post('/v1/sessions', { code: 'x', provider: 'github' }), 'provider');
    expectInvalid(await anonymous.post('/v1/sessions', { code: 'x'.repeat(300), provider: 'code' }), 'code');
  });
});

describe('a session', () => {
  let user: Actor;
  beforeEach(async () => {
    user = await createActor();
  });

  it('is listed with the one that asks', async () => {
    const first = await signIn(user);
    const second = await signIn(user);
    const { body, headers } = await second.api.get('/v1/sessions');
    expect(headers['x-total-count']).toBe('2');
    expect(body).toMatchObject([
      { id: second.id, kind: 'device', current: true, address: '127.0.0.1' },
      { id: first.id, current: false },
    ]);
    expect(JSON.stringify(body)).not.toContain(second.token.slice(4, 20));
    expect((await user.api.get('/v1/sessions')).body).toMatchObject([{ current: false }, { current: false }]);
  });

  it('can be ended by itself', async () => {
    const { api, id } = await signIn(user);
    expect((await api.delete(`/v1/sessions/${id}`)).status).toBe(204);
    expectError(await api.get('/v1/users/me'), 401, 'invalid_token');
  });

  it('can be ended by another sign-in of the user, not by anyone else', async () => {
    const { api, id } = await signIn(user);
    const stranger = await createActor();
    expectError(await stranger.api.delete(`/v1/sessions/${id}`), 404, 'session_not_found');
    expectError(await anonymous.delete(`/v1/sessions/${id}`), 401);
    expect((await api.get('/v1/users/me')).status).toBe(200);
    expect((await user.api.delete(`/v1/sessions/${id}`)).status).toBe(204);
    expectError(await user.api.delete(`/v1/sessions/${id}`), 404, 'session_not_found');
    expectError(await api.get('/v1/users/me'), 401, 'invalid_token');
    expect((await stranger.api.get('/v1/sessions')).body).toEqual([]);
  });

  it.each([
    ['30 days without use', 'last_used_at'],
    ['90 days', 'created_at'],
  ])('ends after %s', async (days, column) => {
    const { api, id } = await signIn(user);
    const interval = /\d+/.exec(days)?.[0] ?? '';
    await sql(`UPDATE sessions SET ${column} = now() - $2::interval WHERE id = $1`, [
      id,
      `${interval} days -1 minute`,
    ]);
    expect((await api.get('/v1/users/me')).status).toBe(200);
    await sql(`UPDATE sessions SET ${column} = now() - $2::interval WHERE id = $1`, [id, `${interval} days`]);
    expectError(await api.get('/v1/users/me'), 401, 'invalid_token');
    expect((await user.api.get('/v1/sessions')).body).toEqual([]);
  });

  it('notes its use every five minutes at most', async () => {
    const { api, id } = await signIn(user);
    const age = async (): Promise<number> => {
      const select = `SELECT extract(epoch FROM now() - last_used_at)::int AS age FROM sessions WHERE id = $1`;
      return ((await sql(select, [id])) as { age: number }[])[0]?.age ?? NaN;
    };
    await sql(`UPDATE sessions SET last_used_at = now() - interval '4 minutes' WHERE id = $1`, [id]);
    await api.get('/v1/users/me');
    expect(await age()).toBeGreaterThan(200);
    await sql(`UPDATE sessions SET last_used_at = now() - interval '6 minutes' WHERE id = $1`, [id]);
    await api.get('/v1/users/me');
    expect(await age()).toBeLessThan(60);
  });

  it('is refused when any character of the token is wrong', async () => {
    const { token } = await signIn(user);
    const last = token.endsWith('0') ? '1' : '0';
    for (const wrong of [token.slice(0, -1), `${token}0`, token.slice(0, -1) + last, token.toUpperCase()]) {
      expectError(await new Api(anonymous.origin, wrong).get('/v1/users/me'), 401, 'invalid_token');
    }
  });
});
