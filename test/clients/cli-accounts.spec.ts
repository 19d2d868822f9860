import { createActor, createMember, createTenant, setTwoFactor } from '../builders/identities.js';
import { createToken } from '../builders/token.js';
import { Cli } from '../support/processes/cli.js';

it('shows who a token belongs to, and refuses a wrong or missing one', async () => {
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
  const [list, page, table, one] = await Promise.all([
    cli.json<{ id: string }[]>('organizations:list'),
    cli.json<{ id: string }[]>('organizations:list', '--limit', '1', '--offset', '1'),
    cli.succeed('organizations:list'),
    cli.json<{ id: string }>('organizations:get', '--organization-id', id),
  ]);
  expect(list.map((organization) => organization.id).toSorted()).toEqual([id, otherId].toSorted());
  expect(page).toEqual([list[1]]);
  expect(table).toContain(id);
  expect(table).toContain('Berta');
  expect(one).toMatchObject({ id, name: 'Anna & Söhne' });
  expect((await actor.api.get('/v1/organizations')).body).toEqual(list);
});

it('prints why an organization is not created, found or listed', async () => {
  const [{ organizationId, owner }, other] = await Promise.all([createTenant(), createTenant()]);
  const cli = await Cli.create(owner.token);
  const [blank, foreign, page] = await Promise.all([
    cli.run('organizations:create', '--name', '   '),
    cli.run('organizations:get', '--organization-id', other.organizationId),
    cli.run('organizations:list', '--limit', '0'),
  ]);
  expect(blank).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('name must be 1 to 128') });
  expect(foreign).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Organization not found.') });
  expect(page).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('limit must be at least 1.') });
  expect((await owner.api.get('/v1/organizations')).body).toMatchObject([{ id: organizationId }]);
});

it('prints which permission a token lacks', async () => {
  const { owner } = await createTenant();
  const [reader, narrow] = await Promise.all([
    createToken(owner.api, { permissions: 'read-only' }),
    createToken(owner.api, { permissions: ['apps:read'] }),
  ]);
  const [create, whoami] = await Promise.all([
    (await Cli.create(reader.token)).run('organizations:create', '--name', 'Berta'),
    (await Cli.create(narrow.token)).run('whoami'),
  ]);
  const refused = (permission: string): object => ({
    exitCode: 1,
    stderr: expect.stringContaining(`The token does not allow ${permission} here.`),
  });
  expect(create).toMatchObject(refused('account:write'));
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
});

it('says that an organization requires a second factor, and where to set it up', async () => {
  const tenant = await createTenant();
  const path = `/v1/organizations/${tenant.organizationId}`;
  await setTwoFactor(tenant.owner, true);
  expect((await tenant.owner.api.patch(path, { twoFactorRequired: true })).status).toBe(200);
  const cli = await Cli.create((await createMember(tenant, 'admin')).token);
  const [apps, list] = await Promise.all([
    cli.run('apps:list', '--organization-id', tenant.organizationId),
    cli.json('organizations:list'),
  ]);
  expect(apps).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/requires two-factor authentication.*\/settings\/two-factor/),
  });
  expect(list).toMatchObject([{ id: tenant.organizationId, twoFactorRequired: true }]);
});
