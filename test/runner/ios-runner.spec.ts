import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createApp, type TestApp } from '../builders/app.js';
import { createTenant } from '../builders/identities.js';
import { createRunner } from '../builders/runner.js';
import { eventually } from '../support/eventually.js';
import { startBuild, type TestBuild } from '../support/native-builds/leases.js';
import { uploadSource } from '../support/native-builds/sources.js';
import { Cli } from '../support/processes/cli.js';
import { runProgram } from '../support/processes/programs.js';
import { makeIosCertificate } from '../support/runners/ios/ios-certificates.js';
import { IosMachine } from '../support/runners/ios/ios-machine.js';
import { nativeIosProject } from '../support/runners/ios/ios-project.js';
import { spawnIosRunner, startIosRunner, uploadIosCertificate } from '../support/runners/ios/ios-runner.js';
import { loginKeychain, readSearchList } from '../support/runners/ios/security/keychain-files.js';
import { RunnerProcess } from '../support/runners/runner-process.js';
import { registerRunner } from '../support/runners/start-runner.js';
import { temporaryFolder } from '../support/processes/temporary-folders.js';
import { OwnSite } from '../support/servers/own-site.js';

let site: OwnSite;
let app: TestApp;
let machine: IosMachine;
let runners: RunnerProcess[] = [];

beforeAll(async () => {
  site = await OwnSite.start({ JOB_LEASE_SECONDS: '4' });
  app = await createApp(await createTenant(site));
});

beforeEach(async () => {
  machine = await IosMachine.create();
});

afterEach(() => {
  for (const runner of runners) runner.process.kill('SIGKILL');
  runners = [];
});

afterAll(() => site.dispose());

async function start(values: Parameters<typeof startIosRunner>[2] = {}): Promise<RunnerProcess> {
  const runner = await startIosRunner(app, machine, { origin: site.origin, ...values });
  runners.push(runner);
  return runner;
}

async function build(values: object = {}, files = nativeIosProject(), of = app): Promise<TestBuild> {
  const appBuildSourceId = await uploadSource(of, files);
  return startBuild(of, { platform: 'ios', type: 'simulator', appBuildSourceId, ...values });
}

async function jobOf({ jobId }: TestBuild, of = app): Promise<{ status: string; log: string }> {
  const { body } = await of.api.get(`/v1/jobs/${jobId}?relations=jobLogs`);
  const { status, jobLogs } = body as { status: string; jobLogs: { payload: string }[] };
  return { status, log: jobLogs.map(({ payload }) => payload).join('\n') };
}

const succeeded = (started: TestBuild): Promise<string> =>
  eventually(async () => {
    const { status, log } = await jobOf(started);
    expect([status, status === 'failed' ? log : '']).toEqual(['succeeded', '']);
    return log;
  });

/** What signing leaves on a Mac. */
function leftOver(): { searchList: string[]; profiles: string[] } {
  const list = (path: string): string[] => {
    try {
      return readdirSync(join(machine.home, path));
    } catch {
      return [];
    }
  };
  return {
    searchList: readSearchList(machine.home),
    profiles: [
      ...list('Library/MobileDevice/Provisioning Profiles'),
      ...list('Library/Developer/Xcode/UserData/Provisioning Profiles'),
    ],
  };
}

const nothing = () => ({ searchList: [loginKeychain(machine.home)], profiles: [] });

it('announces iOS and the version of macOS, says its tier, and builds only for its own organization', async () => {
  const stranger = await createApp(await createTenant(site));
  // It has a runner, too, which takes no job.
  await createRunner(stranger.tenant, {}, { platforms: ['ios'], stacks: ['macos-tahoe'] });
  const foreign = await build({}, nativeIosProject(), stranger);
  const runner = await start();
  expect(runner.output).toMatch(/sandbox none, which does not keep builds apart: trusted repositories only/);
  const { body } = await app.api.get(`/v1/organizations/${app.tenant.organizationId}/runners`);
  expect(body).toContainEqual(
    expect.objectContaining({ online: true, reportedPlatforms: ['ios', 'web'], stacks: ['macos-tahoe'] }),
  );
  const log = await succeeded(await build());
  expect(log.split('\n').slice(0, 2)).toEqual([
    expect.stringMatching(/WARNING: This runner has no sandbox\. The build can read and change everything/),
    expect.stringMatching(/--trust-repositories/),
  ]);
  expect((await jobOf(foreign, stranger)).status).toBe('queued');
});

it('ends when it serves all organizations', async () => {
  const { out } = await runProgram('runner:create', site, { args: ['--name', 'Shared Mac'] });
  const runner = await spawnIosRunner(app, machine, { origin: site.origin, token: out.trim() });
  expect(await runner.exit()).toBe(5);
  expect(runner.output).toContain(
    'This runner serves all organizations, and none does not keep their builds apart: it needs a sandbox.',
  );
});

it('shows with its doctor what a Mac has, and that it has no sandbox', async () => {
  const doctor = RunnerProcess.start({
    origin: site.origin,
    token: await registerRunner(app.tenant),
    dir: join(await temporaryFolder(), 'runner'),
    name: 'runner doctor',
    env: { ...machine.env, RUNNER_NPM_REGISTRY: 'http://127.0.0.1:9/' },
  });
  await doctor.exit();
  expect(doctor.output).toMatch(/^warning +iOS +Builds run without a sandbox: trusted repositories only\./m);
  expect(doctor.output).toMatch(/^ok +Xcode +26\.2 \(.*\), 26\.0\.1 \(.*\), 16\.4 \(/m);
  expect(doctor.output).toMatch(/^ok +Xcode 26\.2 +is set up\.$/m);
  expect(doctor.output).toMatch(/^ok +Stack +macos-tahoe$/m);
  expect(doctor.output).toMatch(/^ok +CocoaPods +1\.16\.2$/m);
  expect(doctor.output).toMatch(/^ok +Keychain /m);
  expect(leftOver()).toEqual(nothing());
});

describe('with a certificate', () => {
  beforeAll(async () => {
    const cli = await Cli.create(app.tenant.owner.token, site.origin);
    await uploadIosCertificate(cli, app, 'Testers', makeIosCertificate('ad-hoc'));
  });

  const signed = (source?: string): Promise<TestBuild> =>
    build(
      { type: 'ad-hoc', appCertificateName: 'Testers' },
      nativeIosProject(source === undefined ? {} : { 'App/AppDelegate.swift': source }),
    );

  it('signs two builds at once, one after the other', async () => {
    await start({ env: { RUNNER_SLOTS: '2' } });
    const builds = [await signed(), await signed()];
    const logs = await Promise.all(builds.map(succeeded));
    for (const log of logs) expect(log).toContain('** EXPORT SUCCEEDED **');
    expect(leftOver()).toEqual(nothing());
  });

  it('leaves nothing after it was killed in the middle, once it has started again', async () => {
    const dir = join(await temporaryFolder(), 'runner');
    const token = await registerRunner(app.tenant);
    const first = await start({ dir, token });
    const slow = await signed('import UIKit\n// takes long to compile\n');
    await first.waitFor(/SwiftCompile/, 60_000);
    expect(leftOver().searchList).toHaveLength(2);
    // In both folders that versions of Xcode read.
    expect(leftOver().profiles).toHaveLength(2);
    first.process.kill('SIGKILL');
    await first.exit();
    expect((await app.api.patch(`/v1/jobs/${slow.jobId}`, { status: 'canceled' })).status).toBe(200);
    const second = await start({ dir, token });
    expect(second.output).not.toContain('could not be removed');
    expect(leftOver()).toEqual(nothing());
    await second.stop();
  });
});
