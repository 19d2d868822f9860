import { createTenant, type Tenant } from '../../builders/identities.js';
import { PASSWORD } from '../../builders/person.js';
import { createDeviceSession } from '../../builders/session.js';
import { enableTwoFactor } from '../../builders/two-factor.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import { Browser } from '../../support/http/browser.js';
import { type OidcSite, sessionsOf, startOidcSite, userIdOf } from '../../support/oidc/site.js';
import { auditEvents, titles } from '../../support/organizations/audit-log.js';
import { invite, pathOf, sendPassword } from '../../support/organizations/invitations.js';

const sql = <T extends object>(text: string, values: unknown[]): Promise<T[]> =>
  query<T & Record<string, unknown>>(testEnvironment().databaseUrl, text, values);

/** An account that a person made with a link, and all ways into it. */
interface Squatted {
  readonly email: string;
  readonly userId: string;
  readonly browser: Browser;
  readonly api: Api;
  readonly device: Api;
}

async function squat(tenant: Tenant): Promise<Squatted> {
  const { email, link } = await invite(tenant);
  const browser = new Browser();
  await browser.open(pathOf(link));
  await sendPassword(browser);
  await enableTwoFactor(browser);
  await browser.open('/settings/tokens');
  const { html } = await browser.submit('/settings/tokens', { name: 'Mine', expires: 'never' });
  const token = /class="secret">(ca_[0-9a-f]{48})</.exec(html)?.[1] ?? '';
  const [user] = await sql<{ id: string }>('SELECT id FROM users WHERE email = $1', [email]);
  const userId = user?.id ?? '';
  const device = new Api(browser.origin, await createDeviceSession(userId));
  return { email, userId, browser, api: new Api(browser.origin, token), device };
}

describe('an account whose address was never verified', () => {
  let site: OidcSite;
  let tenant: Tenant;
  beforeAll(async () => {
    site = await startOidcSite();
    tenant = await createTenant();
  });
  afterAll(() => site.stop());

  it('belongs to the owner of the address from the first verified sign-in on', async () => {
    const squatted = await squat(tenant);
    const { email, userId } = squatted;
    // A program that was approved and has not fetched its session yet.
    const anonymous = new Api(testEnvironment().origin, null);
    const { body } = await anonymous.request('post', '/v1/sessions/codes').send({});
    const { id: code } = body as { id: string };
    await sql(
      `UPDATE session_codes SET status = 'approved', user_id = $1, method = 'password' WHERE code = $2`,
      [userId, (body as { code: string }).code],
    );
    for (const api of [squatted.api, squatted.device]) {
      expect((await api.get('/v1/users/me')).body).toMatchObject({ emailVerified: false });
    }

    const user = site.provider.createUser({ email });
    const visitor = site.newVisitor();
    const shown = await visitor.signIn();
    // Without the proof that only the other person could give.
    expect(shown.html).not.toContain('Link your account');
    expect(shown.html).toContain(email);
    expect(await userIdOf(site.provider, user.sub)).toBe(userId);

    for (const api of [squatted.api, squatted.device])
      expect((await api.get('/v1/users/me')).status).toBe(401);
    expect((await squatted.browser.request('GET', '/settings/tokens')).location).toMatch(/^\/login\?/);
    expect((await anonymous.post('/v1/sessions', { code, provider: 'code' })).status).toBe(404);
    const again = new Browser();
    await again.open('/login');
    expect((await again.submit('/login', { email, password: PASSWORD })).status).toBe(422);
    for (const table of ['passwords', 'tokens', 'two_factors', 'recovery_codes']) {
      expect(await sql(`SELECT FROM ${table} WHERE user_id = $1`, [userId])).toEqual([]);
    }
    expect(await sessionsOf(userId)).toMatchObject([{ kind: 'browser', method: 'oidc' }]);
    expect(await sql('SELECT email_verified, two_factor_enabled FROM users WHERE id = $1', [userId])).toEqual(
      [{ email_verified: true, two_factor_enabled: false }],
    );
    // The membership was for the address, so it stays.
    expect(await sql('SELECT role FROM members WHERE user_id = $1', [userId])).toEqual([{ role: 'member' }]);
    const events = (await auditEvents(tenant)).filter(({ operation }) => operation === 'Oidc_finish');
    expect(new Set(titles(events))).toEqual(
      new Set([
        'password deleted',
        'recovery-code deleted',
        'session created',
        'session deleted',
        'token deleted',
        'two-factor deleted',
        'user updated',
        'user-identity created',
      ]),
    );
    // From then on it is an account like any other.
    expect((await site.newVisitor().signIn()).html).toContain(email);
  });

  it('stays as it is when the provider has not verified the address', async () => {
    const { email, userId, api } = await squat(tenant);
    site.provider.createUser({ email, email_verified: false });
    expect((await site.newVisitor().signIn()).status).toBe(403);
    expect((await api.get('/v1/users/me')).body).toMatchObject({ id: userId, emailVerified: false });
  });

  it('gets a new session in the browser of its own user, too', async () => {
    const { email, link } = await invite(tenant);
    const browser = new Browser(site.server.origin);
    await browser.open(pathOf(link));
    await sendPassword(browser);
    site.provider.createUser({ email });
    const visitor = site.newVisitor();
    visitor.jar().set('slipway', browser.cookie?.split('=')[1] ?? '');
    const shown = await visitor.follow('/login/oidc?confirm=yes&next=%2Fsettings%2Fsessions');
    expect(shown.status).toBe(200);
    expect(shown.html).toContain('signed in with Acme');
  });

  it('finds the provider on the page of a link', async () => {
    const { link } = await invite(tenant);
    const { html } = await new Browser(site.server.origin).open(pathOf(link));
    expect(html).toContain('href="/login/oidc?next=%2Fsettings%2Finvitations"');
  });
});

describe('an invitation where only the provider signs in', () => {
  let site: OidcSite;
  beforeAll(async () => {
    site = await startOidcSite({ LOCAL_SIGN_IN: 'false' });
  });
  afterAll(() => site.stop());

  it('has no link, and an earlier one leads to the provider', async () => {
    const tenant = await createTenant();
    const earlier = await invite(tenant);
    const there = {
      ...tenant,
      owner: { ...tenant.owner, api: new Api(site.server.origin, tenant.owner.token) },
    };
    expect((await invite(there)).link).toBeNull();
    const browser = new Browser(site.server.origin);
    const { html } = await browser.open(pathOf(earlier.link));
    expect(html).toContain('href="/login/oidc?next=%2Fsettings%2Finvitations"');
    expect(html).not.toContain('type="password"');
    const user = site.provider.createUser({ email: earlier.email });
    const visitor = site.newVisitor();
    const shown = await visitor.signIn('/settings/invitations');
    expect(shown.html).toContain(`Tenant ${tenant.owner.userId}`);
    const accepting = visitor.browser();
    await accepting.open('/settings/invitations');
    await accepting.submit('/settings/invitations/accept');
    const userId = await userIdOf(site.provider, user.sub);
    const rows = await sql('SELECT role FROM members WHERE user_id = $1', [userId]);
    expect(rows).toEqual([{ role: 'member' }]);
  });
});
