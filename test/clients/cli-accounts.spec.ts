import { Cli } from '../support/cli.js';
import { createActor, createTenant } from '../support/identities.js';

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
