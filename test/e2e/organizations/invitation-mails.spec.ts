import { v7 as uuid } from 'uuid';
import { createTenant, type Tenant } from '../../builders/identities.js';
import { createPerson, signedInBrowser } from '../../builders/person.js';
import { eventually } from '../../support/eventually.js';
import { Api } from '../../support/http/api.js';
import { Browser } from '../../support/http/browser.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { Mailbox } from '../../support/servers/mailbox.js';
import { OwnSite } from '../../support/servers/own-site.js';

/** As long as several attempts take, in milliseconds. */
const RETRIES = 40_000;
const PUBLIC_URL = 'http://slipway.example.com';

let mailbox: Mailbox;
let site: OwnSite;
let tenant: Tenant;

interface Shown {
  readonly id: string;
  readonly mailedAt: string | null;
  readonly mailError: string | null;
}

/** Calls as the owner, also after a restart. */
const api = (): Api => new Api(site.origin, tenant.owner.token);
const path = (): string => `/v1/organizations/${tenant.organizationId}/invitations`;

async function invite(email: string): Promise<Shown> {
  return expectCreated<Shown>(await api().post(path(), { email, role: 'viewer' }));
}

async function shown(id: string): Promise<Shown> {
  const [found] = (await api().get(`${path()}?query=${id}`)).body as Shown[];
  if (found === undefined) throw new Error('The invitation is not listed.');
  return found;
}

/** Lets what failed be tried again at the next look into the queue, as if its wait were over. */
async function retryNow(): Promise<void> {
  await site.query("UPDATE queue.job SET start_after = now() WHERE state = 'retry'");
}

const someone = (): string => `${uuid()}@example.com`;

beforeAll(async () => {
  mailbox = await Mailbox.start();
  site = await OwnSite.start({
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Slipway <no-reply@example.com>',
    PUBLIC_URL,
  });
  tenant = await createTenant(site);
});
afterAll(async () => {
  await site.dispose();
  await mailbox.stop();
});

it('reaches the invited person with a link to where it is answered', async () => {
  const person = await createPerson(site);
  const { id, mailedAt } = await invite(person.email.toUpperCase());
  expect(mailedAt).toBeNull();
  const mail = await eventually(() => {
    expect(mailbox.to(person.email)).toHaveLength(1);
    return mailbox.to(person.email)[0]!;
  }, RETRIES);
  expect(mail.from).toBe('no-reply@example.com');
  expect(mail.to).toEqual([person.email]);
  expect(mail.headers.get('from')).toEqual(['Slipway <no-reply@example.com>']);
  expect(mail.headers.get('content-type')?.[0]).toMatch(/^multipart\/alternative/);
  expect(mail.headers.get('message-id')).toEqual([`<${id}@slipway.example.com>`]);
  expect(mail.text).toContain(`${tenant.owner.email} invites you to join the organization "Tenant `);
  // Nothing is loaded from elsewhere.
  expect(mail.text).not.toMatch(/<(img|link|script|style|iframe)|url\(/i);
  const links = [...mail.text.matchAll(/https?:\/\/[^\s"<]+/g)].map(([link]) => link);
  expect(new Set(links).size).toBe(1);
  expect(links[0]).toMatch(/^http:\/\/slipway\.example\.com\/join\?token=[\w-]{32}$/);
  await eventually(async () => {
    expect(await shown(id)).toMatchObject({ mailedAt: expect.any(String) as string, mailError: null });
  });

  // The tests reach the server directly, without the proxy that would have the name of the link.
  const browser = await signedInBrowser(person, new Browser(site.origin, { Host: 'slipway.example.com' }));
  expect((await browser.open('/settings/invitations')).html).toContain(`Tenant ${tenant.owner.userId}`);
  const after = await browser.submit('/settings/invitations/accept');
  expect(after.html).toContain('There is none that can be accepted.');
  const organization = `/v1/organizations/${tenant.organizationId}`;
  expect((await new Api(site.origin, person.token).get(organization)).status).toBe(200);
});

it('is invited all the same while the mail server is away, and gets the message when it is back', async () => {
  await mailbox.stop();
  const email = someone();
  const { id } = await invite(email);
  await eventually(async () => {
    expect((await shown(id)).mailError).toBe('The mail server cannot be used (ESOCKET).');
  }, RETRIES);
  expect((await shown(id)).mailedAt).toBeNull();
  await mailbox.resume();
  await retryNow();
  await eventually(() => expect(mailbox.to(email)).toHaveLength(1), RETRIES);
  await eventually(async () => {
    expect(await shown(id)).toMatchObject({ mailedAt: expect.any(String) as string, mailError: null });
  });
});

it('gets the message after the server was killed between the invitation and the message', async () => {
  await mailbox.stop();
  const email = someone();
  const { id } = await invite(email);
  await eventually(async () => expect((await shown(id)).mailError).not.toBeNull(), RETRIES);
  await site.kill();
  await mailbox.resume();
  // What it was doing waits until no one can be doing it any more.
  await site.query("UPDATE queue.job SET state = 'retry' WHERE state = 'active'");
  await retryNow();
  await site.restart();
  await eventually(() => expect(mailbox.to(email)).toHaveLength(1), RETRIES);
});

it('gets one message, however many servers there are', async () => {
  const other = await OwnSite.beside(site);
  try {
    const emails = Array.from({ length: 12 }, someone);
    await Promise.all(emails.map(invite));
    await eventually(() => expect(emails.flatMap((email) => mailbox.to(email))).toHaveLength(12), RETRIES);
    const sql = `SELECT id FROM queue.job WHERE state IN ('created', 'retry', 'active')`;
    await eventually(async () => expect(await site.query(sql)).toEqual([]), RETRIES);
    expect(emails.map((email) => mailbox.to(email).length)).toEqual(emails.map(() => 1));
  } finally {
    expect(await other.stop()).toBe(0);
  }
});

it('is not sent any more when the invitation was revoked before', async () => {
  await mailbox.stop();
  const email = someone();
  const { id } = await invite(email);
  await eventually(async () => expect((await shown(id)).mailError).not.toBeNull(), RETRIES);
  expect((await api().delete(`${path()}/${id}`)).status).toBe(204);
  await mailbox.resume();
  await retryNow();
  const sql = `SELECT 1 FROM queue.job WHERE data ->> 'invitationId' = $1 AND state = 'completed'`;
  await eventually(async () => expect(await site.query(sql, [id])).toHaveLength(1), RETRIES);
  expect(mailbox.to(email)).toEqual([]);
});

it('stays invited when the address is refused, and the inviter sees why nothing came', async () => {
  const email = someone();
  mailbox.refused.add(email);
  const { id } = await invite(email);
  await eventually(async () => {
    expect(await shown(id)).toMatchObject({
      mailedAt: null,
      mailError: 'The mail server refused the message (550).',
    });
  }, RETRIES);
});

it.each(["o'brien+slip=x", 'a.b/c', '{x}|~y', '!#$%&*^_`'])('reaches the odd address %s@…', async (name) => {
  const email = `${name}${uuid()}@example.com`;
  await invite(email);
  await eventually(() => expect(mailbox.to(email)).toHaveLength(1), RETRIES);
  expect(mailbox.to(email)[0]?.to).toEqual([email]);
});

it('cannot be used to write headers or markup', async () => {
  const name = 'Evil</strong><img src="http://evil.example/x">\r\nBcc: victim@example.com\r\n\r\nbody';
  await site.query('UPDATE organizations SET name = $2 WHERE id = $1', [tenant.organizationId, name]);
  const email = someone();
  await invite(email);
  const mail = await eventually(() => {
    expect(mailbox.to(email)).toHaveLength(1);
    return mailbox.to(email)[0]!;
  }, RETRIES);
  expect(mail.to).toEqual([email]);
  expect([...mail.headers.keys()]).not.toContain('bcc');
  expect(mail.headers.get('subject')).toHaveLength(1);
  const htmlPart = mail.text.slice(mail.text.indexOf('text/html'));
  expect(htmlPart).not.toContain('<img');
});

it('never appears in the log with address or password', async () => {
  expect(site.server.log.join('\n')).not.toMatch(/p%s\/w:rd|p%25s|slip%40way/);
  expect(site.server.log.filter((line) => line.includes('@example.com'))).toEqual([]);
});
