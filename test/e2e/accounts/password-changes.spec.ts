import type { Actor } from '../../builders/identities.js';
import { createPerson, PASSWORD, signedInBrowser } from '../../builders/person.js';
import { enableTwoFactor } from '../../builders/two-factor.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import { Browser } from '../../support/http/browser.js';
import { expectError } from '../../support/http/expect-error.js';

/* What a person who knew the old password has begun ends with it. */

const NEW_PASSWORD = 'kitchen lamp river moss';
const PAGE = '/settings/password';

let person: Actor;
let browser: Browser;
beforeEach(async () => {
  person = await createPerson();
  browser = await signedInBrowser(person);
});

async function changePassword(): Promise<void> {
  await browser.open(PAGE);
  const values = { current: PASSWORD, password: NEW_PASSWORD, repeated: NEW_PASSWORD };
  expect((await browser.submit(PAGE, values)).html).toContain('Your password is changed.');
}

const isSignedIn = async (other: Browser): Promise<boolean> =>
  (await other.request('GET', '/settings/tokens')).status === 200;

it('ends sign-ins with the old password that are under way', async () => {
  const others = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const other = new Browser();
      await other.open('/login');
      return other;
    }),
  );
  const changed = changePassword();
  // Verifying a password takes longer than the pauses, so that some are verified before the change, and end after it.
  const signIns = others.map(async (other, index) => {
    await new Promise((resolve) => setTimeout(resolve, index * 30));
    await other.submit('/login', { email: person.email, password: PASSWORD });
  });
  await Promise.all([changed, ...signIns]);
  for (const other of others) expect(await isSignedIn(other)).toBe(false);
  expect(await isSignedIn(browser)).toBe(true);
});

it('ends a sign-in that waits for its second factor', async () => {
  const authenticator = await enableTwoFactor(browser);
  const other = new Browser();
  await other.open('/login');
  const asked = await other.submit('/login', { email: person.email, password: PASSWORD });
  expect(asked.html).toContain('Two-factor authentication');
  await changePassword();
  // The current step was used to switch it on.
  const code = authenticator.code(1);
  const shown = await other.submit('/login/second-factor', { code });
  expect(shown.html).toContain('The password was changed. Sign in again.');
  expect(await isSignedIn(other)).toBe(false);
});

it('ends the approval of a program that was not used yet', async () => {
  const api = new Api(testEnvironment().origin, null);
  const { id, code } = (await api.post('/v1/sessions/codes', {})).body as { id: string; code: string };
  await browser.open('/login/device');
  await browser.submit('/login/device', { code, decision: 'approve' });
  await changePassword();
  expectError(await api.post('/v1/sessions', { code: id, provider: 'code' }), 410, 'session_code_expired');

  const next = (await api.post('/v1/sessions/codes', {})).body as { id: string; code: string };
  await browser.open('/login/device');
  await browser.submit('/login/device', { code: next.code, decision: 'approve' });
  expect((await api.post('/v1/sessions', { code: next.id, provider: 'code' })).status).toBe(201);
});
