import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Actor } from '../builders/identities.js';
import { createPerson, signedInBrowser } from '../builders/person.js';
import { testEnvironment } from '../setup/test-environment.js';
import { AndroidDevice } from '../support/devices/android.js';
import { IosDevice } from '../support/devices/ios.js';
import { Cli } from '../support/processes/cli.js';
import { installOlderClis, olderCli } from '../support/processes/older-clis.js';
import { uniqueName } from '../support/unique-name.js';

/** Installing them, when they are not there yet. */
beforeAll(installOlderClis, 300_000);

const ENTER = '\r';
/** What the server says of a manifest that is not whole: these versions may upload it while they still write it. */
const HALF_WRITTEN = /capawesome-live-update-manifest\.json is not JSON/;
const UPLOADS = 3;

/** What a version calls the commands of the story. */
interface Version {
  readonly name: string;
  readonly upload: readonly string[];
  /** What it prints before the id of the uploaded bundle. */
  readonly bundleId: RegExp;
  /** Keeps the newest bundle of a channel from devices. */
  readonly withdraw: (channel: string, bundleId: string) => readonly string[];
  /** Makes the devices of a channel return to an earlier bundle. */
  readonly goBack: (channel: string, bundleId: string) => readonly string[];
  /** Which one: the bundle before, or, where the newest is deleted, the last that was not withdrawn. */
  readonly returnsTo: 'first' | 'second';
}

const modern = {
  upload: ['apps:liveupdates:upload', '--yes'],
  bundleId: /Build Artifact ID: ([0-9a-f-]{36})/,
  withdraw: (channel: string) => ['apps:liveupdates:rollout', '--channel', channel, '--percentage', '0'],
  goBack: (channel: string) => ['apps:liveupdates:rollback', '--channel', channel, '--steps', '1'],
  returnsTo: 'second',
} as const;

const versions: readonly Version[] = [
  {
    name: '3.11.0',
    upload: ['apps:bundles:create'],
    bundleId: /Bundle ID: ([0-9a-f-]{36})/,
    withdraw: (_channel, bundleId) => ['apps:bundles:update', '--bundle-id', bundleId, '--rollout', '0'],
    goBack: (_channel, bundleId) => ['apps:bundles:delete', '--bundle-id', bundleId],
    returnsTo: 'first',
  },
  { name: '4.8.0', ...modern },
  { name: '4.17.2', ...modern },
];

describe.each(versions)('version $name', ({ name, upload, bundleId, withdraw, goBack, returnsTo }) => {
  let person: Actor;
  let cli: Cli;
  let appId: string;

  beforeAll(async () => {
    person = await createPerson();
    cli = await Cli.create(person.token, testEnvironment().origin, olderCli(name));
    const organizationId = await create(/Organization ID: (\S+)/, ['organizations:create', '--name', 'Acme']);
    appId = await create(/App ID: (\S+)/, [
      'apps:create',
      '--name',
      'Shop',
      '--organization-id',
      organizationId,
    ]);
  });

  /** Runs a command. @returns the id that it prints */
  async function create(id: RegExp, args: readonly string[]): Promise<string> {
    const [, found = ''] = id.exec(await cli.succeed(...args)) ?? [];
    return found;
  }

  const ofApp = (...[command = '', ...args]: readonly string[]): Promise<string> =>
    cli.succeed(command, '--app-id', appId, ...args);

  /** Publishes a page to a channel. @returns the id of the bundle */
  async function publish(channel: string, page: string, ...args: string[]): Promise<string> {
    await cli.write('www/index.html', page);
    await cli.write('www/assets/app.js', `show(${JSON.stringify(page)});`);
    const [command = '', ...options] = upload;
    const named = [command, '--app-id', appId, '--channel', channel, '--path', 'www', ...options, ...args];
    for (let tried = 1; ; tried++) {
      try {
        return await create(bundleId, named);
      } catch (error) {
        if (tried === UPLOADS || !HALF_WRITTEN.test(String(error))) throw error;
      }
    }
  }

  it('publishes zips, withdraws one and goes back', async () => {
    const channelName = uniqueName('production');
    await ofApp('apps:channels:create', '--name', channelName);
    const first = await publish(channelName, '1');
    const [android, ios] = [
      new AndroidDevice({ appId, channelName }),
      new IosDevice({ appId, channelName }),
    ] as const;
    for (const device of [android, ios]) expect(await device.sync()).toMatchObject({ bundleId: first });

    const second = await publish(channelName, '2');
    expect(await android.sync()).toMatchObject({ bundleId: second });
    expect(android.files.get('index.html')?.toString()).toBe('2');

    await ofApp(...withdraw(channelName, second));
    expect(await ios.sync()).toMatchObject({ bundleId: first, downloads: [] });

    const third = await publish(channelName, '3');
    for (const device of [android, ios]) expect(await device.sync()).toMatchObject({ bundleId: third });
    await ofApp(...goBack(channelName, third));
    const expected = { first, second }[returnsTo];
    for (const device of [android, ios]) expect(await device.sync()).toMatchObject({ bundleId: expected });
  });

  it('publishes signed files for some native versions, and devices download what has changed', async () => {
    const channelName = uniqueName('signed');
    await ofApp('apps:channels:create', '--name', channelName);
    await cli.succeed('apps:liveupdates:generatesigningkey');
    const publicKey = await readFile(join(cli.folder, 'public.pem'), 'utf8');
    const signed = ['--artifact-type', 'manifest', '--private-key', 'private.pem'];
    const limits = ['--android-min', '10', '--custom-property', 'stage=beta'];
    await cli.write('www/assets/logo.svg', '<svg/>');
    const device = new AndroidDevice({ appId, channelName, publicKey });
    const old = new AndroidDevice({ appId, channelName, publicKey, appVersionCode: '9' });
    expect(await device.sync()).toMatchObject({ bundleId: null });
    const first = await publish(channelName, '1', ...signed);
    for (const each of [device, old]) expect(await each.sync()).toMatchObject({ bundleId: first });
    const second = await publish(channelName, '2', ...signed, ...limits);
    const { bundleId: offered, downloads } = await device.sync();
    expect(offered).toBe(second);
    expect(downloads).not.toContain('assets/logo.svg');
    expect(device.files.get('index.html')?.toString()).toBe('2');
    expect(await old.sync()).toMatchObject({ bundleId: first, downloads: [] });
  });

  it('signs in with a token', async () => {
    const fresh = await Cli.create(null, testEnvironment().origin, olderCli(name));
    await fresh.succeed('login', '--token', person.token);
    expect(await fresh.succeed('whoami')).toContain(person.email);
    await fresh.succeed('logout');
  });

  it('signs in with a code, or says how to sign in instead', async () => {
    const fresh = await Cli.create(null, testEnvironment().origin, olderCli(name));
    const browser = await signedInBrowser(person);
    const terminal = fresh.inTerminal('login');
    await terminal.waitFor(/How would you like to authenticate/);
    terminal.type(ENTER);
    const [, code = ''] = await terminal.waitFor(/one-time code: ([A-Z]{4}-[A-Z]{4})/);
    await terminal.waitFor(/Select Yes to continue/);
    terminal.type(ENTER);
    await terminal.waitFor(/Waiting for authentication/);
    await browser.open('/login/device');
    const { html } = await browser.submit('/login/device', { code });
    if (name === '4.17.2') {
      await browser.submit('/login/device', { decision: 'approve' });
      expect(await terminal.end()).toMatchObject({ exitCode: 0 });
      expect(await fresh.succeed('whoami')).toContain(person.email);
    } else {
      expect(html).toContain('login --token');
      expect(await terminal.end()).toMatchObject({ exitCode: 1 });
      expect(terminal.output()).toContain('use "login --token"');
    }
  });
});
