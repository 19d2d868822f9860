import { v7 as uuid } from 'uuid';
import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant, type Tenant } from '../../builders/identities.js';
import { createRunner, TestRunner, queueJobs } from '../../builders/runner.js';
import { Api } from '../../support/http/api.js';
import { type ProgramResult, runProgram } from '../../support/processes/programs.js';
import { OwnSite } from '../../support/servers/own-site.js';

let site: OwnSite;
let tenant: Tenant;
let app: TestApp;

beforeAll(async () => {
  site = await OwnSite.start({ RUNNING_JOBS_PER_ORGANIZATION: '7' });
  tenant = await createTenant(site);
  app = await createApp(tenant);
});
afterAll(() => site.dispose());

const run = (name: string, ...args: string[]): Promise<ProgramResult> =>
  runProgram(name, site, { args, env: { RUNNING_JOBS_PER_ORGANIZATION: '7' } });

describe('slipway runner:create', () => {
  const create = (...args: string[]): Promise<ProgramResult> => run('runner:create', ...args);

  /** The registered runner behind what the command prints. */
  async function registered({ code, out, err }: ProgramResult): Promise<TestRunner> {
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(/^Runner [\da-f-]{36} is registered\. /),
    });
    expect(out).toMatch(/^\S{30,}\n$/);
    const [, id = ''] = /^Runner (\S+)/.exec(err) ?? [];
    return new TestRunner(id, new Api(site.origin, out.trim()));
  }

  it('registers a runner for all organizations, which needs a sandbox', async () => {
    const result = await create('--name', '  Shared builders ');
    const runner = await registered(result);
    expect(result.err).toContain('It serves all organizations and refuses to start without a sandbox.');
    const session = await runner.open();
    expect([session.status, session.body]).toMatchObject([
      201,
      { runnerId: runner.id, sandboxRequired: true },
    ]);
    // Jobs of any organization.
    for (const each of [app, await createApp(await createTenant(site))]) {
      const [jobId] = await queueJobs(each, 1, {}, site);
      expect((await runner.claim()).body).toMatchObject({ job: { id: jobId, appId: each.id } });
    }
    const [row] = await site.query(
      'SELECT name, organization_id, created_by, labels FROM runners WHERE id = $1',
      [runner.id],
    );
    expect(row).toEqual({ name: 'Shared builders', organization_id: null, created_by: null, labels: [] });
    // It is the operator's: organizations see it, and cannot change it.
    const path = `/v1/organizations/${tenant.organizationId}/runners/${runner.id}`;
    expect((await tenant.owner.api.get(path)).body).toMatchObject({ name: 'Shared builders', shared: true });
    expect((await tenant.owner.api.delete(path)).status).toBe(404);
    await site.query('DELETE FROM runners WHERE id = $1', [runner.id]);
  });

  it('registers a runner of one organization, with labels', async () => {
    const result = await create(
      '--name',
      'Office',
      `--organization=${tenant.organizationId.toUpperCase()}`,
      '--label=large',
      '--label',
      'vpn',
      '--label=large',
    );
    const runner = await registered(result);
    expect(result.err).toContain(`It serves the organization ${tenant.organizationId}.`);
    expect((await runner.open()).body).toMatchObject({ sandboxRequired: false });
    const { body } = await tenant.owner.api.get(
      `/v1/organizations/${tenant.organizationId}/runners/${runner.id}`,
    );
    expect(body).toMatchObject({ name: 'Office', labels: ['large', 'vpn'], appIds: null, platforms: null });
    const stranger = await createApp(await createTenant(site));
    await queueJobs(stranger, 1, {}, site);
    const [jobId] = await queueJobs(app, 1, { labels: ['vpn'] }, site);
    expect((await runner.claim()).body).toMatchObject({ job: { id: jobId } });
  });

  it('refuses an organization that does not exist', async () => {
    const { code, out, err } = await create('--name', 'Office', '--organization', uuid());
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: 'Organization not found.\n' });
  });

  it.each([
    ['no name', [], '--name must be 1 to 128 characters long.'],
    ['a blank name', ['--name', ' '], '--name must be 1 to 128 characters long.'],
    ['a long name', ['--name', 'x'.repeat(129)], '--name must be 1 to 128 characters long.'],
    [
      'an organization by name',
      ['--name', 'x', '--organization', 'Acme'],
      '--organization must be the id of an organization.',
    ],
    ['an empty label', ['--name', 'x', '--label', ''], '--label must consist of 1 to 63 letters'],
    ['a label with a space', ['--name', 'x', '--label', 'a b'], '--label must consist of 1 to 63 letters'],
    ['a long label', ['--name', 'x', '--label', 'x'.repeat(64)], '--label must consist of 1 to 63 letters'],
    [
      'many labels',
      ['--name', 'x', ...Array.from({ length: 33 }, (_, n) => `--label=l${n}`)],
      '--label must consist of 1 to 63 letters',
    ],
    ['an operand', ['--name', 'x', 'more'], 'more'],
    ['an unknown option', ['--name', 'x', '--platform', 'ios'], '--platform'],
  ])('refuses %s', async (_title, args, message) => {
    const { code, out, err } = await create(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
    expect(err).toContain('\nUsage: slipway runner:create [options]\n');
  });
});

describe('slipway jobs limit', () => {
  const limit = (...args: string[]): Promise<ProgramResult> => run('jobs limit', ...args);
  const shows = (queued: number, running: number, shown: string) => ({
    code: 0,
    out: `Queued: ${queued}. Running: ${running}. Limit: ${shown}.\n`,
    err: '',
  });

  it('shows, sets and removes the limit of an organization, which applies at once', async () => {
    const own = await createApp(await createTenant(site));
    const { organizationId } = own.tenant;
    const of = ['--organization', organizationId];
    expect(await limit(...of)).toEqual(shows(0, 0, '7'));
    await queueJobs(own, 4, {}, site);
    const runner = await createRunner(own.tenant);
    expect(await limit(...of, '--running', '1')).toEqual(shows(4, 0, '1'));
    expect((await runner.claim()).status).toBe(200);
    // The next one has to wait, until the limit is higher.
    const second = runner.claim();
    expect(await limit(...of)).toEqual(shows(3, 1, '1'));
    expect(await limit(...of, '--running', '2')).toMatchObject({ code: 0 });
    expect((await second).status).toBe(200);
    // Jobs that run go on.
    expect(await limit(...of, '--running', '1')).toEqual(shows(2, 2, '1'));
    expect(await limit(...of, '--running', '0')).toEqual(shows(2, 2, 'none'));
    expect(await limit(...of, '--default')).toEqual(shows(2, 2, '7'));
  });

  it('shows, sets and removes the limit of an app', async () => {
    const own = await createApp(await createTenant(site));
    const other = await createApp(own.tenant);
    const of = ['--app', own.id.toUpperCase()];
    expect(await limit(...of)).toEqual(shows(0, 0, 'none'));
    await queueJobs(own, 2, {}, site);
    await queueJobs(other, 1, {}, site);
    expect(await limit(...of, '--running', '1')).toEqual(shows(2, 0, '1'));
    const runner = await createRunner(own.tenant);
    const apps: string[] = [];
    for (let claim = 0; claim < 2; claim++) {
      apps.push(((await runner.claim()).body as { job: { appId: string } }).job.appId);
    }
    expect(apps.sort()).toEqual([own.id, other.id].sort());
    const third = runner.claim();
    expect(await limit(...of)).toEqual(shows(1, 1, '1'));
    // The third one may start before the command counts.
    expect(await limit(...of, '--default')).toMatchObject({ code: 0, out: expect.stringContaining('none') });
    expect((await third).status).toBe(200);
  });

  it.each([
    ['--organization', 'Organization not found.\n'],
    ['--app', 'App not found.\n'],
  ])('refuses an unknown id of %s, to show and to set', async (option, message) => {
    for (const more of [[], ['--running', '3'], ['--default']]) {
      expect(await limit(option, uuid(), ...more)).toEqual({ code: 1, out: '', err: message });
    }
  });

  const ID = uuid();
  it.each([
    ['no id', [], 'Use --organization or --app with an id.'],
    ['a name', ['--app', 'Shop'], 'Use --organization or --app with an id.'],
    ['both ids', ['--app', ID, '--organization', ID], 'Use --organization or --app with an id.'],
    ['two limits', ['--app', ID, '--running', '1', '--default'], 'Use --running or --default, not both.'],
    ['a word', ['--app', ID, '--running', 'many'], '--running must be a number from 0 to 100000.'],
    ['a negative number', ['--app', ID, '--running=-1'], '--running must be a number from 0 to 100000.'],
    ['a fraction', ['--app', ID, '--running', '1.5'], '--running must be a number from 0 to 100000.'],
    ['a huge number', ['--app', ID, '--running', '100001'], '--running must be a number from 0 to 100000.'],
  ])('refuses %s', async (_title, args, message) => {
    const { code, out, err } = await limit(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe(`${message}\nUsage: slipway jobs limit [options]\n`);
  });
});
