import { v7 as uuid } from 'uuid';
import { generateApiToken, hashToken } from '../../../src/common/access/api-token.js';
import { createActor } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../../support/eventually.js';
import { Api } from '../../support/http/api.js';
import { expectError } from '../../support/http/expect-error.js';

describe('users/me', () => {
  it('is the user behind the token, with all fields', async () => {
    const actor = await createActor();
    const { status, body } = await actor.api.get('/v1/users/me');
    expect(status).toBe(200);
    expect(body).toEqual({
      id: actor.userId,
      email: actor.email,
      emailVerified: true,
      name: null,
      image: null,
      twoFactorEnabled: false,
      lastSeenAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
    });
  });

  it('takes a token with spaces behind it, and the scheme in any case', async () => {
    const actor = await createActor();
    const request = new Api(actor.api.origin, null).request('get', '/v1/users/me');
    expect((await request.set('Authorization', `Bearer ${actor.token}  `)).status).toBe(200);
    const lower = new Api(actor.api.origin, null).request('get', '/v1/users/me');
    expect((await lower.set('Authorization', `bearer ${actor.token}`)).status).toBe(200);
  });

  it('asks for a token that is valid', async () => {
    const unknown = generateApiToken();
    const expired = await createActor(undefined, new Date(Date.now() - 1000));
    for (const token of [
      unknown,
      expired.token,
      `${expired.token.slice(0, -1)}x`,
      '',
      ' ',
      'a'.repeat(5000),
    ]) {
      const response = await new Api(expired.api.origin, token).request('get', '/v1/users/me');
      expectError(response, 401, 'invalid_token');
      expect(response.headers['www-authenticate']).toMatch(/^Bearer .*error="invalid_token"/);
    }
  });

  it('takes a token that expires later', async () => {
    const actor = await createActor(undefined, new Date(Date.now() + 60_000));
    expect((await actor.api.get('/v1/users/me')).status).toBe(200);
  });

  it('works with several tokens of one user, of which only the hash is stored', async () => {
    const actor = await createActor();
    const second = generateApiToken();
    const { databaseUrl } = testEnvironment();
    await query(databaseUrl, 'INSERT INTO tokens (id, user_id, name, hash) VALUES ($1, $2, $3, $4)', [
      uuid(),
      actor.userId,
      'CI',
      hashToken(second),
    ]);
    const { body } = await new Api(actor.api.origin, second).get('/v1/users/me');
    expect(body).toMatchObject({ id: actor.userId });
    const [{ rows } = { rows: '' }] = await query<{ rows: string }>(
      databaseUrl,
      'SELECT json_agg(tokens)::text AS rows FROM tokens WHERE user_id = $1',
      [actor.userId],
    );
    expect(rows).toContain(hashToken(second));
    expect(rows).not.toContain(second);
    expect(rows).not.toContain(actor.token);
  });

  it('records that the token was used and the user was seen', async () => {
    const actor = await createActor();
    await actor.api.get('/v1/users/me');
    await eventually(async () => {
      const rows = await query(
        testEnvironment().databaseUrl,
        `SELECT last_used_at IS NOT NULL AS used, last_seen_at IS NOT NULL AS seen
           FROM tokens JOIN users ON users.id = tokens.user_id WHERE users.id = $1`,
        [actor.userId],
      );
      expect(rows).toEqual([{ used: true, seen: true }]);
    });
  });
});
