import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually.js';
import { createIdToken, createSigningKey } from '../../support/oidc/id-tokens.js';
import { type OidcSite, startOidcSite, userIdOf } from '../../support/oidc/site.js';
import { CLIENT_ID, type Forgery, type ProviderUser } from '../../support/oidc/test-provider.js';
import type { PageResponse, Visitor } from '../../support/oidc/visitor.js';

const COOKIE = 'slipway-oidc';
const EXPIRED = 'This sign-in took too long, was used already or was begun elsewhere. Sign in again.';
const INVALID = 'Signing in with Acme failed: its answer is not valid.';

let site: OidcSite;
let user: ProviderUser;
let visitor: Visitor;
beforeAll(async () => {
  site = await startOidcSite();
});
afterAll(() => site.stop());
beforeEach(() => {
  site.provider.forge = null;
  user = site.provider.createUser();
  visitor = site.newVisitor();
});

/** A page with one sentence, and no one is signed in. */
async function expectRefused(
  shown: PageResponse,
  status: number,
  sentence: string,
  by = visitor,
): Promise<void> {
  expect(shown.status).toBe(status);
  expect(shown.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(shown.html).toContain(sentence);
  expect(by.cookie).not.toMatch(/^web_/);
  expect((await by.get('/settings/tokens')).headers.get('location')).toMatch(/^\/login\?/);
}

async function expectNoUser(): Promise<void> {
  expect(await userIdOf(site.provider, user.sub)).toBeNull();
}

describe('the cookie of a sign-in that is under way', () => {
  it('is sealed, short-lived, kept from scripts and from the forms of other sites', async () => {
    const { headers } = await visitor.get('/login/oidc');
    const line = headers.getSetCookie().find((text) => text.startsWith(COOKIE)) ?? '';
    expect(line).toMatch(/^slipway-oidc=v1\.[\w.-]+; Max-Age=600; Path=\/; .*HttpOnly; SameSite=Lax$/);
    const location = new URL(headers.get('location') ?? '');
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: `${visitor.origin}/login/oidc/callback`,
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    expect(line).not.toContain(location.searchParams.get('state'));
  });

  it('is gone after its callback, well or badly, and not after that of another', async () => {
    for (const code of ['', 'x']) {
      visitor = site.newVisitor();
      const callback = await visitor.signInUntilCallback();
      await visitor.get('/login/oidc/callback?state=wrong&code=x');
      expect(visitor.jar().has(COOKIE)).toBe(true);
      if (code !== '') callback.searchParams.set('code', code);
      await visitor.get(callback.href);
      expect(visitor.jar().has(COOKIE)).toBe(false);
    }
  });
});

describe('a callback', () => {
  it.each(['', '?code=x', '?code=x&state=y', '?error=access_denied'])(
    'that no one has asked for is refused: %j',
    async (search) => {
      await expectRefused(await visitor.follow(`/login/oidc/callback${search}`), 400, EXPIRED);
    },
  );

  it.each<[string, (callback: URL) => void]>([
    ['two states', ({ searchParams }) => searchParams.append('state', 'x')],
    ['another issuer', ({ searchParams }) => searchParams.set('iss', 'https://evil.example')],
    ['no issuer', ({ searchParams }) => searchParams.delete('iss')],
    ['no code', ({ searchParams }) => searchParams.delete('code')],
  ])('with %s is refused', async (_what, change) => {
    const callback = await visitor.signInUntilCallback();
    change(callback);
    await expectRefused(await visitor.follow(callback.href), 502, INVALID);
    await expectNoUser();
  });

  it.each<[string, (callback: URL) => void]>([
    ['another state', ({ searchParams }) => searchParams.set('state', 'x'.repeat(43))],
    ['no state', ({ searchParams }) => searchParams.delete('state')],
    ['an error of another sign-in', (callback) => (callback.search = '?error=access_denied&state=x')],
  ])('with %s is refused, and the sign-in can go on', async (_what, change) => {
    const callback = await visitor.signInUntilCallback();
    const changed = new URL(callback);
    change(changed);
    await expectRefused(await visitor.follow(changed.href), 400, EXPIRED);
    await expectNoUser();
    expect((await visitor.follow(callback.href)).html).toContain(user.email);
  });

  it('with a made-up code is refused', async () => {
    const callback = await visitor.signInUntilCallback();
    callback.searchParams.set('code', 'x'.repeat(43));
    await expectRefused(await visitor.follow(callback.href), 400, EXPIRED);
    await expectNoUser();
  });

  it('of another user signs no one in', async () => {
    const victim = site.newVisitor();
    const callback = await visitor.signInUntilCallback();
    await expectRefused(await victim.follow(callback.href), 400, EXPIRED, victim);
    await victim.get('/login/oidc');
    await expectRefused(await victim.follow(callback.href), 400, EXPIRED, victim);
  });

  it('with the code of another user is refused: it belongs to another verifier', async () => {
    const attacker = site.newVisitor();
    const stolen = (await visitor.signInUntilCallback()).searchParams.get('code') ?? '';
    site.provider.createUser();
    const own = await attacker.signInUntilCallback();
    own.searchParams.set('code', stolen);
    await expectRefused(await attacker.follow(own.href), 400, EXPIRED, attacker);
    await expectNoUser();
  });

  it('with the cookie of another visitor, a changed or an unsealed one is refused', async () => {
    const callback = await visitor.signInUntilCallback();
    const sealed = visitor.jar().get(COOKIE) ?? '';
    const other = site.newVisitor();
    await other.get('/login');
    for (const cookie of [sealed, `${sealed.slice(0, -2)}AA`, 'x', '{"state":"x"}', 'v1.00000000.AAAA']) {
      other.jar().set(COOKIE, cookie);
      await expectRefused(await other.follow(callback.href), 400, EXPIRED, other);
    }
    await expectNoUser();
  });

  it('works once, even with the cookies kept', async () => {
    const callback = await visitor.signInUntilCallback();
    const kept = new Map(visitor.jar());
    await visitor.follow(callback.href);
    expect(visitor.cookie).toMatch(/^web_/);
    expect((await visitor.follow(callback.href)).html).toContain(EXPIRED);
    const thief = site.newVisitor();
    for (const [name, value] of kept) thief.jar().set(name, value);
    await expectRefused(await thief.follow(callback.href), 400, EXPIRED, thief);
  });

  it('is refused when the code has expired', async () => {
    site.provider.codeSeconds = 1;
    try {
      const callback = await visitor.signInUntilCallback();
      await sleep(2100);
      await expectRefused(await visitor.follow(callback.href), 400, EXPIRED);
    } finally {
      site.provider.codeSeconds = 60;
    }
    await expectNoUser();
  });
});

it('says so when the provider denies the sign-in', async () => {
  site.provider.user = null;
  await expectRefused(await visitor.signIn(), 403, 'The sign-in with Acme was cancelled or denied.');
});

describe('an ID token', () => {
  const stranger = createSigningKey('own');
  const seconds = (): number => Math.floor(Date.now() / 1000);

  it.each<[string, Forgery]>([
    ['signed by another key of the same name', (claims) => createIdToken(claims, stranger)],
    ['signed by an unknown key', (claims) => createIdToken(claims, createSigningKey('other'))],
    ['without signature', (claims) => createIdToken(claims, null)],
    ['with another nonce', (claims, own) => createIdToken({ ...claims, nonce: 'x'.repeat(43) }, own)],
    ['without nonce', ({ nonce: _nonce, ...claims }, own) => createIdToken(claims, own)],
    ['for another client', (claims, own) => createIdToken({ ...claims, aud: 'other' }, own)],
    ['of another issuer', (claims, own) => createIdToken({ ...claims, iss: 'https://evil.example' }, own)],
    ['that has expired', (claims, own) => createIdToken({ ...claims, exp: seconds() - 120 }, own)],
    ['that begins in the future', (claims, own) => createIdToken({ ...claims, nbf: seconds() + 120 }, own)],
    ['of another subject than the user info', (claims, own) => createIdToken({ ...claims, sub: 'eve' }, own)],
    ['that is none', () => 'x.y.z'],
  ])('%s is refused', async (_what, forge) => {
    site.provider.forge = forge;
    await expectRefused(await visitor.signIn(), 502, INVALID);
    await expectNoUser();
  });

  it('leaves the reason of a refusal in the log', async () => {
    site.provider.forge = (claims, own) => createIdToken({ ...claims, exp: seconds() - 120 }, own);
    await visitor.signIn();
    expect(site.server.log.join('\n')).toContain('"reason":"OAUTH_JWT_TIMESTAMP_CHECK_FAILED"');
  });

  it('may come from a clock that is a little off', async () => {
    site.provider.forge = (claims, own) =>
      createIdToken({ ...claims, iat: seconds() + 30, nbf: seconds() + 30, exp: seconds() - 30 }, own);
    expect((await visitor.signIn()).status).toBe(200);
  });
});

it('says so when the provider does not take the secret, and why in the log', async () => {
  site.provider.intercept = ({ url, headers }) => {
    if (url === '/token') headers.authorization = `Basic ${btoa(`${CLIENT_ID}:wrong`)}`;
    return false;
  };
  try {
    await expectRefused(await visitor.signIn(), 502, INVALID);
    await eventually(() => expect(site.server.log.join('\n')).toContain('"reason":"invalid_client"'));
  } finally {
    site.provider.intercept = null;
  }
});
