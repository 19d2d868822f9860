import { createApp, type TestApp } from '../builders/app.js';
import { createChannel } from '../builders/channel.js';
import { createEnvironment } from '../builders/environment.js';
import { Cli } from '../support/processes/cli.js';

let app: TestApp;
let cli: Cli;

beforeEach(async () => {
  app = await createApp();
  cli = await Cli.create(app.tenant.owner.token);
});

const command = (verb: string, ...args: string[]): string[] => [
  `apps:automations:${verb}`,
  '--app-id',
  app.id,
  ...args,
];

it('automations are created by names, changed, cleared, found by name and deleted', async () => {
  const channel = await createChannel(app);
  const environment = await createEnvironment(app);
  const uses = ['--channel', channel.name, '--environment', environment.name];
  const trigger = [
    '--trigger-type',
    'branch',
    '--trigger-pattern',
    'main',
    '--commit-message-pattern',
    'fix*',
  ];
  const { id } = await cli.json<{ id: string }>(
    ...command(
      'create',
      '--name',
      'Deploy',
      '--platform',
      'web',
      '--stack',
      'macos-tahoe',
      ...uses,
      ...trigger,
    ),
  );
  const expected = {
    id,
    name: 'Deploy',
    enabled: true,
    triggerPattern: 'main',
    triggerPatterns: ['main'],
    commitMessagePattern: 'fix*',
    buildStack: 'macos-tahoe',
    appChannelId: channel.id,
    appChannelIds: [channel.id],
    appEnvironmentId: environment.id,
  };
  expect(await cli.json(...command('get', '--name', 'deploy'))).toMatchObject(expected);
  expect(await cli.json(...command('list', '--platform', 'web', '--limit', '5'))).toMatchObject([expected]);
  expect(await cli.json(...command('list', '--platform', 'ios'))).toEqual([]);
  const cleared = ['channel', 'environment', 'commit-message-pattern', 'trigger-pattern'];
  await cli.succeed(
    ...command('update', '--automation-id', id, '--name', 'Build', ...cleared.map((each) => `--${each}=`)),
  );
  expect(await cli.json(...command('get', '--automation-id', id))).toMatchObject({
    name: 'Build',
    triggerPattern: null,
    triggerPatterns: [],
    commitMessagePattern: null,
    appChannelId: null,
    appChannelIds: [],
    appEnvironmentId: null,
  });
  await cli.succeed(...command('delete', '--name', 'Build', '--yes'));
  expect((await app.api.get(`${app.path}/automations`)).body).toEqual([]);
});

it('says what is wrong with an automation', async () => {
  const of = (...args: string[]): string[] => command('create', '--name', 'x', ...args);
  const results = [
    await cli.run(...of('--platform', 'web', '--trigger-type', 'branch', '--channel', 'nowhere')),
    await cli.run(...of('--platform', 'android', '--trigger-type', 'tag', '--type', 'simulator')),
  ];
  expect(results).toMatchObject([
    { exitCode: 1, stderr: expect.stringContaining('Channel not found.') },
    { exitCode: 1, stderr: expect.stringContaining('buildType must be a type of android builds.') },
  ]);
});
