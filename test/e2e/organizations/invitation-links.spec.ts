import { hashToken } from '../../../src/common/access/api-token.js';
import { createMember, createTenant, setTwoFactor, type Tenant } from '../../builders/identities.js';
import { createPerson, PASSWORD, signedInBrowser } from '../../builders/person.js';
import { enableTwoFactor } from '../../builders/two-factor.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import { Browser } from '../../support/http/browser.js';
import { expectError } from '../../support/http/expect-error.js';
import { auditEvents } from '../../support/organizations/audit-log.js';
import { invite, newAddress, pathOf, sendPassword } from '../../support/organizations/invitations.js';

const sql = <T extends object>(text: string, values: unknown[]): Promise<T[]> =>
  query<T & Record<string, unknown>>(testEnvironment().databaseUrl, text, values);
const usersOf = (email: string): Promise<{ id: string; email_verified: boolean }[]> =>
  sql('SELECT id, email_verified FROM users WHERE email = $1', [email]);
const rolesOf = async ({ owner, organizationId }: Tenant): Promise<unknown[]> => {
  const { body } = await owner.api.get(`/v1/organizations/${organizationId}/members`);
  return (body as { role: string; user: { email: string } }[]).map(({ role }) => role);
};

let tenant: Tenant;
beforeEach(async () => {
  tenant = await createTenant();
});

async function opened(link: string | null): Promise<Browser> {
  const browser = new Browser();
  expect((await browser.open(pathOf(link))).status).toBe(200);
  return browser;
}

async function signIn(email: string, password = PASSWORD): Promise<Browser> {
  const browser = new Browser();
  await browser.open('/login');
  await browser.submit('/login', { email, password });
  return browser;
}

describe('the link of an invitation', () => {
  it('is only in the response that creates the invitation, and stored as a hash', async () => {
    const path = `/v1/organizations/${tenant.organizationId}/invitations`;
    const body = { email: newAddress(), role: 'viewer' };
    const response = await tenant.owner.api.post(path, body);
    const { id, link } = response.body as { id: string; link: string };
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/join\?token=[\w-]{32}$/);
    expect(response.headers['cache-control']).toBe('no-store');
    expect((await tenant.owner.api.get(path)).body).toMatchObject([{ id, link: null }]);
    const secret = link.split('=')[1] ?? '';
    const rows = await sql('SELECT hash, mailed FROM invitation_links WHERE invitation_id = $1', [id]);
    expect(rows).toEqual([{ hash: hashToken(secret), mailed: false }]);
    expect(JSON.stringify(await auditEvents(tenant))).not.toContain(secret);
  });

  it('is the same when the request is repeated', async () => {
    const path = `/v1/organizations/${tenant.organizationId}/invitations`;
    const send = () =>
      tenant.owner.api
        .request('post', path)
        .set('Idempotency-Key', 'invite-once')
        .send({ email: 'once@example.com', role: 'viewer' });
    const first = await send();
    expect(first.status).toBe(201);
    expect((await send()).body).toEqual(first.body);
  });

  it('lets a person without an account set a password and join', async () => {
    const { email, link } = await invite(tenant, newAddress(), 'admin');
    const browser = new Browser();
    const shown = await browser.open(pathOf(link));
    for (const text of [email, tenant.owner.email, `Join Tenant ${tenant.owner.userId}`, 'as admin']) {
      expect(shown.html).toContain(text);
    }
    // Its address holds the secret.
    expect(shown.headers.get('referrer-policy')).toBe('strict-origin');
    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect((await sendPassword(browser)).location).toBe('/');
    expect((await browser.open('/')).html).toContain(email);
    expect(await rolesOf(tenant)).toEqual(['owner', 'admin']);
    expect(await usersOf(email)).toMatchObject([{ email_verified: false }]);
    expect((await (await signIn(email)).open('/settings/sessions')).html).toContain(email);
  });

  it('is recorded in the audit log with the account that it created', async () => {
    const { email, link, id } = await invite(tenant);
    await sendPassword(await opened(link));
    const events = (await auditEvents(tenant)).filter(({ operation }) => operation === 'JoinPage_send');
    const [user] = await usersOf(email);
    const objects = events.map(({ action, object }) => `${object.type} ${action} ${object.name}`).sort();
    expect(objects).toEqual(
      [
        `invitation updated ${email}`,
        `member created ${email}`,
        `password created ${email}`,
        `session created ${email}`,
        `user created ${email}`,
      ].sort(),
    );
    expect(events.find(({ object }) => object.type === 'invitation')).toMatchObject({
      object: { id },
      after: { status: 'accepted' },
    });
    expect(events.find(({ object }) => object.type === 'user')?.object.id).toBe(user?.id);
  });

  it('is not used up by opening it, or by a password that breaks the rules', async () => {
    const { email, link } = await invite(tenant);
    for (let count = 0; count < 3; count++) await opened(link);
    const browser = await opened(link);
    const short = await browser.submit('/join', { password: 'too short', repeated: 'too short' });
    expect(short.status).toBe(422);
    expect(short.html).toContain('at least 12 characters');
    expect(short.headers.get('referrer-policy')).toBe('strict-origin');
    const different = await browser.submit('/join', { password: PASSWORD, repeated: `${PASSWORD}!` });
    expect(different.html).toContain('not the same');
    expect(await usersOf(email)).toEqual([]);
    expect((await sendPassword(browser)).location).toBe('/');
  });

  it('works once, also when it is used several times at the same moment', async () => {
    const { email, link } = await invite(tenant);
    const browsers = await Promise.all([1, 2, 3, 4].map(() => opened(link)));
    const results = await Promise.all(
      browsers.map((browser, index) => sendPassword(browser, `a long password, number ${index}`)),
    );
    expect(results.map(({ status }) => status).sort()).toEqual([303, 410, 410, 410]);
    expect(await rolesOf(tenant)).toEqual(['owner', 'member']);
    const winner = results.findIndex(({ status }) => status === 303);
    const browser = await signIn(email, `a long password, number ${winner}`);
    expect((await browser.open('/settings/sessions')).html).toContain(email);
    expect((await new Browser().open(pathOf(link))).status).toBe(410);
  });

  it('makes one account when invitations of two organizations are used at the same moment', async () => {
    const email = newAddress();
    const other = await createTenant();
    const links = [await invite(tenant, email), await invite(other, email)];
    const browsers = await Promise.all(links.map(({ link }) => opened(link)));
    const results = await Promise.all(browsers.map((browser) => sendPassword(browser)));
    expect(results.map(({ status }) => status).sort()).toEqual([200, 303]);
    expect(await usersOf(email)).toHaveLength(1);
    expect([...(await rolesOf(tenant)), ...(await rolesOf(other))].sort()).toEqual([
      'member',
      'owner',
      'owner',
    ]);
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    [
      'revoked',
      (id) => tenant.owner.api.delete(`/v1/organizations/${tenant.organizationId}/invitations/${id}`),
    ],
    [
      'expired',
      (id) => sql(`UPDATE invitations SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]),
    ],
    [
      'of an organization that is deleted',
      () => tenant.owner.api.delete(`/v1/organizations/${tenant.organizationId}`),
    ],
  ])('does not work when the invitation is %s', async (_what, end) => {
    const { id, email, link } = await invite(tenant);
    const browser = await opened(link);
    await end(id);
    const shown = await new Browser().open(pathOf(link));
    expect(shown.status).toBe(410);
    expect(shown.html).not.toContain(email);
    expect((await sendPassword(browser)).status).toBe(410);
    expect((await sendPassword(browser, 'short')).status).toBe(410);
    expect(await usersOf(email)).toEqual([]);
  });

  it('goes with the next invitation once it is over', async () => {
    const first = await invite(tenant);
    await sql(`UPDATE invitations SET expires_at = now() - interval '1 second' WHERE id = $1`, [first.id]);
    await invite(tenant);
    expect(await sql('SELECT FROM invitation_links WHERE invitation_id = $1', [first.id])).toEqual([]);
  });

  it.each(['', '?token=', '?token=x', `?token=${'x'.repeat(32)}`])('does not work as %j', async (search) => {
    const { status, html } = await new Browser().open(`/join${search}`);
    expect(status).toBe(410);
    expect(html).toContain('This link does not work any more');
  });

  it('makes the second factor mandatory where the organization requires it', async () => {
    await setTwoFactor(tenant.owner, true);
    const path = `/v1/organizations/${tenant.organizationId}`;
    await tenant.owner.api.patch(path, { twoFactorRequired: true });
    const { link } = await invite(tenant);
    const browser = await opened(link);
    expect((await sendPassword(browser)).location).toBe('/settings/two-factor?required=yes');
    expect((await browser.open('/settings/two-factor?required=yes')).html).toContain(
      'Your organization requires two-factor authentication.',
    );
    await browser.open('/settings/tokens');
    const created = await browser.submit('/settings/tokens', { name: 'Early', expires: '30' });
    const api = new Api(browser.origin, /class="secret">(ca_[0-9a-f]{48})</.exec(created.html)?.[1] ?? '');
    expectError(await api.get(path), 403, 'two_factor_required');
    await enableTwoFactor(browser);
    expect((await api.get(path)).status).toBe(200);
  });
});

describe('the link for an address that has an account', () => {
  it('looks the same, and neither sets a password nor signs in', async () => {
    const person = await createPerson();
    const invitation = await invite(tenant, person.email.toUpperCase());
    const unknown = await invite(tenant);
    const [browser, other] = [new Browser(), new Browser()];
    const plain = (html: string, { email, link }: { email: string; link: string | null }): string =>
      html
        .replaceAll(email, 'EMAIL')
        .replaceAll(link?.split('=')[1] ?? '', 'TOKEN')
        .replaceAll(/name="csrf" value="[^"]+"/g, '');
    const shown = (await browser.open(pathOf(invitation.link))).html;
    const shownToNew = (await other.open(pathOf(unknown.link))).html;
    expect(plain(shown, invitation)).toBe(plain(shownToNew, unknown));
    const [before] = await sql('SELECT hash FROM passwords WHERE user_id = $1', [person.userId]);

    const sent = await sendPassword(browser, 'another long password');
    expect(sent.status).toBe(200);
    expect(sent.html).toContain('You have an account already');
    expect(sent.html).toContain('/login?next=%2Fsettings%2Finvitations');
    expect(browser.cookie).toMatch(/^slipway=anon_/);
    expect(await sql('SELECT hash FROM passwords WHERE user_id = $1', [person.userId])).toEqual([before]);
    expect(await sql('SELECT FROM sessions WHERE user_id = $1', [person.userId])).toEqual([]);
    expect(await rolesOf(tenant)).toEqual(['owner']);
    // The account accepts where it has signed in.
    await signedInBrowser(person, browser);
    await browser.open('/settings/invitations');
    await browser.submit('/settings/invitations/accept');
    expect(await rolesOf(tenant)).toEqual(['owner', 'member']);
  });

  it('sets no first password of an account without one', async () => {
    const member = await createMember(await createTenant(), 'viewer');
    const { link } = await invite(tenant, member.email);
    expect((await sendPassword(await opened(link))).html).toContain('You have an account already');
    expect(await sql('SELECT FROM passwords WHERE user_id = $1', [member.userId])).toEqual([]);
  });

  it('is accepted or declined at once by the user who has signed in', async () => {
    const person = await createPerson();
    const browser = await signedInBrowser(person);
    const first = await invite(tenant, person.email);
    const shown = await browser.open(pathOf(first.link));
    expect(shown.html).not.toContain('type="password"');
    expect(shown.headers.get('referrer-policy')).toBe('strict-origin');
    await browser.submit('/join/decision', { decision: 'decline' });
    expect(await rolesOf(tenant)).toEqual(['owner']);
    expect((await browser.open(pathOf(first.link))).status).toBe(410);
    const second = await invite(tenant, person.email, 'billing');
    await browser.open(pathOf(second.link));
    await browser.submit('/join/decision', { decision: 'accept' });
    expect(await rolesOf(tenant)).toEqual(['owner', 'billing']);
  });

  it('sends a user who accepts, and lacks the required second factor, to its settings', async () => {
    await setTwoFactor(tenant.owner, true);
    await tenant.owner.api.patch(`/v1/organizations/${tenant.organizationId}`, { twoFactorRequired: true });
    const person = await createPerson();
    const browser = await signedInBrowser(person);
    await browser.open(pathOf((await invite(tenant, person.email)).link));
    const sent = await browser.send('/join/decision', {
      ...browser.hidden('/join/decision'),
      decision: 'accept',
    });
    expect(sent.location).toBe('/settings/two-factor?required=yes');
  });
});

describe('a visitor who has signed in as another user', () => {
  it('learns to sign out, and can neither accept, decline nor create the account', async () => {
    const { email, link } = await invite(tenant);
    const stranger = await createPerson();
    const anonymous = await opened(link);
    const { token = '' } = anonymous.hidden('/join');
    const browser = await signedInBrowser(stranger);
    const shown = await browser.open(pathOf(link));
    expect(shown.html).toContain('This invitation is for another account');
    const { csrf = '' } = browser.hidden('/logout');
    const form = { csrf, token, password: PASSWORD, repeated: PASSWORD };
    expect((await browser.send('/join', form)).html).toContain('This invitation is for another account');
    for (const decision of ['accept', 'decline']) {
      expect((await browser.send('/join/decision', { ...form, decision })).status).toBe(404);
    }
    expect(await usersOf(email)).toEqual([]);
    expect(await rolesOf(tenant)).toEqual(['owner']);
    // Signed out, the same browser can.
    await browser.submit('/logout');
    await browser.open(pathOf(link));
    expect((await sendPassword(browser)).location).toBe('/');
  });

  it('who has not signed in goes back to the link instead of accepting', async () => {
    const { link } = await invite(tenant);
    const browser = await opened(link);
    const sent = await browser.send('/join/decision', { ...browser.hidden('/join'), decision: 'accept' });
    expect(sent.location).toBe(pathOf(link));
    expect((await browser.send('/join', { token: 'x', password: PASSWORD })).status).toBe(403);
  });
});

describe('a user whose link was not mailed', () => {
  /** A new user, with an API token. */
  async function joined(): Promise<{ email: string; browser: Browser; api: Api }> {
    const { email, link } = await invite(tenant);
    const browser = await opened(link);
    await sendPassword(browser);
    await browser.open('/settings/tokens');
    const { html } = await browser.submit('/settings/tokens', { name: 'Mine', expires: '30' });
    const token = /class="secret">(ca_[0-9a-f]{48})</.exec(html)?.[1] ?? '';
    return { email, browser, api: new Api(browser.origin, token) };
  }

  it('uses the organization, and accepts no other invitation', async () => {
    const { email, browser, api } = await joined();
    expect((await api.get(`/v1/organizations/${tenant.organizationId}`)).status).toBe(200);
    const other = await createTenant();
    const { id, link } = await invite(other, email);
    expectError(await api.get('/v1/invitations'), 403, 'email_not_verified');
    expectError(await api.post(`/v1/invitations/${id}/accept`), 403, 'email_not_verified');
    const page = await browser.open('/settings/invitations');
    expect([page.status, page.html]).toEqual([200, expect.stringContaining('is not verified')]);
    const shown = await browser.open(pathOf(link));
    expect(shown.html).toContain('is not verified');
    expect(shown.html).not.toContain('/join/decision');
    const { csrf = '' } = browser.hidden('/logout');
    const token = pathOf(link).split('=')[1] ?? '';
    for (const decision of ['accept', 'decline']) {
      expect((await browser.send('/join/decision', { csrf, token, decision })).status).toBe(403);
    }
    expect(await usersOf(email)).toMatchObject([{ email_verified: false }]);
    expect(await rolesOf(other)).toEqual(['owner']);
  });

  it('creates no organizations', async () => {
    const { api } = await joined();
    expectError(await api.post('/v1/organizations', { name: 'Mine' }), 403, 'email_not_verified');
  });
});
