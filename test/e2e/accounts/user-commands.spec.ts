import { createActor, createMember, createTenant } from '../../builders/identities.js';
import { createPerson, PASSWORD } from '../../builders/person.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { userCommand } from '../../support/accounts/user-commands.js';
import { Browser } from '../../support/http/browser.js';
import { type ProgramResult, runProgram } from '../../support/processes/programs.js';
import { uniqueName } from '../../support/unique-name.js';

const { databaseUrl, origin } = testEnvironment();

const newEmail = (): string => `${uniqueName('user').toLowerCase()}@example.com`;
const run = (name: string, args: string[], env: Readonly<Record<string, string>> = {}) =>
  runProgram(name, { databaseUrl }, { args, env });

/** Path and query of the link that a command printed. */
function linkOf({ out }: ProgramResult): string {
  const { pathname, search } = new URL(out.trim());
  return pathname + search;
}

async function setPassword(link: string): Promise<Browser> {
  const browser = new Browser();
  await browser.open(link);
  await browser.submit('/login/link', { password: PASSWORD, repeated: PASSWORD });
  return browser;
}

describe('slipway user create', () => {
  it('makes a verified user and a link, which signs the user in once', async () => {
    const email = newEmail();
    const created = await run('user create', ['--email', email.toUpperCase(), '--name', 'Ada'], {
      PUBLIC_URL: origin,
    });
    expect(created.code).toBe(0);
    expect(created.out).toMatch(new RegExp(`^${origin}/login/link\\?token=[\\w-]{32}\\n$`));
    expect(created.err).toContain(`The user ${email} is created.`);
    const browser = await setPassword(linkOf(created));
    expect((await browser.open('/')).html).toContain(email);
    const users = await query(databaseUrl, 'SELECT name, email_verified FROM users WHERE email = $1', [
      email,
    ]);
    expect(users).toEqual([{ name: 'Ada', email_verified: true }]);
    expect((await new Browser().open(linkOf(created))).status).toBe(410);
  });

  it('makes a link for a day, and another one for a user who cannot sign in yet', async () => {
    const email = newEmail();
    const first = await userCommand('create', email);
    const second = await userCommand('create', email);
    expect(second.err).toContain(`There is a user ${email}.`);
    for (const result of [first, second]) {
      expect((await new Browser().open(linkOf(result))).status).toBe(200);
    }
    const links = await query(
      databaseUrl,
      `SELECT round(extract(epoch FROM expires_at - now()) / 3600)::int AS hours
         FROM sign_in_links JOIN users ON users.id = user_id WHERE email = $1`,
      [email],
    );
    expect(links).toEqual([{ hours: 24 }, { hours: 24 }]);
    await setPassword(linkOf(first));
    expect((await new Browser().open(linkOf(second))).status).toBe(410);
  });

  it('says how to set a new password for a user who can sign in', async () => {
    const { email } = await createPerson();
    const { code, out, err } = await userCommand('create', email, undefined, { INSTALLATION: 'kubernetes' });
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(`kubectl exec -it deploy/slipway -- slipway password --email ${email}`);
  });

  it('makes the user a member of an organization', async () => {
    const { organizationId, owner } = await createTenant();
    const email = newEmail();
    const place = ['--organization', organizationId, '--role', 'viewer'];
    expect((await run('user create', ['--email', email, ...place])).code).toBe(0);
    const { body } = await owner.api.get(`/v1/organizations/${organizationId}/members?query=${email}`);
    expect(body).toMatchObject([{ role: 'viewer', user: { email } }]);
  });

  it('names the provider where passwords are switched off', async () => {
    const env = {
      LOCAL_SIGN_IN: 'false',
      OIDC_ISSUER: 'https://login.example.com',
      OIDC_CLIENT_ID: 'slipway',
      OIDC_CLIENT_SECRET: 'secret',
      OIDC_NAME: 'Acme',
      PUBLIC_URL: 'https://slipway.example.com',
    };
    const { code, out } = await userCommand('create', newEmail(), undefined, env);
    expect(code).toBe(0);
    expect(out).toContain('They sign in with Acme at https://slipway.example.com/login.');
    expect(out).not.toContain('token');
  });

  it.each([
    [[], '--email must be an e-mail address.'],
    [['--email', 'ada'], '--email must be an e-mail address.'],
    [['--email', 'ada@example.com', '--role', 'king'], '--role must be one of: owner, admin'],
    [['--email', 'ada@example.com', '--organization', '1'], '--organization must be the id'],
  ])('refuses %j', async (args, sentence) => {
    const { code, err } = await run('user create', args);
    expect(code).toBe(2);
    expect(err).toContain(sentence);
  });

  it('makes no user for an organization that does not exist', async () => {
    const email = newEmail();
    const place = ['--organization', '0199b0c2-7c1e-7bd3-a3c1-4c29f4a7d8aa'];
    const { code } = await run('user create', ['--email', email, ...place]);
    expect(code).toBe(1);
    expect(await query(databaseUrl, 'SELECT FROM users WHERE email = $1', [email])).toEqual([]);
  });
});

describe('slipway user list', () => {
  it('shows users with their organizations, as a table and as JSON', async () => {
    const tenant = await createTenant();
    const member = await createMember(tenant, 'viewer');
    await query(databaseUrl, 'UPDATE users SET name = $2, two_factor_enabled = true WHERE id = $1', [
      member.userId,
      'Ada\x1b[31m',
    ]);
    const { out } = await run('user list', []);
    const line = out.split('\n').find((each) => each.startsWith(member.email));
    expect(line).toMatch(/Ada \[31m +- +yes +- +Tenant .+ \(viewer\)$/);
    const json = JSON.parse((await run('user list', ['--json'])).out) as { id: string }[];
    expect(json.find(({ id }) => id === member.userId)).toMatchObject({
      email: member.email,
      twoFactorEnabled: true,
      disabledAt: null,
      organizations: [{ id: tenant.organizationId, role: 'viewer' }],
    });
  });
});

describe('slipway user disable', () => {
  it('refuses the last owner of an organization, and names it', async () => {
    const { owner } = await createTenant();
    const { code, err } = await userCommand('disable', owner.email);
    expect(code).toBe(1);
    expect(err).toBe(
      `The user is the last owner of "Tenant ${owner.userId}": make another member an owner first.\n`,
    );
    expect((await owner.api.get('/v1/users/me')).status).toBe(200);
  });

  it('says when there is nothing to do, and is undone by enable', async () => {
    const { email } = await createActor();
    expect((await userCommand('disable', email)).out).toContain(`${email} is disabled. Sessions`);
    expect((await userCommand('disable', email)).out).toBe(`${email} is disabled already.\n`);
    const again = await userCommand('create', email, undefined, { INSTALLATION: 'image' });
    expect(again.err).toContain(`docker exec -it <container> slipway user enable --email ${email}`);
    expect((await userCommand('enable', email)).out).toContain(`${email} is enabled`);
    expect((await userCommand('create', email)).code).toBe(0);
  });

  it('asks for the address of a user that there is', async () => {
    expect((await run('user disable', [])).code).toBe(2);
    const unknown = await userCommand('disable', 'nobody@example.com');
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('There is no user') as string });
  });

  it('is in the audit log of every organization of the user', async () => {
    const tenant = await createTenant();
    const member = await createMember(tenant, 'admin');
    await userCommand('disable', member.email);
    await userCommand('enable', member.email);
    const path = `/v1/organizations/${tenant.organizationId}/audit-events?objectType=user&objectId=${member.userId}`;
    const { body } = await tenant.owner.api.get(path);
    const time = expect.stringMatching(/^\d{4}-/) as string;
    expect(body).toMatchObject([
      { action: 'updated', actor: null, before: { disabledAt: time }, after: { disabledAt: null } },
      { action: 'updated', actor: null, before: { disabledAt: null }, after: { disabledAt: time } },
    ]);
  });
});

describe('slipway user verify', () => {
  it('lets a user with an address that was not verified accept invitations', async () => {
    const { owner, organizationId } = await createTenant();
    const user = await createActor();
    await query(databaseUrl, 'UPDATE users SET email_verified = false WHERE id = $1', [user.userId]);
    const body = { email: user.email, role: 'member' };
    const invited = await owner.api.post(`/v1/organizations/${organizationId}/invitations`, body);
    const accept = () => user.api.post(`/v1/invitations/${(invited.body as { id: string }).id}/accept`, {});
    expect((await accept()).status).toBe(403);
    const verified = await run('user verify', ['--email', user.email]);
    expect(verified).toMatchObject({ code: 0, out: `The address of ${user.email} is verified.\n` });
    expect((await accept()).status).toBe(200);
  });

  it('names an address without a user', async () => {
    const { code, err } = await run('user verify', ['--email', newEmail()]);
    expect(code).toBe(1);
    expect(err).toContain('There is no user');
  });
});
