import { createHash } from 'node:crypto';
import { TOTP } from 'otpauth';
import { type Actor, createActor } from '../../builders/identities.js';
import { createPerson, PASSWORD, signedInBrowser } from '../../builders/person.js';
import { query } from '../../setup/databases.js';
import { type ServerProcess, startServer } from '../../setup/server.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import { Browser, type Shown } from '../../support/http/browser.js';
import { sessionsOf } from '../../support/oidc/site.js';

/**
 * A server of its own that trusts a proxy: each test comes from an address of its own, so that the delays of one do
 * not reach the other.
 */
let server: ServerProcess;
let addresses = 0;
const newAddress = (): string => `10.9.${Math.floor(++addresses / 250)}.${(addresses % 250) + 1}`;
const browserAt = (address = newAddress()): Browser =>
  new Browser(server.origin, { 'X-Forwarded-For': address });
const sql = <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  query<T & Record<string, unknown>>(testEnvironment().databaseUrl, text, values);

beforeAll(async () => {
  const { databaseUrl, dataDir } = testEnvironment();
  server = await startServer({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, TRUST_PROXY: 'loopback' });
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
});

const signIn = (person: Actor, address?: string): Promise<Browser> =>
  signedInBrowser(person, browserAt(address));

async function tryPassword(email: string, password: string, address = newAddress()): Promise<Shown> {
  const browser = browserAt(address);
  await browser.open('/login');
  return browser.submit('/login', { email, password });
}

describe('signing in', () => {
  it('leads to the page that was asked for', async () => {
    const person = await createPerson();
    const browser = browserAt();
    const login = await browser.open('/login/device');
    expect(login.html).toContain('<h1>Sign in</h1>');
    const shown = await browser.submit('/login', { email: person.email.toUpperCase(), password: PASSWORD });
    expect(shown.html).toContain('<h1>Sign in a device</h1>');
    expect(shown.html).toContain(person.email);
  });

  it.each([
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '/login/device@evil',
    '/login/confirm',
    '/logout',
    '/v1/users/me',
    '/apps/1\t2',
    'javascript:alert(1)',
  ])('never leads to %s', async (next) => {
    const person = await createPerson();
    const browser = browserAt();
    await browser.open(`/login?next=${encodeURIComponent(next)}`);
    const values = { ...browser.hidden('/login'), email: person.email, password: PASSWORD, next };
    expect((await browser.send('/login', values)).location).toBe('/');
    expect((await browser.request('GET', `/login?next=${encodeURIComponent(next)}`)).location).toBe('/');
  });

  it('answers an unknown account like a wrong password', async () => {
    const { email } = await createPerson();
    const withoutPassword = await createActor();
    const answers = await Promise.all(
      [email, withoutPassword.email, 'nobody@example.com'].map((name) => tryPassword(name, 'wrong password')),
    );
    const normalized = answers.map(({ status, html }) => ({
      status,
      html: html.replace(/value="[^"]*"/g, ''),
    }));
    expect(normalized[0]?.status).toBe(422);
    expect(normalized[1]).toEqual(normalized[0]);
    expect(normalized[2]).toEqual(normalized[0]);
  });

  it('changes the cookie, and forgets it at sign-out', async () => {
    const browser = browserAt();
    await browser.open('/login');
    const before = browser.cookie;
    const person = await createPerson();
    await signedInBrowser(person, browser);
    const signedIn = browser.cookie;
    expect(signedIn).toMatch(/^slipway=web_[0-9a-f]{48}$/);
    expect(signedIn).not.toBe(before);
    await browser.open('/settings/tokens');
    await browser.submit('/logout');
    expect(browser.cookie).not.toBe(signedIn);
    browser.cookie = signedIn;
    expect((await browser.request('GET', '/settings/tokens')).location).toBe(
      '/login?next=%2Fsettings%2Ftokens',
    );
  });

  it('does not take the cookie for a bearer token, nor the other way round', async () => {
    const person = await createPerson();
    const browser = await signIn(person);
    const token = browser.cookie?.split('=')[1] ?? '';
    expect((await new Api(server.origin, token).get('/v1/users/me')).status).toBe(401);
    expect(
      (await new Api(server.origin, null).request('get', '/v1/users/me').set('Cookie', browser.cookie ?? ''))
        .status,
    ).toBe(401);
    browser.cookie = `slipway=${person.token}`;
    expect((await browser.request('GET', '/settings/tokens')).status).toBe(303);
  });
});

describe('guessing passwords', () => {
  it('is delayed after some failures, the right password too, but not from elsewhere', async () => {
    const { email } = await createPerson();
    const address = newAddress();
    for (let failure = 1; failure <= 5; failure++) {
      expect((await tryPassword(email, 'wrong password', address)).status).toBe(422);
    }
    const blocked = await tryPassword(email, PASSWORD, address);
    expect(blocked.status).toBe(429);
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(blocked.html).toContain('Too many attempts');
    expect((await tryPassword(email, PASSWORD)).status).toBe(200);
  });

  it('gains nothing from asking at once', async () => {
    const { email } = await createPerson();
    const address = newAddress();
    const began = Date.now();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => tryPassword(email, 'wrong password', address)),
    );
    // Delays of 1, 2, 4 … seconds end while a slow machine is still at it.
    const ended = Math.ceil(Math.log2((Date.now() - began) / 1000 + 1));
    expect(answers.filter(({ status }) => status === 422).length).toBeLessThanOrEqual(5 + ended);
  });

  it('doubles the delay, up to a quarter of an hour', async () => {
    const { email } = await createPerson();
    const address = newAddress();
    const key = createHash('sha256').update(['account', email, address].join('\0')).digest('hex');
    const delays: number[] = [];
    for (let failure = 1; failure <= 16; failure++) {
      await tryPassword(email, 'wrong password', address);
      const [row] = await sql<{ delay: number }>(
        `WITH due AS (UPDATE sign_in_attempts SET blocked_until = now() WHERE key = $1)
         SELECT extract(epoch FROM blocked_until - updated_at)::int AS delay FROM sign_in_attempts WHERE key = $1`,
        [key],
      );
      delays.push(row?.delay ?? NaN);
    }
    expect(delays).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  });

  it('counts all accounts of one address together', async () => {
    const person = await createPerson();
    const address = newAddress();
    for (let n = 1; n <= 20; n++) await tryPassword(`no one-${n}@example.com`, 'wrong password', address);
    expect((await tryPassword(person.email, PASSWORD, address)).status).toBe(429);
  });

  it('counts one account from all addresses, and never blocks those that it knows', async () => {
    const person = await createPerson();
    const known = newAddress();
    expect((await tryPassword(person.email, PASSWORD, known)).status).toBe(200);
    for (let n = 1; n <= 50; n++) {
      expect((await tryPassword(person.email, 'wrong password')).status).toBe(422);
    }
    expect((await tryPassword(person.email, 'wrong password')).status).toBe(429);
    const elsewhere = await tryPassword(person.email, PASSWORD);
    expect(elsewhere.status).toBe(429);
    expect(Number(elsewhere.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await tryPassword(person.email, PASSWORD, known)).status).toBe(200);
    expect((await tryPassword((await createPerson()).email, PASSWORD)).status).toBe(200);
  });

  it('never blocks a known address by the failures of others', async () => {
    const person = await createPerson();
    const address = newAddress();
    expect((await tryPassword(person.email, PASSWORD, address)).status).toBe(200);
    for (let n = 1; n <= 25; n++) await tryPassword(`no one-${n}@example.com`, 'wrong password', address);
    for (let n = 1; n <= 8; n++) await tryPassword(person.email, 'wrong password');
    expect((await tryPassword(person.email, PASSWORD, address)).status).toBe(200);
  });
});

interface Enabled {
  readonly secret: string;
  readonly codes: string[];
  readonly browser: Browser;
  /** The code that has switched it on. */
  readonly used: string;
  /** A code that was not used. */
  readonly next: string;
}

describe('two-factor authentication', () => {
  async function enable(person: Actor): Promise<Enabled> {
    const browser = await signIn(person);
    const shown = await browser.open('/settings/two-factor');
    const secret = (/class="secret">([A-Z2-7 ]+)</.exec(shown.html)?.[1] ?? '').replaceAll(' ', '');
    expect(shown.html).toContain('<svg');
    const wrong = await browser.submit('/settings/two-factor/enable', { code: '000000' });
    expect(wrong.status).toBe(422);
    const totp = new TOTP({ secret });
    const now = Date.now();
    const code = totp.generate({ timestamp: now });
    const { html } = await browser.submit('/settings/two-factor/enable', { code });
    const codes = [...html.matchAll(/<code>([A-Z2-7-]{19})<\/code>/g)].map(([, found = '']) => found);
    expect(codes).toHaveLength(10);
    // The code of the next step is accepted for a minute.
    return { used: code, next: totp.generate({ timestamp: now + 30_000 }), secret, codes, browser };
  }

  async function secondStep(person: Actor): Promise<Browser> {
    const browser = browserAt();
    await browser.open('/login');
    const shown = await browser.submit('/login', { email: person.email, password: PASSWORD });
    expect(shown.html).toContain('<h1>Two-factor authentication</h1>');
    return browser;
  }

  const sendCode = async (person: Actor, code: string): Promise<Shown> =>
    (await secondStep(person)).submit('/login/second-factor', { code });

  it('asks for a code, and takes each one once', async () => {
    const person = await createPerson();
    const { used, next } = await enable(person);
    expect((await person.api.get('/v1/users/me')).body).toMatchObject({ twoFactorEnabled: true });
    expect((await sendCode(person, used)).status).toBe(422);
    expect((await sendCode(person, `${next.slice(0, 3)} ${next.slice(3)}`)).html).toContain(person.email);
    expect((await sendCode(person, next)).status).toBe(422);
    expect((await sendCode(person, used)).status).toBe(422);
  });

  it('is remembered by the session: at sign-in, and when it is switched on', async () => {
    const person = await createPerson();
    const { next } = await enable(person);
    await sendCode(person, next);
    expect(await sessionsOf(person.userId)).toEqual([
      { kind: 'browser', method: 'password', second_factor: true },
      { kind: 'browser', method: 'password', second_factor: true },
    ]);
    const without = await createPerson();
    await signIn(without);
    expect(await sessionsOf(without.userId)).toMatchObject([{ second_factor: false }]);
  });

  it('takes one of two sign-ins with the same code at once', async () => {
    const person = await createPerson();
    const { next: code } = await enable(person);
    const browsers = [await secondStep(person), await secondStep(person)];
    const answers = await Promise.all(
      browsers.map((browser) => browser.submit('/login/second-factor', { code })),
    );
    // The other one is wrong by now, or has to wait because both were counted before either was judged.
    const [taken, refused] = answers.map(({ status }) => status).sort();
    expect(taken).toBe(200);
    expect([422, 429]).toContain(refused);
  });

  it('takes each recovery code once, in any spelling', async () => {
    const person = await createPerson();
    const { codes } = await enable(person);
    const [code = '', other = ''] = codes;
    expect((await sendCode(person, code.toLowerCase().replaceAll('-', ' '))).html).toContain(person.email);
    expect((await sendCode(person, code)).status).toBe(422);
    expect((await sendCode(person, other)).html).toContain(person.email);
  });

  it('does not let a visitor skip the first step, or take the challenge of another', async () => {
    const person = await createPerson();
    const { next: code } = await enable(person);
    const { challenge = '' } = (await secondStep(person)).hidden('/login/second-factor');
    const browser = browserAt();
    await browser.open('/login');
    const { csrf = '' } = browser.hidden('/login');
    for (const stolen of ['', 'v1.00000000.AAAA', challenge]) {
      const shown = await browser.send('/login/second-factor', { csrf, challenge: stolen, code });
      expect(shown.html).toContain('This took too long');
    }
    expect((await browser.request('GET', '/settings/tokens')).status).toBe(303);
  });

  it('delays guesses from any address', async () => {
    const person = await createPerson();
    await enable(person);
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess++) statuses.push((await sendCode(person, '000000')).status);
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 422));
    expect(statuses).toContain(429);
  });

  it('is switched off with the password, and keeps nothing', async () => {
    const person = await createPerson();
    const { browser } = await enable(person);
    await browser.open('/settings/two-factor');
    const refused = await browser.submit('/settings/two-factor/disable', { password: 'wrong password' });
    expect(refused.status).toBe(422);
    await browser.submit('/settings/two-factor/disable', { password: PASSWORD });
    for (const table of ['two_factors', 'recovery_codes']) {
      expect(await sql(`SELECT id FROM ${table} WHERE user_id = $1`, [person.userId])).toEqual([]);
    }
    expect((await tryPassword(person.email, PASSWORD)).html).toContain(person.email);
  });

  it('keeps the secret and the recovery codes unreadable', async () => {
    const person = await createPerson();
    const { secret, codes } = await enable(person);
    const rows = await sql(
      `SELECT t.secret, array_agg(r.hash) AS hashes FROM two_factors t JOIN recovery_codes r USING (user_id)
        WHERE user_id = $1 GROUP BY 1`,
      [person.userId],
    );
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(JSON.stringify(rows)).not.toContain(codes[0]?.slice(0, 4));
    expect(rows[0]).toMatchObject({ secret: expect.stringMatching(/^v1\.[0-9a-f]{8}\./) as string });
  });
});

describe('the password', () => {
  it.each([
    ['short', 'eleven char', 'eleven char', 'at least 12'],
    ['repeated wrongly', 'a new password', 'another password', 'not the same'],
    ['without the current one', 'a new password', 'a new password', 'current password is wrong'],
  ])('is not changed to one that is %s', async (_why, password, repeated, message) => {
    const person = await createPerson();
    const browser = await signIn(person);
    await browser.open('/settings/password');
    const values = { current: 'wrong password', password, repeated };
    const shown = await browser.submit('/settings/password', values);
    expect(shown.status).toBe(422);
    expect(shown.html).toContain(message);
  });

  it('is changed, and all other sessions end', async () => {
    const person = await createPerson();
    const other = await signIn(person);
    const browser = await signIn(person);
    await browser.open('/settings/password');
    const password = 'ein neues Passwort 🦊';
    const shown = await browser.submit('/settings/password', {
      current: PASSWORD,
      password,
      repeated: password,
    });
    expect(shown.html).toContain('is changed');
    expect((await browser.request('GET', '/settings/password')).status).toBe(200);
    expect((await other.request('GET', '/settings/password')).status).toBe(303);
    expect((await person.api.get('/v1/users/me')).status).toBe(200);
    expect((await tryPassword(person.email, PASSWORD)).status).toBe(422);
    expect((await tryPassword(person.email, password)).status).toBe(200);
  });
});
