import { type Actor, createMember, createTenant, memberIdOf } from '../../builders/identities.js';
import { createPerson, PASSWORD, signedInBrowser } from '../../builders/person.js';
import { createDeviceSession } from '../../builders/session.js';
import { enableTwoFactor } from '../../builders/two-factor.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { disableUser, enableUser, userCommand } from '../../support/accounts/user-commands.js';
import { recordedTypes } from '../../support/events/recorded-events.js';
import { Api } from '../../support/http/api.js';
import { Browser, type Shown } from '../../support/http/browser.js';
import { expectError } from '../../support/http/expect-error.js';
import { startOidcSite } from '../../support/oidc/site.js';

const { databaseUrl, origin } = testEnvironment();
const anonymous = new Api(origin, null);
const DISABLED = 'This account is disabled. Ask an administrator of this server.';

/** Everything with which a user can go on. */
const credentialsOf = async ({ userId }: Actor): Promise<unknown> =>
  query(
    databaseUrl,
    `SELECT 'session' AS what FROM sessions WHERE user_id = $1
     UNION ALL SELECT 'token' FROM tokens WHERE user_id = $1
     UNION ALL SELECT 'code' FROM session_codes WHERE user_id = $1
     UNION ALL SELECT 'link' FROM sign_in_links WHERE user_id = $1`,
    [userId],
  );

async function signIn({ email }: Actor, password = PASSWORD, browser = new Browser()): Promise<Shown> {
  await browser.open('/login');
  return browser.submit('/login', { email, password });
}

async function approvedCode(browser: Browser): Promise<string> {
  const { body } = await anonymous.request('post', '/v1/sessions/codes').send({});
  const { id, code } = body as { id: string; code: string };
  await browser.open('/login/device');
  await browser.submit('/login/device', { code, decision: 'approve' });
  return id;
}

describe('a disabled user', () => {
  it('has an event for each token that ends', async () => {
    const tenant = await createTenant();
    const ada = await createMember(tenant, 'viewer');
    await disableUser(ada.email);
    expect(await recordedTypes({ organizationId: tenant.organizationId })).toEqual([
      'member_added',
      'token_deleted',
    ]);
  });

  it('has no session, token or code any more, also when enabled again', async () => {
    const person = await createPerson();
    const browser = await signedInBrowser(person);
    const program = new Api(origin, await createDeviceSession(person.userId));
    const code = await approvedCode(browser);
    await disableUser(person.email);
    const expectAllRefused = async (): Promise<void> => {
      expectError(await person.api.get('/v1/users/me'), 401, 'invalid_token');
      expectError(await program.get('/v1/users/me'), 401, 'invalid_token');
      expect((await browser.request('GET', '/settings/sessions')).location).toBe(
        '/login?next=%2Fsettings%2Fsessions',
      );
      expectError(
        await anonymous.post('/v1/sessions', { code, provider: 'code' }),
        404,
        'session_code_not_found',
      );
      expect(await credentialsOf(person)).toEqual([]);
    };
    await expectAllRefused();
    await enableUser(person.email);
    await expectAllRefused();
    expect((await signIn(person)).html).toContain(person.email);
  });

  it('learns it only with the right password', async () => {
    const person = await createPerson();
    await disableUser(person.email);
    const wrong = await signIn(person, 'wrong password');
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('That is not right.');
    expect(wrong.html).not.toContain('disabled');
    const right = await signIn(person);
    expect(right.status).toBe(403);
    expect(right.html).toContain(DISABLED);
    expect(await credentialsOf(person)).toEqual([]);
  });

  it('cannot finish a sign-in with the second factor', async () => {
    const person = await createPerson();
    const authenticator = await enableTwoFactor(await signedInBrowser(person));
    await query(databaseUrl, 'UPDATE two_factors SET last_step = 0 WHERE user_id = $1', [person.userId]);
    const browser = new Browser();
    await signIn(person, PASSWORD, browser);
    await disableUser(person.email);
    const shown = await browser.submit('/login/second-factor', { code: authenticator.code() });
    expect(shown.status).toBe(403);
    expect(shown.html).toContain(DISABLED);
  });

  it('cannot sign in with OpenID Connect, neither with a linked identity nor with a new one', async () => {
    const site = await startOidcSite({ OIDC_LINK_WITHOUT_PROOF: 'true' });
    try {
      const linked = await createPerson();
      const user = site.provider.createUser({ email: linked.email });
      expect((await site.newVisitor().signIn()).status).toBe(200);
      await disableUser(linked.email);
      const visitor = site.newVisitor();
      const shown = await visitor.signIn();
      expect(shown.status).toBe(403);
      expect(shown.html).toContain(DISABLED);
      expect(visitor.cookie).toMatch(/^anon_/);
      expect(await credentialsOf(linked)).toEqual([]);
      expect(user.email).toBe(linked.email);

      const unlinked = await createPerson();
      await disableUser(unlinked.email);
      site.provider.createUser({ email: unlinked.email });
      expect((await site.newVisitor().signIn()).html).toContain(DISABLED);
      const identities = await query(databaseUrl, 'SELECT FROM user_identities WHERE user_id = $1', [
        unlinked.userId,
      ]);
      expect(identities).toEqual([]);
    } finally {
      await site.stop();
    }
  });

  it('cannot use a link', async () => {
    const email = `link-${Date.now()}@example.com`;
    const { out } = await userCommand('create', email);
    const browser = new Browser();
    const { pathname, search } = new URL(out.trim());
    await browser.open(pathname + search);
    await disableUser(email);
    expect((await browser.open(pathname + search)).status).toBe(410);
    await enableUser(email);
    expect((await browser.open(pathname + search)).status).toBe(410);
  });

  it('keeps nothing of a sign-in, token or approval that runs while it is disabled', async () => {
    for (let round = 0; round < 3; round++) {
      const person = await createPerson();
      const browser = await signedInBrowser(person);
      let isDone = false;
      const repeat = async (work: () => Promise<unknown>): Promise<void> => {
        while (!isDone) await work();
      };
      await Promise.all([
        disableUser(person.email).finally(() => (isDone = true)),
        repeat(() => signIn(person)),
        repeat(() => person.api.post('/v1/tokens', { name: 'Race' })),
        repeat(() => approvedCode(browser).catch(() => undefined)),
      ]);
      expect(await credentialsOf(person)).toEqual([]);
    }
  });
});

describe('a disabled owner', () => {
  async function createOwners() {
    const tenant = await createTenant();
    const second = await createMember(tenant, 'owner');
    const path = `/v1/organizations/${tenant.organizationId}`;
    return { tenant, second, path, firstId: await memberIdOf(tenant, tenant.owner) };
  }

  it('does not count when another owner leaves, is removed or gets another role', async () => {
    const { tenant, second, path, firstId } = await createOwners();
    const { api } = tenant.owner;
    await disableUser(second.email);
    expectError(await api.post(`${path}/leave`), 409, 'last_owner');
    expectError(await api.delete(`${path}/members/${firstId}`), 409, 'last_owner');
    expectError(await api.patch(`${path}/members/${firstId}`, { role: 'admin' }), 409, 'last_owner');
    expect((await userCommand('disable', tenant.owner.email)).code).toBe(1);
    // The disabled one can be removed.
    expect((await api.delete(`${path}/members/${second.memberId}`)).status).toBe(204);
  });

  it('does not become the only one', async () => {
    const { tenant, path } = await createOwners();
    const member = await createMember(tenant, 'admin');
    const single = await createTenant();
    const own = `/v1/organizations/${single.organizationId}`;
    const other = await createMember(single, 'admin');
    await disableUser(other.email);
    const body = { memberId: other.memberId };
    expectError(await single.owner.api.post(`${own}/transfer-ownership`, body), 409, 'last_owner');
    expect((await single.owner.api.get(`${own}/members?role=owner`)).body).toMatchObject([
      { userId: single.owner.userId },
    ]);
    // With another owner who can sign in, the ownership may go to a disabled user.
    await disableUser(member.email);
    const toDisabled = { memberId: member.memberId };
    expect((await tenant.owner.api.post(`${path}/transfer-ownership`, toDisabled)).status).toBe(200);
  });

  it('is never the only one, when two owners are disabled, or one leaves while the other is disabled', async () => {
    for (let round = 0; round < 4; round++) {
      const { tenant, second, path } = await createOwners();
      const results = await Promise.all([
        userCommand('disable', tenant.owner.email),
        round % 2 === 0 ? userCommand('disable', second.email) : leaveDuring(second, path),
      ]);
      const enabled = await query(
        databaseUrl,
        `SELECT FROM members JOIN users ON users.id = user_id
          WHERE organization_id = $1 AND role = 'owner' AND disabled_at IS NULL`,
        [tenant.organizationId],
      );
      expect([enabled.length, results.length]).toEqual([1, 2]);
    }
  });

  /** Leaves as soon as it can within the start of the other command. */
  async function leaveDuring({ api }: Actor, path: string): Promise<unknown> {
    await new Promise((resolve) => setTimeout(resolve, 400 + Math.random() * 600));
    return api.post(`${path}/leave`);
  }
});
