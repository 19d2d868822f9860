import { createActor } from '../../builders/identities.js';
import { Api } from '../../support/http/api.js';
import { expectError } from '../../support/http/expect-error.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';

const PATH = '/v1/users/me/notices';
const NO_SERVER = 'No mail is sent: this server has no mail server. Ask its operator to set SMTP_URL.';
const mail = { available: false, reason: NO_SERVER };
const defaults = { approvals: true, health: false, webhooks: true, mail };

describe('GET /v1/users/me/notices', () => {
  it('has the defaults, and says that nothing is sent without a mail server', async () => {
    const { api } = await createActor();
    const response = await api.get(PATH);
    expect(response.status).toBe(200);
    expect(response.body).toEqual(defaults);
  });

  it('needs a token', async () => {
    expectError(await new Api(testEnvironment().origin, null).get(PATH), 401);
  });
});

describe('PATCH /v1/users/me/notices', () => {
  it('changes what is given and nothing else, for the caller alone', async () => {
    const [ada, grace] = [await createActor(), await createActor()];
    expect((await ada.api.patch(PATH, { health: true })).body).toEqual({ ...defaults, health: true });
    expect((await ada.api.patch(PATH, { approvals: false })).body).toEqual({
      ...defaults,
      approvals: false,
      health: true,
    });
    expect((await ada.api.patch(PATH, {})).body).toMatchObject({ approvals: false, health: true });
    expect((await ada.api.get(PATH)).body).toMatchObject({ approvals: false, health: true, webhooks: true });
    expect((await grace.api.get(PATH)).body).toEqual(defaults);
  });

  it('keeps the changes of two requests at the same time', async () => {
    const { api } = await createActor();
    const responses = await Promise.all([
      api.patch(PATH, { health: true }),
      api.patch(PATH, { webhooks: false }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect((await api.get(PATH)).body).toMatchObject({ approvals: true, health: true, webhooks: false });
  });

  it.each(['yes', 1, null, {}])('refuses %j', async (health) => {
    const { api } = await createActor();
    const { message } = expectError(await api.patch(PATH, { health }), 400);
    expect(message).toBe('health must be true or false.');
    expect((await api.get(PATH)).body).toEqual(defaults);
  });

  it('needs a token that may change the account', async () => {
    const { api } = await createActor();
    const { body } = await api.post('/v1/tokens', { name: 'Reader', permissions: 'read-only' });
    const reader = new Api(testEnvironment().origin, (body as { token: string }).token);
    expect((await reader.get(PATH)).body).toEqual(defaults);
    expectError(await reader.patch(PATH, { health: true }), 403);
  });

  it('is forgotten with the user', async () => {
    const { api, userId } = await createActor();
    await api.patch(PATH, { health: true });
    const { databaseUrl } = testEnvironment();
    await query(databaseUrl, 'DELETE FROM users WHERE id = $1', [userId]);
    expect(await query(databaseUrl, 'SELECT FROM notice_settings WHERE user_id = $1', [userId])).toEqual([]);
  });
});
