import { createSignInLink } from '../../../src/accounts/sign-in-links/create-sign-in-link.js';
import { generateApiToken } from '../../../src/common/access/api-token.js';
import { type Actor, createActor } from '../../builders/identities.js';
import { PASSWORD, signedInBrowser } from '../../builders/person.js';
import { eventually } from '../../support/eventually.js';
import { Browser, type Shown } from '../../support/http/browser.js';
import { OwnSite } from '../../support/servers/own-site.js';

const FORM = '/login/link';
let site: OwnSite;
/** The first user, who has no password. */
let first: Actor;

beforeAll(async () => {
  site = await OwnSite.start();
});
afterAll(() => site.dispose());
beforeEach(async () => {
  await site.query('DELETE FROM users');
  first = await createActor(site);
  // Another one, who gets no link.
  await createActor(site);
});

async function newLink(): Promise<string> {
  const link = await createSignInLink(site.databaseUrl, first.token);
  if (link === null) throw new Error('There is no link.');
  return link;
}

async function opened(link: string): Promise<{ browser: Browser; shown: Shown }> {
  const browser = new Browser(site.origin);
  return { browser, shown: await browser.open(link) };
}

const setPassword = (browser: Browser, password = PASSWORD, repeated = password): Promise<Shown> =>
  browser.send(FORM, { ...browser.hidden(FORM), password, repeated });

it('lets the first user set a password, and signs the user in to the console', async () => {
  const link = await newLink();
  const { browser, shown } = await opened(link);
  expect(shown.status).toBe(200);
  expect(shown.html).toContain(first.email);
  // Its address holds the secret.
  expect(shown.headers.get('referrer-policy')).toBe('strict-origin');
  expect(shown.headers.get('cache-control')).toBe('no-store');
  expect((await setPassword(browser)).location).toBe('/');
  expect((await browser.open('/')).html).toContain(first.email);
  await signedInBrowser(first, new Browser(site.origin));
  // The link stays a way to the console for the browser that is signed in.
  expect((await browser.request('GET', link)).location).toBe('/');
});

it('is not used up by opening it, or by a password that breaks the rules', async () => {
  const link = await newLink();
  for (let count = 0; count < 3; count++) expect((await opened(link)).shown.status).toBe(200);
  const { browser } = await opened(link);
  const wrong = await browser.submit(FORM, { password: 'too short', repeated: 'too short' });
  expect(wrong.status).toBe(422);
  expect(wrong.html).toContain('at least 12 characters');
  expect(wrong.html).not.toContain('too short');
  const different = await browser.submit(FORM, { password: PASSWORD, repeated: `${PASSWORD}!` });
  expect(different.html).toContain('not the same');
  expect((await setPassword(browser)).location).toBe('/');
});

it('works once', async () => {
  const { browser } = await opened(await newLink());
  const hidden = browser.hidden(FORM);
  await setPassword(browser);
  const again = new Browser(site.origin);
  await again.open('/login');
  const { csrf = '' } = again.hidden('/login');
  const values = { ...hidden, csrf, password: 'another long password', repeated: 'another long password' };
  expect((await again.send(FORM, values)).status).toBe(410);
  await signedInBrowser(first, new Browser(site.origin));
  expect(await site.query('SELECT id FROM sign_in_links')).toEqual([]);
});

it('is stored as a hash, and the secret is not logged', async () => {
  const link = await newLink();
  await opened(link);
  const secret = link.split('=')[1] ?? '';
  expect(secret).toMatch(/^[\w-]{32}$/);
  expect(JSON.stringify(await site.query('SELECT * FROM sign_in_links'))).not.toContain(secret);
  const log = site.server.log.join('\n');
  expect(log).toContain('/login/link');
  expect(log).not.toContain(secret);
});

it('lasts 15 minutes by the clock of the database', async () => {
  const link = await newLink();
  const [row] = await site.query<{ seconds: number }>(
    'SELECT extract(epoch FROM expires_at - now())::int AS seconds FROM sign_in_links',
  );
  expect(row?.seconds).toBeGreaterThan(880);
  expect(row?.seconds).toBeLessThanOrEqual(900);
  const { browser } = await opened(link);
  await site.query(`UPDATE sign_in_links SET expires_at = now() - interval '1 second'`);
  expect((await opened(link)).shown.status).toBe(410);
  expect((await setPassword(browser)).status).toBe(410);
  expect((await setPassword(browser, 'too short')).status).toBe(410);
  // Expired links are removed with the next one.
  await newLink();
  expect(await site.query('SELECT id FROM sign_in_links')).toHaveLength(1);
});

it('sets one password when several links, and one link several times, are used at once', async () => {
  const links = [await newLink(), await newLink()];
  const browsers = await Promise.all([...links, ...links].map(async (link) => (await opened(link)).browser));
  const passwords = browsers.map((_, index) => `a long password, number ${index}`);
  const results = await Promise.all(browsers.map((browser, index) => setPassword(browser, passwords[index])));
  expect(results.map(({ status }) => status).sort()).toEqual([303, 410, 410, 410]);
  const winner = results.findIndex(({ status }) => status === 303);
  const visitor = new Browser(site.origin);
  await visitor.open('/login');
  const shown = await visitor.submit('/login', { email: first.email, password: passwords[winner] ?? '' });
  expect(shown.html).toContain(first.email);
});

it('is not made, and does not work, once the first user has a password', async () => {
  const link = await newLink();
  const { browser } = await opened(await newLink());
  await setPassword(browser);
  expect(await createSignInLink(site.databaseUrl, first.token)).toBeNull();
  expect((await opened(link)).shown.status).toBe(410);
});

it('is not made for another user when the first one is deleted', async () => {
  await site.query('DELETE FROM users WHERE id = $1', [first.userId]);
  expect(await createSignInLink(site.databaseUrl, first.token)).toBeNull();
});

it.each([
  ['has two-factor authentication', 'UPDATE users SET two_factor_enabled = true WHERE id = $1'],
  [
    'signs in with OpenID Connect',
    `INSERT INTO user_identities (id, user_id, issuer, subject)
     VALUES (gen_random_uuid(), $1, 'https://login.example.com', 'first')`,
  ],
])('is not made, and does not work, when the first user %s', async (_what, statement) => {
  const link = await newLink();
  const { browser } = await opened(link);
  await site.query(statement, [first.userId]);
  expect(await createSignInLink(site.databaseUrl, first.token)).toBeNull();
  expect((await opened(link)).shown.status).toBe(410);
  expect((await setPassword(browser)).status).toBe(410);
});

it('is not made without a user', async () => {
  await site.query('DELETE FROM users');
  expect(await createSignInLink(site.databaseUrl, first.token)).toBeNull();
});

it.each(['', '?token=', '?token=x', `?token=${'x'.repeat(32)}`])('does not work as %s', async (query) => {
  const { status, html } = await new Browser(site.origin).open(FORM + query);
  expect(status).toBe(410);
  expect(html).toContain('This link does not work');
});

it('is hinted at on the sign-in page while no user has a password', async () => {
  const hint = 'No user has a password yet';
  const { html } = await new Browser(site.origin).open('/login');
  expect(html).toContain(hint);
  expect(html).toContain('slipway password \\\n  --email &lt;your address&gt;');
  expect(html).toContain('“Authentication”');
  // The page is public: it names no user, no kind of installation and no version.
  expect(html).not.toMatch(/npm run|docker|kubectl|@slipway\.local|\d+\.\d+\.\d+/);
  expect(html).not.toContain(first.email);
  await setPassword((await opened(await newLink())).browser);
  expect((await new Browser(site.origin).open('/login')).html).not.toContain(hint);
});

it.each([
  ['compose', 'docker compose exec api slipway password --email first@example.com'],
  ['image', 'docker exec -it <container> slipway password --email first@example.com'],
])('is not printed by an installation of the kind %s, which logs the command instead', async (kind, line) => {
  await site.query('DELETE FROM users');
  const first = { BOOTSTRAP_EMAIL: 'first@example.com', BOOTSTRAP_TOKEN: generateApiToken() };
  await site.restart({ ...first, INSTALLATION: kind });
  const logged = (): string => site.server.log.join('\n');
  await eventually(() => expect(logged()).toContain(line));
  expect(logged()).not.toContain('/login/link');
  await site.restart({ ...first, INSTALLATION: kind });
  expect(logged()).not.toContain(line);
});

it('the first user gets an organization that counts to the account of the installation', async () => {
  await site.query('DELETE FROM users');
  await site.restart({ BOOTSTRAP_EMAIL: 'founder@example.com', BOOTSTRAP_TOKEN: generateApiToken() });
  const organizations = `SELECT organizations.name, account_id, role FROM organizations
                           JOIN members ON organization_id = organizations.id JOIN users ON users.id = user_id
                          WHERE email = 'founder@example.com'`;
  expect(await site.query(organizations)).toEqual([
    { name: 'My organization', account_id: null, role: 'owner' },
  ]);
});
