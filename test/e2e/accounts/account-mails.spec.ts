import { type Actor } from '../../builders/identities.js';
import { createPerson, PASSWORD, signedInBrowser } from '../../builders/person.js';
import { createToken } from '../../builders/token.js';
import { enableTwoFactor } from '../../builders/two-factor.js';
import { eventually } from '../../support/eventually.js';
import { Browser } from '../../support/http/browser.js';
import { Mailbox, type ReceivedMail } from '../../support/servers/mailbox.js';
import { OwnSite } from '../../support/servers/own-site.js';

const PUBLIC_URL = 'http://slipway.example.com';
const WAIT = 40_000;

let mailbox: Mailbox;
let site: OwnSite;
beforeAll(async () => {
  mailbox = await Mailbox.start();
  site = await OwnSite.start({
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Slipway <no-reply@example.com>',
    PUBLIC_URL,
    TRUST_PROXY: 'loopback',
  });
});
afterAll(async () => {
  await site.dispose();
  await mailbox.stop();
});

/** A browser behind a proxy, at this address. */
const browserAt = (address: string): Browser =>
  new Browser(site.origin, {
    Host: 'slipway.example.com',
    'X-Forwarded-For': address,
    'User-Agent': 'Test/1',
  });

const subjects = ({ email }: Actor): (string | undefined)[] =>
  mailbox.to(email).map(({ headers }) => headers.get('subject')?.[0]);

/** Waits for a mail. */
const received = (person: Actor, subject: string): Promise<ReceivedMail> =>
  eventually(() => {
    const mail = mailbox.to(person.email).find(({ headers }) => headers.get('subject')?.[0] === subject);
    expect(mail).toBeDefined();
    return mail!;
  }, WAIT);

it('report a sign-in from a new network, once for each network', async () => {
  const person = await createPerson(site);
  await signedInBrowser(person, browserAt('192.0.2.7'));
  const mail = await received(person, 'New sign-in');
  for (const fact of [person.email, '192.0.2.7', 'Test/1', `${PUBLIC_URL}/settings/sessions`]) {
    expect(mail.text).toContain(fact);
  }
  expect(mail.headers.get('content-type')?.[0]).toMatch(/^multipart\/alternative/);
  expect(mail.text).not.toMatch(/<(img|link|script|style|iframe)|url\(/i);
  await signedInBrowser(person, browserAt('192.0.2.7'));
  await signedInBrowser(person, browserAt('198.51.100.9'));
  await eventually(() => expect(subjects(person)).toEqual(['New sign-in', 'New sign-in']), WAIT);
  expect(mailbox.to(person.email)[1]?.text).toContain('198.51.100.9');
});

it('report a new API token by its name, without its secret and without markup', async () => {
  const person = await createPerson(site);
  const { token } = await createToken(person.api, { name: 'CI <img src=x>' });
  const mail = await received(person, 'New API token');
  expect(mail.text).toContain('CI &lt;img src=x&gt;');
  expect(mail.text.slice(mail.text.indexOf('text/html'))).not.toContain('<img');
  expect(mail.text).not.toContain(token);
  expect(mail.text).not.toContain(token.slice(-8));
});

it('report a changed password and a changed second factor, without secrets', async () => {
  const person = await createPerson(site);
  const browser = await signedInBrowser(person, browserAt('192.0.2.8'));
  await enableTwoFactor(browser);
  await received(person, 'Two-factor authentication switched on');
  await browser.open('/settings/two-factor');
  await browser.submit('/settings/two-factor/recovery-codes', { password: PASSWORD });
  await received(person, 'New recovery codes');
  await browser.open('/settings/two-factor');
  await browser.submit('/settings/two-factor/disable', { password: PASSWORD });
  await received(person, 'Two-factor authentication switched off');
  await browser.open('/settings/password');
  const password = 'another long password';
  await browser.submit('/settings/password', { current: PASSWORD, password, repeated: password });
  await received(person, 'Password changed');
  const sent = mailbox
    .to(person.email)
    .map(({ text }) => text)
    .join('');
  for (const secret of [PASSWORD, password, 'class="secret"']) expect(sent).not.toContain(secret);
});

it('are not sent for what was refused', async () => {
  const person = await createPerson(site);
  const browser = browserAt('192.0.2.9');
  await browser.open('/login');
  await browser.submit('/login', { email: person.email, password: 'wrong password' });
  await createToken(person.api);
  await received(person, 'New API token');
  expect(subjects(person)).toEqual(['New API token']);
});
