import { createApp } from '../builders/app.js';
import { createMember, createTenant } from '../builders/identities.js';
import { Cli, type CliResult } from '../support/processes/cli.js';

const ENTER = '\r';
const DOWN = '\u001b[B';

const transfer = (cli: Cli, appId: string, organizationId: string): Promise<CliResult> =>
  cli.run('apps:transfer', '--app-id', appId, '--organization-id', organizationId, '--yes');

const refused = (message: string): object => ({ exitCode: 1, stderr: expect.stringContaining(message) });

it('transfers an app to another organization of the caller', async () => {
  const app = await createApp();
  const target = await app.api.post('/v1/organizations', { name: 'Target' });
  const cli = await Cli.create(app.tenant.owner.token);
  expect(await transfer(cli, app.id, target.body.id)).toMatchObject({ exitCode: 0 });
  expect((await app.api.get(app.path)).body).toMatchObject({ organizationId: target.body.id });
});

it('asks in a terminal which app to transfer where', async () => {
  const app = await createApp();
  // By name, it is the second of the caller's organizations.
  const target = await app.api.post('/v1/organizations', { name: 'Zoo' });
  const cli = await Cli.create(app.tenant.owner.token);
  const terminal = cli.inTerminal('apps:transfer');
  await terminal.waitFor(/Which organization does the app belong to/);
  terminal.type(ENTER);
  await terminal.waitFor(/Which app/i);
  terminal.type(ENTER);
  await terminal.waitFor(/Which organization do you want to transfer the app to/);
  terminal.type(DOWN);
  terminal.type(ENTER);
  await terminal.waitFor(/Are you sure you want to transfer this app/);
  terminal.type(ENTER);
  expect(await terminal.end()).toMatchObject({ exitCode: 0 });
  expect((await app.api.get(app.path)).body).toMatchObject({ organizationId: target.body.id });
});

it('prints why an app cannot be transferred, and leaves it where it is', async () => {
  const [app, foreign] = await Promise.all([createApp(), createApp()]);
  const { organizationId, owner } = app.tenant;
  const cli = await Cli.create(owner.token);
  const [malformed, elsewhere, theirs] = await Promise.all([
    transfer(cli, app.id, 'nowhere'),
    transfer(cli, app.id, foreign.tenant.organizationId),
    transfer(cli, foreign.id, organizationId),
  ]);
  expect(malformed).toMatchObject(refused('organizationId must be a UUID.'));
  expect(elsewhere).toMatchObject(refused('Organization not found.'));
  expect(theirs).toMatchObject(refused('App not found.'));
  expect((await app.api.get(app.path)).body).toMatchObject({ organizationId });
});

it('refuses who may not change apps in both organizations', async () => {
  const app = await createApp();
  const { organizationId } = app.tenant;
  const [target, member] = await Promise.all([createTenant(), createMember(app.tenant, 'member')]);
  const own = await member.api.post('/v1/organizations', { name: 'Own' });
  const admin = await createMember(app.tenant, 'admin');
  const invited = await target.owner.api.post(`/v1/organizations/${target.organizationId}/invitations`, {
    email: admin.email,
    role: 'member',
  });
  expect((await admin.api.post(`/v1/invitations/${invited.body.id}/accept`)).status).toBe(200);

  const [fromSource, toTarget] = await Promise.all([
    transfer(await Cli.create(member.token), app.id, own.body.id),
    transfer(await Cli.create(admin.token), app.id, target.organizationId),
  ]);
  expect(fromSource).toMatchObject(refused('Not authorized.'));
  expect(toTarget).toMatchObject(refused('Not authorized.'));
  expect((await app.api.get(app.path)).body).toMatchObject({ organizationId });
});
