import { v7 as uuid } from 'uuid';
import { createActor, createMember, createTenant, setTwoFactor } from '../builders/identities.js';
import { createToken } from '../builders/token.js';
import { Cli } from '../support/processes/cli.js';

it('tells who a token belongs to, and that a token is wrong or missing', async () => {
  const actor = await createActor();
  const wrongToken = `${actor.token.slice(0, -1)}${actor.token.endsWith('a') ? 'b' : 'a'}`;
  const [good, padded, wrong, none] = await Promise.all(
    [actor.token, ` ${actor.token}\n`, wrongToken, null].map(async (token) =>
      (await Cli.create(token)).run('whoami'),
    ),
  );
  expect(good).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(actor.email) });
  expect(padded).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(actor.email) });
  expect(wrong).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Token is invalid') });
  expect(none).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Not logged in') });
});

it('refuses a token that has expired', async () => {
  const actor = await createActor(undefined, new Date(Date.now() - 1000));
  const cli = await Cli.create(actor.token);
  expect(await cli.run('organizations:list')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('Your token is no longer valid'),
  });
});

it('creates, lists and gets organizations', async () => {
  const actor = await createActor();
  const cli = await Cli.create(actor.token);
  const [{ id }, printed] = await Promise.all([
    cli.json<{ id: string }>('organizations:create', '--name', 'Anna & Söhne'),
    cli.succeed('organizations:create', '--name', 'Berta'),
  ]);
  const [, otherId] = /Organization ID: ([0-9a-f-]{36})/.exec(printed) ?? [];
  const [list, page, one] = await Promise.all([
    cli.json<{ id: string }[]>('organizations:list'),
    cli.json<{ id: string }[]>('organizations:list', '--limit', '1', '--offset', '1'),
    cli.json<{ id: string }>('organizations:get', '--organization-id', id),
  ]);
  expect(list.map((organization) => organization.id).toSorted()).toEqual([id, otherId].toSorted());
  expect(page).toEqual([list[1]]);
  expect(one).toMatchObject({ id, name: 'Anna & Söhne' });
  expect((await actor.api.get('/v1/organizations')).body).toEqual(list);
});

it('does not show the organization of someone else', async () => {
  const [tenant, actor] = await Promise.all([createTenant(), createActor()]);
  const cli = await Cli.create(actor.token);
  const [get, list] = await Promise.all([
    cli.run('organizations:get', '--organization-id', tenant.organizationId),
    cli.json('organizations:list'),
  ]);
  expect(get).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Organization not found.') });
  expect(list).toEqual([]);
});

it('prints what is wrong with what is asked of organizations', async () => {
  const { organizationId, owner } = await createTenant();
  const cli = await Cli.create(owner.token);
  const [blank, long, malformed, unknown, page] = await Promise.all([
    cli.run('organizations:create', '--name', '   '),
    cli.run('organizations:create', '--name', 'x'.repeat(129)),
    cli.run('organizations:get', '--organization-id', 'nowhere'),
    cli.run('organizations:get', '--organization-id', uuid()),
    cli.run('organizations:list', '--limit', '0'),
  ]);
  expect(blank).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('name must be 1 to 128') });
  expect(long).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('name must be 1 to 128') });
  expect(malformed).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('Organization not found.'),
  });
  expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Organization not found.') });
  expect(page).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('limit must be at least 1.') });
  expect((await owner.api.get('/v1/organizations')).body).toMatchObject([{ id: organizationId }]);
});

it('shows organizations as a table, and pages beyond the end as empty', async () => {
  const { organizationId, owner } = await createTenant();
  const cli = await Cli.create(owner.token);
  const [list, one, beyond] = await Promise.all([
    cli.succeed('organizations:list'),
    cli.succeed('organizations:get', '--organization-id', organizationId),
    cli.json('organizations:list', '--limit', '1000', '--offset', '1'),
  ]);
  expect(list).toContain(organizationId);
  expect(one).toContain(organizationId);
  expect(beyond).toEqual([]);
});

it('tells which permission a token lacks', async () => {
  const { organizationId, owner } = await createTenant();
  const [reader, narrow] = await Promise.all([
    createToken(owner.api, { permissions: 'read-only' }),
    createToken(owner.api, { permissions: ['apps:read'] }),
  ]);
  const [create, get, whoami] = await Promise.all([
    (await Cli.create(reader.token)).run('organizations:create', '--name', 'Berta'),
    (await Cli.create(narrow.token)).run('organizations:get', '--organization-id', organizationId),
    (await Cli.create(narrow.token)).run('whoami'),
  ]);
  const refused = (permission: string): object => ({
    exitCode: 1,
    stderr: expect.stringContaining(`The token does not allow ${permission} here.`),
  });
  expect(create).toMatchObject(refused('account:write'));
  expect(get).toMatchObject(refused('organizations:read'));
  expect(whoami).toMatchObject(refused('account:read'));
});

it('signs in with an API token, which is still valid after it has signed out', async () => {
  const actor = await createActor();
  const cli = await Cli.create(null);
  const wrong = await cli.run('login', '--token', `ca_${'0'.repeat(48)}`);
  expect(wrong).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Invalid token') });
  expect((await cli.run('whoami')).exitCode).toBe(1);

  expect(await cli.succeed('login', '--token', actor.token)).toContain('Successfully signed in');
  expect(await cli.succeed('whoami')).toContain(actor.email);
  expect(await cli.succeed('logout')).toContain('Successfully signed out');
  expect(await cli.run('whoami')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('Not logged in'),
  });
  expect((await actor.api.get('/v1/users/me')).status).toBe(200);
  await cli.succeed('logout');
});

it('says that an organization requires a second factor, and where to set it up', async () => {
  const tenant = await createTenant();
  const path = `/v1/organizations/${tenant.organizationId}`;
  await setTwoFactor(tenant.owner, true);
  expect((await tenant.owner.api.patch(path, { twoFactorRequired: true })).status).toBe(200);
  const cli = await Cli.create((await createMember(tenant, 'admin')).token);
  const [get, list, apps] = await Promise.all([
    cli.run('organizations:get', '--organization-id', tenant.organizationId),
    cli.json('organizations:list'),
    cli.run('apps:list', '--organization-id', tenant.organizationId),
  ]);
  for (const refused of [get, apps]) {
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/requires two-factor authentication.*\/settings\/two-factor/),
    });
  }
  expect(list).toMatchObject([{ id: tenant.organizationId, twoFactorRequired: true }]);
});
