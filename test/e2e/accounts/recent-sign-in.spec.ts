import { createPerson, PASSWORD, signedInBrowser } from '../../builders/person.js';
import { createDeviceSession } from '../../builders/session.js';
import { createToken } from '../../builders/token.js';
import { enableTwoFactor } from '../../builders/two-factor.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError } from '../../support/http/expect-error.js';

const { origin, databaseUrl } = testEnvironment();
const CONFIRM = '/login/confirm';
const TOKENS = '/settings/tokens';

/** Lets all sign-ins of a user be as old as this. */
async function age(userId: string, minutes = 16): Promise<void> {
  const sql = `UPDATE sessions SET proved_at = now() - interval '1 minute' * $2 WHERE user_id = $1`;
  await query(databaseUrl, sql, [userId, minutes]);
}

describe('the session of a program', () => {
  it('creates and rotates API tokens within 15 minutes of the sign-in; API tokens always do', async () => {
    const person = await createPerson();
    const session = new Api(origin, await createDeviceSession(person.userId));
    const { id } = await createToken(session);
    await age(person.userId, 14);
    expect((await session.post(`/v1/tokens/${id}/rotate`)).status).toBe(200);
    await age(person.userId, 16);
    const created = await session.post('/v1/tokens', { name: 'Later' });
    expect(expectError(created, 403, 'recent_sign_in_required').message).toContain(TOKENS);
    expectError(await session.post(`/v1/tokens/${id}/rotate`), 403, 'recent_sign_in_required');
    expect((await session.get('/v1/tokens')).status).toBe(200);
    const { id: other } = await createToken(person.api);
    expect((await person.api.post(`/v1/tokens/${other}/rotate`)).status).toBe(200);
  });

  it('is as recent as the sign-in of the browser that approves it', async () => {
    const person = await createPerson();
    const browser = await signedInBrowser(person);
    await age(person.userId);
    const anonymous = new Api(origin, null);
    const code = expectCreated<{ id: string; code: string }>(await anonymous.post('/v1/sessions/codes', {}));
    await browser.open('/login/device');
    await browser.submit('/login/device', { code: code.code });
    await browser.submit('/login/device', { decision: 'approve' });
    const session = await anonymous.post('/v1/sessions', { code: code.id, provider: 'code' });
    const api = new Api(origin, (session.body as { token: string }).token);
    expect((await api.get('/v1/users/me')).status).toBe(200);
    expectError(await api.post('/v1/tokens', { name: 'Later' }), 403, 'recent_sign_in_required');
  });
});

describe('the pages', () => {
  it('ask for the password before they create a token', async () => {
    const person = await createPerson();
    const browser = await signedInBrowser(person);
    await browser.open(TOKENS);
    const form = { ...browser.hidden(TOKENS), name: 'CI', expires: '30' };
    await age(person.userId);
    expect((await browser.open(TOKENS)).html).toContain('Confirm that it is you');
    expect((await browser.send(TOKENS, form)).location).toBe(`${CONFIRM}?next=%2Fsettings%2Ftokens`);
    await browser.open(`${CONFIRM}?next=${encodeURIComponent(TOKENS)}`);
    const wrong = await browser.submit(CONFIRM, { password: 'wrong password' });
    expect(wrong.status).toBe(422);
    expect((await browser.send(TOKENS, form)).status).toBe(303);
    expect((await browser.submit(CONFIRM, { password: PASSWORD })).html).toContain('Create token');
    expect((await browser.submit(TOKENS, { name: 'CI', expires: '30' })).html).toContain(
      'class="secret">ca_',
    );
  });

  it('ask for the second factor in place of the password', async () => {
    const person = await createPerson();
    const browser = await signedInBrowser(person);
    await browser.open('/settings/two-factor');
    const { recovery } = await enrol();
    await age(person.userId);
    const { html } = await browser.open(`${CONFIRM}?next=${encodeURIComponent(TOKENS)}`);
    expect(html).not.toContain('name="password"');
    expect((await browser.submit(CONFIRM, { password: PASSWORD, code: '000000' })).status).toBe(422);
    expect((await browser.submit(CONFIRM, { code: recovery })).html).toContain('Create token');

    async function enrol(): Promise<{ recovery: string }> {
      await enableTwoFactor(browser);
      await browser.open('/settings/two-factor');
      const shown = await browser.submit('/settings/two-factor/recovery-codes', { password: PASSWORD });
      const [, recovery = ''] = /<code>([A-Z2-7-]{19})<\/code>/.exec(shown.html) ?? [];
      return { recovery };
    }
  });

  it('ask before they set up an authenticator app, and always before they remove it', async () => {
    const person = await createPerson();
    const browser = await signedInBrowser(person);
    await browser.open('/settings/two-factor');
    const form = { ...browser.hidden('/settings/two-factor/enable'), code: '000000' };
    await age(person.userId);
    const next = `${CONFIRM}?next=%2Fsettings%2Ftwo-factor`;
    expect((await browser.request('GET', '/settings/two-factor')).location).toBe(next);
    expect((await browser.send('/settings/two-factor/enable', form)).location).toBe(next);
    await browser.open('/settings/two-factor');
    await browser.submit(CONFIRM, { password: PASSWORD });
    await enableTwoFactor(browser);
    await browser.open('/settings/two-factor');
    const kept = await browser.submit('/settings/two-factor/disable', { password: 'wrong password' });
    expect(kept.status).toBe(422);
  });

  it.each(['//evil.example', 'https://evil.example', ''])('never lead to %j', async (next) => {
    const browser = await signedInBrowser(await createPerson());
    await browser.open(`${CONFIRM}?next=${encodeURIComponent(next)}`);
    const form = { ...browser.hidden(CONFIRM), next, password: PASSWORD };
    expect((await browser.send(CONFIRM, form)).location).toBe('/');
  });
});
