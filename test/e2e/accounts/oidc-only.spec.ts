import { createPerson, PASSWORD } from '../../builders/person.js';
import { startServer } from '../../setup/server.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Browser } from '../../support/http/browser.js';
import { type OidcSite, sessionsOf, startOidcSite } from '../../support/oidc/site.js';

const OFF = 'Passwords are switched off here: sign in with Acme.';
let site: OidcSite;
beforeAll(async () => {
  site = await startOidcSite({ LOCAL_SIGN_IN: 'false' });
});
afterAll(() => site.stop());

it('offers the provider alone', async () => {
  const visitor = site.newVisitor();
  const { html } = await visitor.follow('/login/device');
  expect(html).toContain('href="/login/oidc?next=%2Flogin%2Fdevice"');
  expect(html).not.toContain('<form');
  expect(html).not.toContain('password');
});

it('refuses passwords and second factors, right or wrong', async () => {
  const person = await createPerson();
  const elsewhere = new Browser();
  await elsewhere.open('/login');
  const browser = new Browser(site.server.origin);
  // The servers share their key, so a form of the one is a form of the other.
  browser.cookie = elsewhere.cookie;
  const { csrf = '' } = elsewhere.hidden('/login');
  for (const [path, form] of [
    ['/login', { email: person.email, password: PASSWORD, next: '' }],
    ['/login', { email: person.email, password: 'wrong', next: '' }],
    ['/login/second-factor', { challenge: 'x', code: '123456', next: '' }],
  ] as const) {
    const shown = await browser.send(path, { csrf, ...form });
    expect(shown.status).toBe(403);
    expect(shown.html).toContain(OFF);
  }
  expect(await sessionsOf(person.userId)).toEqual([]);
});

it('says on the settings of passwords that there are none', async () => {
  const person = await createPerson();
  site.provider.createUser({ email: person.email });
  const visitor = site.newVisitor();
  await visitor.signIn();
  const browser = visitor.browser();
  for (const path of ['/settings/password', '/settings/two-factor']) {
    const { html, status } = await browser.open(path);
    expect(status).toBe(200);
    expect(html).toContain(OFF);
  }
  await browser.open('/settings/tokens');
  const { csrf = '' } = browser.hidden('/settings/tokens');
  const form = { csrf, current: PASSWORD, password: 'a new password', repeated: 'a new password' };
  expect((await browser.send('/settings/password', form)).status).toBe(403);
  for (const action of ['enable', 'disable', 'recovery-codes']) {
    const shown = await browser.send(`/settings/two-factor/${action}`, { csrf, password: PASSWORD });
    expect(shown.status).toBe(403);
  }
});

it('does not start without a way to sign in', async () => {
  const { databaseUrl, dataDir } = testEnvironment();
  const start = startServer({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, LOCAL_SIGN_IN: 'false' });
  await expect(start).rejects.toThrow(/^LOCAL_SIGN_IN can be false only when OIDC_ISSUER is set/m);
});

it('has no sign-in by a provider where none is configured', async () => {
  const browser = new Browser();
  expect((await browser.open('/login')).html).not.toContain('/login/oidc');
  expect((await browser.request('GET', '/login/oidc')).status).toBe(404);
  expect((await browser.request('GET', '/login/oidc/callback?code=x&state=y')).status).toBe(400);
});
