import { type Actor, createActor } from '../../builders/identities.js';
import { createPerson, PASSWORD, signedInBrowser } from '../../builders/person.js';
import { enableTwoFactor } from '../../builders/two-factor.js';
import { startServer } from '../../setup/server.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { disableUser, enableUser } from '../../support/accounts/user-commands.js';
import { eventually } from '../../support/eventually.js';
import { Browser, type Shown } from '../../support/http/browser.js';
import { Mailbox, type ReceivedMail } from '../../support/servers/mailbox.js';
import { OwnSite } from '../../support/servers/own-site.js';

const FORM = '/login/forgot';
const LINK = '/login/link';
const NEW_PASSWORD = 'kitchen lamp river moss';
const ON_ITS_WAY = 'a link is on its way';
const WAIT = 40_000;

let mailbox: Mailbox;
let site: OwnSite;
beforeAll(async () => {
  mailbox = await Mailbox.start();
  site = await OwnSite.start({
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Slipway <no-reply@example.com>',
    PUBLIC_URL: 'http://slipway.example.com',
    TRUST_PROXY: 'loopback',
  });
});
afterAll(async () => {
  await site.dispose();
  await mailbox.stop();
});

const newBrowser = (): Browser => new Browser(site.origin, { Host: 'slipway.example.com' });

async function request(email: string): Promise<Shown> {
  const browser = newBrowser();
  await browser.open(FORM);
  return browser.submit(FORM, { email });
}

const mailsTo = ({ email }: Pick<Actor, 'email'>, subject = 'Set a new password'): ReceivedMail[] =>
  mailbox.to(email).filter(({ headers }) => headers.get('subject')?.[0] === subject);

/** Asks for a link, and waits for it. @returns its path and query */
async function mailedLink(person: Pick<Actor, 'email'>): Promise<string> {
  const before = mailsTo(person).length;
  await request(person.email);
  return eventually(() => {
    const mails = mailsTo(person);
    expect(mails.length).toBeGreaterThan(before);
    const [, path = ''] =
      /http:\/\/slipway\.example\.com(\/login\/link\?token=[\w-]{32})\s/.exec(mails.at(-1)?.text ?? '') ?? [];
    expect(path).not.toBe('');
    return path;
  }, WAIT);
}

/** Waits until every mail that was asked for so far has been sent or given up. */
const queueIsEmpty = (): Promise<void> =>
  eventually(async () => {
    const jobs = await site.query(
      `SELECT FROM queue.job WHERE name = 'new-password-mails' AND state IN ('created', 'retry', 'active')`,
    );
    expect(jobs).toHaveLength(0);
  }, WAIT);

async function setPassword(link: string, password = NEW_PASSWORD): Promise<Shown> {
  const browser = newBrowser();
  await browser.open(link);
  return browser.submit(LINK, { password, repeated: password });
}

async function signIn({ email }: Pick<Actor, 'email'>, password: string): Promise<Shown> {
  const browser = newBrowser();
  await browser.open('/login');
  return browser.submit('/login', { email, password });
}

it('mails a link with which the user sets a new password, once, and signs in with it', async () => {
  const person = await createPerson(site);
  const elsewhere = await signedInBrowser(person, newBrowser());
  const [first, second] = [await mailedLink(person), await mailedLink(person)];
  const shown = await newBrowser().open(first);
  expect(shown.html).toContain(person.email);
  expect(shown.headers.get('referrer-policy')).toBe('strict-origin');
  const done = await setPassword(first);
  expect(done.html).toContain('Your password is changed.');
  expect(done.setCookie).toBeNull();
  for (const used of [first, second]) expect((await newBrowser().open(used)).status).toBe(410);
  expect((await elsewhere.request('GET', '/settings/sessions')).location).toContain('/login');
  expect((await signIn(person, PASSWORD)).status).toBe(422);
  expect((await signIn(person, NEW_PASSWORD)).html).toContain(person.email);
  await eventually(() => expect(mailsTo(person, 'Password changed')).toHaveLength(1), WAIT);
});

it('still asks for the second factor', async () => {
  const person = await createPerson(site);
  await enableTwoFactor(await signedInBrowser(person, newBrowser()));
  await setPassword(await mailedLink(person));
  expect((await signIn(person, NEW_PASSWORD)).html).toContain('<h1>Two-factor authentication</h1>');
});

it('is not used up by opening it, or by a password that breaks the rules', async () => {
  const person = await createPerson(site);
  const link = await mailedLink(person);
  const wrong = await setPassword(link, 'passwordpassword');
  expect(wrong.status).toBe(422);
  expect(wrong.html).toContain('too easy to guess');
  expect((await setPassword(link)).html).toContain('Your password is changed.');
});

it('sets one password when one link, or several, are used at once', async () => {
  const person = await createPerson(site);
  const links = [await mailedLink(person), await mailedLink(person)];
  const passwords = [...links, ...links].map((_, index) => `${NEW_PASSWORD} ${index}`);
  const results = await Promise.all(
    [...links, ...links].map((link, index) => setPassword(link, passwords[index])),
  );
  expect(results.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410]);
  const winner = results.findIndex(({ status }) => status === 200);
  expect((await signIn(person, passwords[winner] ?? '')).html).toContain(person.email);
});

it('lasts 30 minutes by the clock of the database, and is stored as a hash alone', async () => {
  const person = await createPerson(site);
  const link = await mailedLink(person);
  const secret = link.split('=')[1] ?? '';
  const [row] = await site.query<{ minutes: number; text: string }>(
    `SELECT round(extract(epoch FROM expires_at - now()) / 60)::int AS minutes, sign_in_links::text AS text
       FROM sign_in_links WHERE user_id = $1`,
    [person.userId],
  );
  expect(row?.minutes).toBe(30);
  expect(row?.text).not.toContain(secret);
  expect(JSON.stringify(await site.query('SELECT * FROM queue.job'))).not.toContain(secret);
  expect(site.server.log.join('\n')).not.toContain(secret);
  await site.query(`UPDATE sign_in_links SET expires_at = now() - interval '1 second' WHERE user_id = $1`, [
    person.userId,
  ]);
  expect((await newBrowser().open(link)).status).toBe(410);
});

it('shows the same page for every address, and mails only users who may have a link', async () => {
  const disabled = await createPerson(site);
  await disableUser(disabled.email, site);
  const ofProvider = await createActor(site);
  await site.query(
    `INSERT INTO user_identities (id, user_id, issuer, subject)
     VALUES (gen_random_uuid(), $1, 'https://login.example.com', gen_random_uuid())`,
    [ofProvider.userId],
  );
  const withoutPassword = await createActor(site);
  const refused = [disabled, ofProvider, { email: 'nobody@example.com' }];
  const pages = [];
  for (const { email } of [...refused, withoutPassword]) pages.push((await request(email)).html);
  expect(new Set(pages.map((page) => page.replace(/value="[^"]*"/g, ''))).size).toBe(1);
  expect(pages[0]).toContain(ON_ITS_WAY);
  await queueIsEmpty();
  for (const person of refused) expect(mailsTo(person)).toEqual([]);
  expect(mailsTo(withoutPassword)).toHaveLength(1);
});

it('gives an account that was never verified to the reader of the mailbox', async () => {
  const person = await createPerson(site);
  await site.query('UPDATE users SET email_verified = false WHERE id = $1', [person.userId]);
  const stranger = await signedInBrowser(person, newBrowser());
  await setPassword(await mailedLink(person));
  const [user] = await site.query('SELECT email_verified FROM users WHERE id = $1', [person.userId]);
  expect(user).toEqual({ email_verified: true });
  expect((await stranger.open('/settings/sessions')).html).toContain('action="/login"');
  // An API token of the stranger is worth nothing either.
  expect((await person.api.get('/v1/users/me')).status).toBe(401);
});

it('does not work any more when the password was set in another way', async () => {
  const person = await createPerson(site);
  const link = await mailedLink(person);
  const browser = await signedInBrowser(person, newBrowser());
  await browser.open('/settings/password');
  const values = { current: PASSWORD, password: NEW_PASSWORD, repeated: NEW_PASSWORD };
  expect((await browser.submit('/settings/password', values)).html).toContain('Your password is changed.');
  expect((await newBrowser().open(link)).status).toBe(410);
});

it('does not work any more when the user is disabled, also when enabled again', async () => {
  const person = await createPerson(site);
  const link = await mailedLink(person);
  await disableUser(person.email, site);
  expect((await newBrowser().open(link)).status).toBe(410);
  await enableUser(person.email, site);
  expect((await newBrowser().open(link)).status).toBe(410);
});

it('mails one address a few times only', async () => {
  const person = await createPerson(site);
  for (let count = 0; count < 6; count++) {
    expect((await request(person.email.toUpperCase())).html).toContain(ON_ITS_WAY);
  }
  await queueIsEmpty();
  expect(mailsTo(person).length).toBeGreaterThanOrEqual(3);
  expect(mailsTo(person).length).toBeLessThan(6);
});

it('mails again what the mail server has refused for a moment, and leaves no link of the failure', async () => {
  const person = await createPerson(site);
  mailbox.refused.add(person.email);
  await request(person.email);
  await eventually(() => expect(site.server.log.join('\n')).toContain('was not mailed'), WAIT);
  mailbox.refused.delete(person.email);
  await eventually(() => expect(mailsTo(person)).toHaveLength(1), WAIT);
  const links = await site.query('SELECT FROM sign_in_links WHERE user_id = $1', [person.userId]);
  expect(links).toHaveLength(1);
});

describe('a server', () => {
  it('shows the command of the administrator where it sends no email', async () => {
    const browser = new Browser();
    expect((await browser.open('/login')).html).toContain('href="/login/forgot"');
    const { html } = await browser.open(FORM);
    expect(html).toContain('This server sends no email.');
    expect(html).toContain('slipway password \\\n  --email &lt;your address&gt;');
    expect(html).toContain('“The first password”');
    expect(html).not.toContain(`action="${FORM}"`);
  });

  it('names the provider, and has no such page where passwords are switched off', async () => {
    const { databaseUrl, dataDir } = testEnvironment();
    const env = {
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      OIDC_ISSUER: 'https://login.example.com',
      OIDC_CLIENT_ID: 'slipway',
      OIDC_CLIENT_SECRET: 'secret',
      OIDC_NAME: 'Acme',
    };
    const both = await startServer(env);
    try {
      expect((await new Browser(both.origin).open(FORM)).html).toContain('sign in with Acme</a>');
    } finally {
      await both.stop();
    }
    const only = await startServer({ ...env, LOCAL_SIGN_IN: 'false' });
    try {
      expect((await new Browser(only.origin).open('/login')).html).not.toContain(FORM);
      expect((await new Browser(only.origin).open(FORM)).status).toBe(403);
    } finally {
      await only.stop();
    }
  });
});
