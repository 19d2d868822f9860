import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProfileType } from '../../src/common/provisioning-profiles.js';
import { createApp, type TestApp } from '../builders/app.js';
import { testEnvironment } from '../setup/test-environment.js';
import { eventually } from '../support/eventually.js';
import { Cli } from '../support/processes/cli.js';
import { entryNames } from '../support/runners/android/android-bench.js';
import { readZip } from '../support/runners/build-bench.js';
import { type IosCertificate, makeIosCertificate } from '../support/runners/ios/ios-certificates.js';
import { IosMachine } from '../support/runners/ios/ios-machine.js';
import { BUNDLE_ID, capacitorIosProject } from '../support/runners/ios/ios-project.js';
import { startIosRunner, uploadIosCertificate } from '../support/runners/ios/ios-runner.js';
import { loginKeychain, readSearchList } from '../support/runners/ios/security/keychain-files.js';
import type { RunnerProcess } from '../support/runners/runner-process.js';

interface ShownBuild {
  readonly id: string;
  readonly job: { readonly status: string };
  readonly appBuildArtifacts: readonly { readonly id: string; readonly type: string }[];
}

let app: TestApp;
let cli: Cli;
let machine: IosMachine;
let runner: RunnerProcess;

beforeAll(async () => {
  app = await createApp();
  cli = await Cli.create(app.tenant.owner.token);
  await writeProject('project', capacitorIosProject(app.id, { hasWidget: true }));
  machine = await IosMachine.create();
  runner = await startIosRunner(app, machine);
});

afterAll(() => runner.stop());

async function writeProject(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) await cli.write(`${folder}/${path}`, content);
}

const create = (type: string, ...args: string[]): string[] => [
  'apps:builds:create',
  '--app-id',
  app.id,
  '--platform',
  'ios',
  '--type',
  type,
  '--yes',
  ...(args.includes('--path') ? [] : ['--path', 'project']),
  ...args,
];

async function newest(): Promise<ShownBuild> {
  const { body } = await app.api.get(`${app.path}/builds?relations=job,appBuildArtifacts&limit=1`);
  return (body as ShownBuild[])[0]!;
}

/** Downloads an artifact over HTTP. @returns its path */
async function download({ id, appBuildArtifacts }: ShownBuild, type: string): Promise<string> {
  const artifact = appBuildArtifacts.find((each) => each.type === type);
  const response = await fetch(
    `${testEnvironment().origin}${app.path}/builds/${id}/artifacts/${artifact?.id}/download`,
    { headers: { authorization: `Bearer ${app.tenant.owner.token}` } },
  );
  expect(response.status).toBe(200);
  const name = `${id}-${type}.zip`;
  await cli.write(name, Buffer.from(await response.arrayBuffer()));
  return join(cli.folder, name);
}

it('builds for the simulator by default, and the app is at the root of its zip', async () => {
  const output = await cli.succeed(...create('simulator'));
  expect(output).toContain('WARNING: This runner has no sandbox.');
  expect(output).toContain('** BUILD SUCCEEDED **');
  const build = await newest();
  expect(build.appBuildArtifacts.map(({ type }) => type)).toEqual(['app']);
  expect(await entryNames(await download(build, 'app'))).toContain('App.app/Info.plist');
});

it.each(['development', 'ad-hoc', 'app-store', 'enterprise'] satisfies ProfileType[])(
  'builds and downloads an ipa of the type %s',
  async (type) => {
    const certificate = makeIosCertificate(type);
    await uploadIosCertificate(cli, app, `For ${type}`, certificate);
    const output = await cli.succeed(...create(type, '--certificate', `For ${type}`, '--ipa', `${type}.ipa`));
    expect(output).toContain('** EXPORT SUCCEEDED **');
    expect(output).not.toContain(certificate.certificate.password);
    const ipa = await readZip(join(cli.folder, `${type}.ipa`));
    expect(ipa['Payload/App.app/embedded.mobileprovision']).toContain(
      certificate.certificate.profiles[0]!.uuid,
    );
    const build = await newest();
    expect(build).toMatchObject({ type, packageName: BUNDLE_ID, packageVersion: '1.2', displayName: 'Shop' });
    const types = build.appBuildArtifacts.map((artifact) => artifact.type).toSorted();
    expect(types).toEqual(['dsym', 'ipa', 'xcarchive']);
    expect(await entryNames(await download(build, 'dsym'))).toContain('App.dSYM/Contents/Info.plist');
    expect(await entryNames(await download(build, 'xcarchive'))).toContain('App.xcarchive/Info.plist');
    const again = ['--app-id', app.id, '--build-id', build.id, '--ipa', 'again.ipa'];
    await cli.succeed('apps:builds:download', ...again);
    expect(await readFile(join(cli.folder, 'again.ipa'))).toEqual(
      await readFile(join(cli.folder, `${type}.ipa`)),
    );
    expect(readSearchList(machine.home)).toEqual([loginKeychain(machine.home)]);
  },
);

describe('with a certificate', () => {
  let certificate: IosCertificate;

  beforeAll(async () => {
    certificate = makeIosCertificate('ad-hoc', ['com.acme.*']);
    await uploadIosCertificate(cli, app, 'Wildcard', certificate);
  });

  it('takes the values of a configuration, which renames the widget, too', async () => {
    const configuration = {
      name: 'Beta',
      displayName: `Shop's "Beta" & more`,
      packageName: 'com.acme.beta',
      versionName: '9.1',
      buildNumber: 'ci',
    };
    expect((await app.api.post(`${app.path}/configurations`, configuration)).status).toBe(201);
    const output = await cli.succeed(
      ...create('ad-hoc', '--certificate', 'Wildcard', '--configuration', 'Beta', '--ipa', 'beta.ipa'),
    );
    expect(output).toContain('Signing Widget (com.acme.beta.widget)');
    expect(await newest()).toMatchObject({
      packageName: 'com.acme.beta',
      packageVersion: '9.1',
      displayName: configuration.displayName,
    });
  });

  it('returns at once with --detached, and its build can be followed', async () => {
    const { id } = await cli.json<{ id: string }>(
      ...create('ad-hoc', '--certificate', 'Wildcard', '--detached'),
    );
    const log = await cli.succeed('apps:builds:logs', '--app-id', app.id, '--build-id', id);
    expect(log).toContain('This is a Capacitor project, built in ios/App');
    expect(log).toContain('** EXPORT SUCCEEDED **');
  });

  it('leaves nothing of a build that is canceled while it is archived', async () => {
    const slow = 'import UIKit\n// takes long to compile\n';
    const files = { 'ios/App/App/AppDelegate.swift': slow };
    await writeProject('slow', capacitorIosProject(app.id, { files }));
    const { length } = runner.output;
    const { id } = await cli.json<{ id: string }>(
      ...create('ad-hoc', '--certificate', 'Wildcard', '--detached', '--path', 'slow'),
    );
    await eventually(() => expect(runner.output.slice(length)).toContain('SwiftCompile'));
    expect(readSearchList(machine.home)).toHaveLength(2);
    await cli.succeed('apps:builds:cancel', '--app-id', app.id, '--build-id', id);
    await eventually(
      () => expect(readSearchList(machine.home)).toEqual([loginKeychain(machine.home)]),
      30_000,
    );
    expect((await newest()).job.status).toBe('canceled');
    // The lock is free, too.
    await cli.succeed(...create('ad-hoc', '--certificate', 'Wildcard'));
  });
});

it('ends with 1, and explains what the compiler says', async () => {
  const source = 'import UIKit\n\nlet value = undeclaredName\n';
  const files = { 'ios/App/App/AppDelegate.swift': source };
  await writeProject('broken', capacitorIosProject(app.id, { files }));
  const { exitCode, stdout } = await cli.run(...create('simulator', '--path', 'broken'));
  expect(exitCode).toBe(1);
  expect(stdout).toContain("error: cannot find 'undeclaredName' in scope");
  expect(stdout).toContain('What to do:');
  const { id } = await newest();
  const { body } = await app.api.get(`${app.path}/builds/${id}?relations=job`);
  expect(body).toMatchObject({ job: { status: 'failed', failedStep: 'native' } });
});

it('ends with 1, and says which Xcode the runner has', async () => {
  const { exitCode, stdout } = await cli.run(...create('simulator', '--variable', 'XCODE_VERSION=15'));
  expect(exitCode).toBe(1);
  expect(stdout).toContain('it has 26.2, 26.0.1, 16.4.');
});
