import { createActor } from '../../builders/identities.js';
import { createPerson, PASSWORD, signedInBrowser } from '../../builders/person.js';
import { enableTwoFactor } from '../../builders/two-factor.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import type { Shown } from '../../support/http/browser.js';
import { Api } from '../../support/http/api.js';
import { type OidcSite, sessionsOf, startOidcSite, userIdOf } from '../../support/oidc/site.js';
import { CLIENT_SECRET, type ProviderUser, PUBLIC_CLIENT_ID } from '../../support/oidc/test-provider.js';
import type { PageResponse, Visitor } from '../../support/oidc/visitor.js';

let site: OidcSite;
/** It is a public client, and trusts the provider with the second factor. */
let trusting: OidcSite;
beforeAll(async () => {
  [site, trusting] = await Promise.all([
    startOidcSite(),
    startOidcSite({
      OIDC_CLIENT_ID: PUBLIC_CLIENT_ID,
      OIDC_CLIENT_SECRET: '',
      OIDC_TRUST_SECOND_FACTOR: 'true',
      OIDC_LINK_WITHOUT_PROOF: 'true',
    }),
  ]);
});
afterAll(() => Promise.all([site.stop(), trusting.stop()]));
beforeEach(() => {
  site.provider.forge = null;
});

const sql = <T extends object>(text: string, values: unknown[]): Promise<T[]> =>
  query<T & Record<string, unknown>>(testEnvironment().databaseUrl, text, values);

async function signIn(visitor = site.newVisitor()): Promise<{ visitor: Visitor; shown: PageResponse }> {
  return { visitor, shown: await visitor.signIn() };
}

/** Sends the form that asks for the proof of the account. */
function sendProof(visitor: Visitor, { html }: PageResponse, values: Record<string, string>): Promise<Shown> {
  const fields = [...html.matchAll(/<input\s+type="hidden"\s+name="([^"]+)"\s+value="([^"]*)"/g)];
  const hidden = Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]));
  return visitor.browser().send('/login/oidc/link', { ...hidden, ...values });
}

async function expectRefused(user: ProviderUser, sentence: string): Promise<void> {
  const { visitor, shown } = await signIn();
  expect(shown.status).toBe(403);
  expect(shown.html).toContain(sentence);
  expect(visitor.cookie).toMatch(/^anon_/);
  expect(await userIdOf(site.provider, user.sub)).toBeNull();
}

describe('the first sign-in', () => {
  it('makes a user, in no organization, and leads to the page that was asked for', async () => {
    const user = site.provider.createUser({ name: 'Grace Hopper' });
    const visitor = site.newVisitor();
    const login = await visitor.follow('/settings/sessions');
    const [, href = ''] =
      /<a\s+class="button\s*"\s+href="([^"]+)"\s*>Sign in with Acme</.exec(login.html) ?? [];
    expect(login.html).toContain('name="password"');
    const shown = await visitor.follow(href);
    expect(new URL(shown.url).pathname).toBe('/settings/sessions');
    expect(shown.html).toContain(user.email);
    expect(visitor.cookie).toMatch(/^web_[0-9a-f]{48}$/);
    const userId = await userIdOf(site.provider, user.sub);
    expect(await sql('SELECT email, email_verified, name FROM users WHERE id = $1', [userId])).toEqual([
      { email: user.email, email_verified: true, name: 'Grace Hopper' },
    ]);
    expect(await sql('SELECT FROM members WHERE user_id = $1', [userId])).toEqual([]);
  });

  it('makes one user when there are several at once', async () => {
    const user = site.provider.createUser();
    const visitors = Array.from({ length: 5 }, () => site.newVisitor());
    const callbacks = await Promise.all(visitors.map((visitor) => visitor.signInUntilCallback()));
    const shown = await Promise.all(
      visitors.map((visitor, index) => visitor.follow(callbacks[index]?.href ?? '')),
    );
    expect(shown.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await sessionsOf(await userIdOf(site.provider, user.sub))).toHaveLength(5);
  });

  it('of a public client needs no secret', async () => {
    const user = trusting.provider.createUser();
    expect((await trusting.newVisitor().signIn()).html).toContain(user.email);
  });

  it.each(['', '//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'never leads to %j',
    async (next) => {
      site.provider.createUser();
      const visitor = site.newVisitor();
      expect((await visitor.signIn(next)).url).toBe(`${visitor.origin}/`);
      const again = await visitor.get(`/login/oidc?next=${encodeURIComponent(next)}`);
      expect(again.headers.get('location')).toBe('/');
    },
  );
});

describe('later sign-ins', () => {
  it('find the user by the subject, whatever has become of the address', async () => {
    const user = site.provider.createUser({ name: 'Ada King' });
    await signIn();
    const before = await userIdOf(site.provider, user.sub);
    Object.assign(user.claims, { email: `new-${user.email}`, email_verified: false, name: 'Ada Lovelace' });
    const { shown } = await signIn();
    expect(shown.html).toContain(user.email);
    expect(await userIdOf(site.provider, user.sub)).toBe(before);
    expect(await sql('SELECT email, name FROM users WHERE id = $1', [before])).toEqual([
      { email: user.email, name: 'Ada Lovelace' },
    ]);
  });

  it('make another user after the first was deleted', async () => {
    const user = site.provider.createUser();
    const { visitor } = await signIn();
    const before = await userIdOf(site.provider, user.sub);
    await sql('DELETE FROM users WHERE id = $1', [before]);
    expect((await visitor.get('/settings/tokens')).headers.get('location')).toMatch(/^\/login\?/);
    await signIn();
    expect(await userIdOf(site.provider, user.sub)).not.toBe(before);
  });
});

describe('an e-mail address that a user has already', () => {
  it('is that user when the provider has confirmed it', async () => {
    const actor = await createActor();
    const user = site.provider.createUser({ email: actor.email.toUpperCase() });
    const { shown } = await signIn();
    expect(shown.html).toContain(actor.email);
    expect(await userIdOf(site.provider, user.sub)).toBe(actor.userId);
  });

  it.each([undefined, false, null, 'yes', 1])('is refused when email_verified is %j', async (verified) => {
    const actor = await createActor();
    const user = site.provider.createUser({ email: actor.email, email_verified: verified });
    await expectRefused(user, 'Acme does not say that it has confirmed your e-mail address.');
    expect(await sessionsOf(actor.userId)).toEqual([]);
  });

  it('is refused when the user belongs to another account of the provider', async () => {
    const first = site.provider.createUser();
    await signIn();
    const second = site.provider.createUser({ email: first.email });
    await expectRefused(second, 'belongs to another account');
    expect(await sessionsOf(await userIdOf(site.provider, first.sub))).toHaveLength(1);
  });
});

describe('a user who has a password or a second factor here', () => {
  it('proves it before the first sign-in links the account', async () => {
    const person = await createPerson();
    const user = site.provider.createUser({ email: person.email });
    const { visitor, shown } = await signIn();
    expect(shown.html).toContain('Link your account');
    expect(visitor.cookie).toMatch(/^anon_/);
    const wrong = await sendProof(visitor, shown, { password: 'wrong password' });
    expect(wrong.status).toBe(422);
    expect(await userIdOf(site.provider, user.sub)).toBeNull();
    expect(await sessionsOf(person.userId)).toEqual([]);
    expect((await sendProof(visitor, shown, { password: PASSWORD })).location).toBe('/');
    expect(await userIdOf(site.provider, user.sub)).toBe(person.userId);
    expect((await signIn()).shown.html).toContain(person.email);
  });

  it('proves both, and has used the second factor then', async () => {
    const person = await createPerson();
    const authenticator = await enableTwoFactor(await signedInBrowser(person));
    await sql('UPDATE two_factors SET last_step = 0 WHERE user_id = $1', [person.userId]);
    const user = site.provider.createUser({ email: person.email });
    const { visitor, shown } = await signIn();
    const code = authenticator.code();
    expect((await sendProof(visitor, shown, { password: PASSWORD, code: '000000' })).status).toBe(422);
    expect((await sendProof(visitor, shown, { password: 'wrong password', code })).status).toBe(422);
    expect(await userIdOf(site.provider, user.sub)).toBeNull();
    expect((await sendProof(visitor, shown, { password: PASSWORD, code })).status).toBe(303);
    expect(await sessionsOf(person.userId)).toMatchObject([{}, { method: 'oidc', second_factor: true }]);
  });

  it('cannot be proved in the browser of another visitor', async () => {
    const person = await createPerson();
    site.provider.createUser({ email: person.email });
    const { shown } = await signIn();
    const other = site.newVisitor();
    await other.follow('/login');
    expect((await sendProof(other, shown, { password: PASSWORD })).status).toBe(403);
  });

  it('is linked at once with OIDC_LINK_WITHOUT_PROOF', async () => {
    const person = await createPerson();
    const user = trusting.provider.createUser({ email: person.email });
    expect((await trusting.newVisitor().signIn()).html).toContain(person.email);
    expect(await userIdOf(trusting.provider, user.sub)).toBe(person.userId);
  });
});

it('confirms a visitor who signed in a while ago, in a new session', async () => {
  const user = site.provider.createUser();
  const { visitor } = await signIn();
  const userId = await userIdOf(site.provider, user.sub);
  await sql(`UPDATE sessions SET proved_at = now() - interval '1 hour' WHERE user_id = $1`, [userId]);
  const { html } = await visitor.follow('/login/confirm?next=%2Fsettings%2Ftokens');
  expect(html).not.toContain('name="password"');
  const [, href = ''] = /href="(\/login\/oidc\?[^"]+)"/.exec(html) ?? [];
  const begun = await visitor.get(href.replaceAll('&amp;', '&'));
  expect(begun.headers.get('location')).toContain('prompt=login');
  const shown = await visitor.follow(begun.headers.get('location') ?? '');
  expect(shown.html).toContain('Create token');
  expect(await sessionsOf(userId)).toHaveLength(1);
});

it.each([undefined, '', 'ada', 5])('refuses a user whose address is %j', async (email) => {
  const user = site.provider.createUser();
  user.claims['email'] = email;
  await expectRefused(user, 'Acme did not share an e-mail address for you.');
});

describe('a session', () => {
  it('is listed and ended like any other', async () => {
    site.provider.createUser();
    const { visitor } = await signIn();
    const browser = visitor.browser();
    const { html } = await browser.open('/settings/sessions');
    expect(html).toContain('this browser');
    expect(html).toContain('signed in with Acme');
    await browser.submit('/logout');
    expect((await visitor.get('/settings/tokens')).headers.get('location')).toMatch(/^\/login\?/);
  });

  it.each<[string, Record<string, unknown>, boolean]>([
    ['the password alone', { amr: ['pwd'] }, false],
    ['nothing that it reports', {}, false],
    ['several factors', { amr: ['pwd', 'mfa'] }, true],
    ['a key', { amr: ['hwk'] }, true],
  ])('remembers whether the provider has used %s', async (_what, claims, secondFactor) => {
    const user = site.provider.createUser();
    site.provider.claim(claims);
    await signIn();
    expect(await sessionsOf(await userIdOf(site.provider, user.sub))).toEqual([
      { kind: 'browser', method: 'oidc', second_factor: secondFactor },
    ]);
  });

  it('counts as one with a second factor always when OIDC_TRUST_SECOND_FACTOR says so', async () => {
    const user = trusting.provider.createUser();
    await trusting.newVisitor().signIn();
    expect(await sessionsOf(await userIdOf(trusting.provider, user.sub))).toMatchObject([
      { second_factor: true },
    ]);
  });

  it('of a program is as well proved as that of the browser that approves it', async () => {
    const user = site.provider.createUser();
    site.provider.claim({ amr: ['mfa'] });
    const anonymous = new Api(site.server.origin, null);
    const { body } = await anonymous.request('post', '/v1/sessions/codes').send({});
    const code = body as { id: string; code: string };
    const visitor = site.newVisitor();
    expect((await visitor.follow('/login/device')).html).toContain('Sign in with Acme');
    expect((await visitor.signIn('/login/device')).html).toContain('Sign in a device');
    const browser = visitor.browser();
    await browser.open('/login/device');
    await browser.submit('/login/device', { code: code.code });
    await browser.submit('/login/device', { decision: 'approve' });
    const session = await anonymous.post('/v1/sessions', { code: code.id, provider: 'code' });
    const api = new Api(site.server.origin, (session.body as { token: string }).token);
    const userId = await userIdOf(site.provider, user.sub);
    expect((await api.get('/v1/users/me')).body).toMatchObject({ id: userId, email: user.email });
    expect(await sessionsOf(userId)).toEqual([
      { kind: 'browser', method: 'oidc', second_factor: true },
      { kind: 'device', method: 'oidc', second_factor: true },
    ]);
  });
});

describe('users of the provider', () => {
  it('have no use for the settings of a password that they do not have', async () => {
    site.provider.createUser();
    const { visitor } = await signIn();
    const browser = visitor.browser();
    for (const page of ['/settings/password', '/settings/two-factor']) {
      const { html } = await browser.open(page);
      expect(html).toContain('You have no password here: you sign in with Acme.');
      expect(html).not.toContain(`<form method="post" action="${page}`);
    }
    await browser.open('/settings/tokens');
    const { csrf = '' } = browser.hidden('/settings/tokens');
    const form = { csrf, current: '', password: 'a new password', repeated: 'a new password' };
    expect((await browser.send('/settings/password', form)).status).toBe(403);
    expect((await browser.send('/settings/two-factor/enable', { csrf, sealed: 'x', code: '1' })).status).toBe(
      403,
    );
  });

  it('keep a password that they have', async () => {
    const person = await createPerson();
    site.provider.createUser({ email: person.email });
    const { visitor, shown } = await signIn();
    const browser = visitor.browser();
    browser.cookie = (await sendProof(visitor, shown, { password: PASSWORD })).setCookie;
    expect((await browser.open('/settings/password')).html).toContain('Current password');
    await signedInBrowser(person);
    expect(await sessionsOf(person.userId)).toMatchObject([{ method: 'oidc' }, { method: 'password' }]);
  });
});

it('writes no secret, code or address to the log', async () => {
  const user = site.provider.createUser();
  const visitor = site.newVisitor();
  const callback = await visitor.signInUntilCallback();
  await visitor.follow(callback.href);
  await visitor.follow(callback.href);
  const log = site.server.log.join('\n');
  expect(log).toContain('/login/oidc/callback');
  const secrets = [CLIENT_SECRET, callback.searchParams.get('code') ?? '', user.email, visitor.cookie];
  expect(secrets.filter((secret) => secret === '' || log.includes(secret))).toEqual([]);
});
