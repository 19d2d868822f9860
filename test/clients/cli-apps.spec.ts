import { v7 as uuid } from 'uuid';
import { createApp } from '../builders/app.js';
import { createMember, createTenant } from '../builders/identities.js';
import { Cli } from '../support/processes/cli.js';

it('creates, lists, gets and deletes apps', async () => {
  const { organizationId, owner } = await createTenant();
  const cli = await Cli.create(owner.token);
  const inOrganization = ['--organization-id', organizationId];
  const [{ id }, printed] = await Promise.all([
    cli.json<{ id: string }>('apps:create', '--name', 'Shop', ...inOrganization),
    cli.succeed('apps:create', '--name', 'Kiosk', '--type', 'cordova', ...inOrganization),
  ]);
  const [, otherId = ''] = /App ID: ([0-9a-f-]{36})/.exec(printed) ?? [];

  const [list, page, one] = await Promise.all([
    cli.json<{ id: string }[]>('apps:list', ...inOrganization),
    cli.json<{ id: string }[]>('apps:list', '--limit', '1', ...inOrganization),
    cli.json('apps:get', '--app-id', id),
  ]);
  expect(list.map((app) => app.id).toSorted()).toEqual([id, otherId].toSorted());
  expect(page).toEqual(list.slice(0, 1));
  expect(one).toEqual((await owner.api.get(`/v1/apps/${id}`)).body);
  expect(one).toMatchObject({ id, name: 'Shop', type: 'capacitor', organizationId });
  expect((await owner.api.get(`/v1/apps/${otherId}`)).body).toMatchObject({ name: 'Kiosk', type: 'cordova' });

  const [table] = await Promise.all([
    cli.succeed('apps:get', '--app-id', otherId),
    cli.succeed('apps:delete', '--app-id', id, '--yes'),
  ]);
  expect(table).toContain('Kiosk');
  expect((await owner.api.get(`/v1/apps/${id}`)).status).toBe(404);
});

it('prints why an app is not created or listed', async () => {
  const { organizationId, owner } = await createTenant();
  const cli = await Cli.create(owner.token);
  const [blank, nowhere, malformed] = await Promise.all([
    cli.run('apps:create', '--name', '   ', '--organization-id', organizationId),
    cli.run('apps:create', '--name', 'Shop', '--organization-id', uuid()),
    cli.run('apps:list', '--organization-id', 'nowhere'),
  ]);
  expect(blank).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('name must be') });
  expect(nowhere).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Organization not found.') });
  expect(malformed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('must be a UUID.') });
  expect((await owner.api.get(`/v1/apps?organizationId=${organizationId}`)).body).toEqual([]);
});

it('finds nothing in the app of another organization', async () => {
  const [mine, theirs] = await Promise.all([createTenant(), createTenant()]);
  const { body } = await theirs.owner.api.post('/v1/apps', { name: 'Theirs' });
  const cli = await Cli.create(mine.owner.token);
  const results = await Promise.all([
    cli.run('apps:delete', '--app-id', body.id, '--yes'),
    cli.run('apps:channels:list', '--app-id', body.id),
  ]);
  for (const result of results) {
    expect(result).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('App not found.') });
  }
  expect((await theirs.owner.api.get(`/v1/apps/${body.id}`)).status).toBe(200);
});

it('refuses to create and delete apps for a member who only uses them', async () => {
  const app = await createApp();
  const { organizationId } = app.tenant;
  const member = await createMember(app.tenant, 'member');
  const cli = await Cli.create(member.token);
  const [create, remove, list] = await Promise.all([
    cli.run('apps:create', '--name', 'Kiosk', '--organization-id', organizationId),
    cli.run('apps:delete', '--app-id', app.id, '--yes'),
    cli.json('apps:list', '--organization-id', organizationId),
  ]);
  for (const refused of [create, remove]) {
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Not authorized.') });
  }
  expect(list).toMatchObject([{ id: app.id }]);
});
