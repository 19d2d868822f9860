import { createTenant, type Tenant } from '../../builders/identities.js';
import { createPerson, givePassword, PASSWORD } from '../../builders/person.js';
import { eventually } from '../../support/eventually.js';
import { Browser } from '../../support/http/browser.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError } from '../../support/http/expect-error.js';
import { invite, newAddress, sendPassword } from '../../support/organizations/invitations.js';
import { Mailbox } from '../../support/servers/mailbox.js';
import { OwnSite } from '../../support/servers/own-site.js';

const HOST = 'slipway.example.com';
/** As long as several attempts take, in milliseconds. */
const RETRIES = 40_000;
const ENV = { MAIL_FROM: 'Slipway <no-reply@example.com>', PUBLIC_URL: `http://${HOST}` };

let mailbox: Mailbox;
let site: OwnSite;
let tenant: Tenant;

beforeAll(async () => {
  mailbox = await Mailbox.start();
  site = await OwnSite.start({ ...ENV, SMTP_URL: mailbox.url, MAX_INVITATIONS_PER_USER_AND_DAY: '5' });
});
afterAll(async () => {
  await site.dispose();
  await mailbox.stop();
});
beforeEach(async () => {
  tenant = await createTenant(site);
});

/** The tests reach the server directly, without the proxy that would have the name of the link. */
const visitor = (): Browser => new Browser(site.origin, { Host: HOST });

const texts = (email: string): string[] => mailbox.to(email).map(({ text }) => text);

/** Path and query of the link in the only mail to an address. */
function linkTo(email: string): Promise<string> {
  return eventually(() => {
    expect(texts(email)).toHaveLength(1);
    const [, path = ''] =
      /http:\/\/slipway\.example\.com(\/join\?token=[\w-]{32})\s/.exec(texts(email)[0] ?? '') ?? [];
    expect(path).not.toBe('');
    return path;
  }, RETRIES);
}

const verified = async (email: string): Promise<unknown[]> =>
  (await site.query('SELECT email_verified FROM users WHERE email = $1', [email])).map(
    (row) => row['email_verified'],
  );

it('creates an account whose address is verified, with the link that only the mail has', async () => {
  const { email, link } = await invite(tenant);
  expect(link).toBeNull();
  const path = await linkTo(email);
  const secret = path.split('=')[1] ?? '';
  for (const table of ['invitation_links', 'queue.job', 'stored_responses']) {
    expect(JSON.stringify(await site.query(`SELECT * FROM ${table}`))).not.toContain(secret);
  }
  const browser = visitor();
  expect((await browser.open(path)).html).toContain(email);
  expect((await sendPassword(browser)).location).toBe('/');
  expect(await verified(email)).toEqual([true]);
  const { body } = await tenant.owner.api.get(
    `/v1/organizations/${tenant.organizationId}/members?role=member`,
  );
  expect(body).toHaveLength(1);
  const log = site.server.log.join('\n');
  expect(log).toContain('/join');
  expect(log).not.toContain(secret);
});

it('has a link of its own for each attempt, and all end together', async () => {
  await mailbox.stop();
  const { id, email } = await invite(tenant);
  const count = async (): Promise<number> =>
    (await site.query('SELECT FROM invitation_links WHERE invitation_id = $1', [id])).length;
  await eventually(async () => expect(await count()).toBeGreaterThanOrEqual(1), RETRIES);
  await mailbox.resume();
  await site.query("UPDATE queue.job SET start_after = now() WHERE state = 'retry'");
  const path = await linkTo(email);
  expect(await count()).toBeGreaterThanOrEqual(2);
  const browser = visitor();
  await browser.open(path);
  await sendPassword(browser);
  expect((await visitor().open(path)).status).toBe(410);
});

it('mails a person who has an account how to sign in, once the form is sent', async () => {
  const person = await createPerson(site);
  await invite(tenant, person.email);
  const browser = visitor();
  await browser.open(await linkTo(person.email));
  const sent = await sendPassword(browser, 'another long password');
  expect(sent.html).toContain('We have also mailed you how.');
  expect(browser.cookie).toMatch(/^slipway=anon_/);
  await eventually(() => {
    expect(texts(person.email)).toHaveLength(2);
    expect(texts(person.email)[1]).toContain(`http://${HOST}/settings/invitations`);
    expect(texts(person.email)[1]).not.toContain('token=');
  }, RETRIES);
});

it('verifies the address of a user who has signed in and follows it', async () => {
  const { email } = await invite(tenant);
  const path = await linkTo(email);
  const [user] = await site.query<{ id: string }>(
    'INSERT INTO users (id, email) VALUES (gen_random_uuid(), $1) RETURNING id',
    [email],
  );
  await givePassword({ userId: user?.id ?? '' } as never, site);
  const browser = visitor();
  await browser.open('/login');
  await browser.submit('/login', { email, password: PASSWORD });
  await browser.open(path);
  await browser.submit('/join/decision', { decision: 'accept' });
  expect(await verified(email)).toEqual([true]);
  const { body } = await tenant.owner.api.get(
    `/v1/organizations/${tenant.organizationId}/members?role=member`,
  );
  expect(body).toHaveLength(1);
});

it('limits how many a user sends in a day, whatever becomes of them', async () => {
  const { owner } = tenant;
  const pathIn = (organizationId: string): string => `/v1/organizations/${organizationId}/invitations`;
  const send = (organizationId: string) =>
    owner.api.post(pathIn(organizationId), { email: newAddress(), role: 'viewer' });
  const other = expectCreated<{ id: string }>(await owner.api.post('/v1/organizations', { name: 'Other' }));
  const responses = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(() => send(other.id)));
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 409, 409]);
  const { message } = expectError(await send(tenant.organizationId), 409, 'limit_reached');
  expect(message).toContain('MAX_INVITATIONS_PER_USER_AND_DAY');
  expect((await owner.api.delete(`/v1/organizations/${other.id}`)).status).toBe(204);
  expectError(await send(tenant.organizationId), 409, 'limit_reached');
  await site.query(`UPDATE invitation_counts SET day = day - 1 WHERE inviter_id = $1`, [owner.userId]);
  expect((await send(tenant.organizationId)).status).toBe(201);
});

it('has no secret with INVITATIONS_CREATE_ACCOUNTS=false, and earlier links lead to the sign-in', async () => {
  const earlier = await invite(tenant);
  const path = await linkTo(earlier.email);
  await site.restart({ INVITATIONS_CREATE_ACCOUNTS: 'false' });
  try {
    tenant = await createTenant(site);
    const { email, link } = await invite(tenant);
    expect(link).toBeNull();
    await eventually(() => expect(texts(email)).toHaveLength(1), RETRIES);
    expect(texts(email)[0]).toContain(`http://${HOST}/settings/invitations`);
    expect(texts(email)[0]).not.toContain('/join');
    const browser = visitor();
    const { html } = await browser.open(path);
    expect(html).toContain('href="/login?next=%2Fsettings%2Finvitations"');
    expect(html).not.toContain('type="password"');
    await browser.open('/login');
    const { csrf = '' } = browser.hidden('/login');
    const token = path.split('=')[1] ?? '';
    const sent = await browser.send('/join', { csrf, token, password: PASSWORD, repeated: PASSWORD });
    expect(sent.status).toBe(200);
    expect(await verified(earlier.email)).toEqual([]);
  } finally {
    await site.restart();
  }
});
