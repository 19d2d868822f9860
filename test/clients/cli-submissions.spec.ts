import { createApp, type TestApp } from '../builders/app.js';
import { createTenant } from '../builders/identities.js';
import {
  createPlayDestination,
  endOfSubmission,
  importAab,
  readSubmission,
  submit,
  type TestSubmission,
} from '../support/app-submissions/submissions.js';
import { eventually } from '../support/eventually.js';
import { linesOf, readJob } from '../support/jobs/leases.js';
import { Cli } from '../support/processes/cli.js';
import { capacitorProject, hasGradleTools } from '../support/runners/android/android-project.js';
import { createAndroidCertificate, startAndroidRunner } from '../support/runners/android/android-runner.js';
import type { RunnerProcess } from '../support/runners/runner-process.js';
import { hasSandbox } from '../support/runners/sandbox/jobs.js';
import { OwnSite } from '../support/servers/own-site.js';
import { type GooglePlay, startGooglePlay } from '../support/stores/google-play/google-play.js';
import type { ServiceAccountKey } from '../support/stores/google-play/service-accounts.js';

/** The package name of the project of the tests. */
const PACKAGE = 'com.acme.shop';
const DECLARATION = /App content/;

let play: GooglePlay;
let site: OwnSite;
let app: TestApp;
let cli: Cli;
let key: ServiceAccountKey;
let versionCode = 100;

beforeAll(async () => {
  play = await startGooglePlay();
  site = await OwnSite.start({
    GOOGLE_PLAY_URL: play.url,
    GOOGLE_TOKEN_URL: play.tokenUrl,
    QUEUE_POLL_SECONDS: '1',
    RATE_LIMIT_TOKEN: '0',
  });
  app = await createApp(await createTenant(site));
  cli = await Cli.create(app.tenant.owner.token, site.origin);
  play.addApp({ packageName: PACKAGE });
  key = play.addServiceAccount({ packages: [PACKAGE] });
  await createPlayDestination(app, key, { name: 'Testers', androidPackageName: PACKAGE });
});
afterAll(async () => {
  await site?.dispose();
  await play?.stop();
});
afterEach(() => play.faults.clear());

const ofApp = (command: string, ...args: string[]): string[] => [command, '--app-id', app.id, ...args];

const importNext = (): Promise<string> =>
  importAab(app, { packageName: PACKAGE, versionCode: ++versionCode });

const released = (): string[] =>
  play.committed.flatMap(({ track, release }) => release.versionCodes.map((code) => `${code} ${track}`));

/** @returns the id that a command has printed */
const deploymentOf = (printed: string): string => /Deployment ID: (\S+)/.exec(printed)?.[1] ?? '';

describe('apps:deployments:create --destination', () => {
  it('prints the log until the store has the release, and shows, lists and follows it', async () => {
    const appBuildId = await importNext();
    const created = await cli.succeed(
      ...ofApp('apps:deployments:create', '--build-id', appBuildId, '--destination', 'Testers'),
    );
    expect(created).toContain('Deployment completed successfully.');
    expect(created).toMatch(/100 ?%/);
    expect(released()).toContain(`${versionCode} internal`);
    const id = deploymentOf(created);
    const ofDeployment = ['--deployment-id', id];
    const shown = {
      id,
      appBuildId,
      appChannelId: null,
      appDestinationName: 'Testers',
      job: { status: 'succeeded', appBuildId: null, appDeploymentId: id, platform: 'android' },
      submission: { state: 'prepared', track: 'internal', versionCode: String(versionCode) },
    };
    const { appDestinationId } = await readSubmission(app, { id });
    const [one, list, log, cancel, summary] = await Promise.all([
      cli.json(...ofApp('apps:deployments:get', ...ofDeployment)),
      cli.json(...ofApp('apps:deployments:list', '--destination-id', appDestinationId)),
      cli.succeed(...ofApp('apps:deployments:logs', ...ofDeployment)),
      cli.run(...ofApp('apps:deployments:cancel', ...ofDeployment)),
      cli.run(...ofApp('apps:deployments:failure-summary', ...ofDeployment)),
    ]);
    expect(one).toMatchObject(shown);
    expect(list).toMatchObject([{ id, appBuild: { id: appBuildId } }]);
    expect(log).toMatch(/100 ?%/);
    expect([cancel.exitCode, summary.exitCode]).toEqual([1, 1]);
    // `--build-number` is another way to name it, and the version was submitted already.
    const number = (
      (await app.api.get(`${app.path}/builds/${appBuildId}`)).body as { numberAsString: string }
    ).numberAsString;
    const again = ofApp('apps:deployments:create', '--build-number', number, '--destination', 'Testers');
    const refused = await cli.run(...again);
    expect([refused.exitCode, refused.stderr]).toEqual([
      1,
      expect.stringContaining(`The version ${versionCode} was submitted to this destination before`),
    ]);
    // To another track, it is a promotion.
    await createPlayDestination(app, key, {
      name: 'Alpha',
      androidPackageName: PACKAGE,
      googlePlayTrack: 'alpha',
    });
    const promoted = ofApp('apps:deployments:create', '--build-number', number, '--destination', 'Alpha');
    expect(await cli.succeed(...promoted)).toContain('Deployment completed successfully.');
    expect(released()).toContain(`${versionCode} alpha`);
    expect(released().filter((release) => release === `${versionCode} internal`)).toHaveLength(1);
  });

  it('ends with 1 when the store refuses it, with what to do in the log and in the summary', async () => {
    play.refuse('advertising id', { call: 'commit' });
    const appBuildId = await importNext();
    const create = ofApp('apps:deployments:create', '--build-id', appBuildId, '--destination', 'Testers');
    const { exitCode, stdout, stderr } = await cli.run(...create, '--failure-summary');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Deployment failed.')]);
    // The log, and Google's words below the sentence.
    expect(stdout).toMatch(DECLARATION);
    expect(stdout).toMatch(/says: .*permission\.AD_ID/);
    expect(stdout).toContain('Failure summary generated');
    const summary = await cli.succeed(
      ...ofApp('apps:deployments:failure-summary', '--deployment-id', deploymentOf(stdout)),
    );
    expect(summary).toMatch(DECLARATION);
    expect(released()).not.toContain(`${versionCode} internal`);
  });

  it('ends with 1 and the sentence when the build does not fit the destination', async () => {
    const appBuildId = await importAab(app, { packageName: 'com.example.other', versionCode: 1 });
    const create = ofApp('apps:deployments:create', '--build-id', appBuildId, '--destination');
    const [other, unknown] = await Promise.all([
      cli.run(...create, 'Testers'),
      cli.run(...create, 'Unknown'),
    ]);
    expect(other).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('com.example.other') });
    expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('estination') });
  });
});

/** A submission that Google Play keeps waiting in a call. @returns lets it go on */
async function held(call: 'startUpload' | 'commit'): Promise<[TestSubmission, () => void]> {
  const appDestinationId = (
    (await app.api.get(`${app.path}/destinations?name=Testers`)).body as [{ id: string }]
  )[0].id;
  const hold = play.hold(call);
  const submission = await submit(app, { appBuildId: await importNext(), appDestinationId });
  await hold.arrived;
  return [submission, hold.release];
}

describe('apps:deployments:cancel', () => {
  it('ends a submission that is not committed, and nothing of it is released', async () => {
    const [submission, release] = await held('startUpload');
    const ofDeployment = ['--deployment-id', submission.id];
    expect(await cli.succeed(...ofApp('apps:deployments:cancel', ...ofDeployment))).toContain('canceled');
    release();
    expect(await endOfSubmission(app, submission)).toMatchObject({ status: 'canceled' });
    expect((await cli.succeed(...ofApp('apps:deployments:logs', ...ofDeployment))).trim()).not.toBe('');
    expect((await readSubmission(app, submission)).submission.state).toBe('failed');
    expect(released()).not.toContain(`${versionCode} internal`);
  });

  it('ends with 1 once the commit was sent', async () => {
    const [submission, release] = await held('commit');
    const result = await cli.run(...ofApp('apps:deployments:cancel', '--deployment-id', submission.id));
    expect(result).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('sent to the store') });
    release();
    expect(await endOfSubmission(app, submission)).toMatchObject({ status: 'succeeded' });
    expect(released()).toContain(`${versionCode} internal`);
  });
});

describe('apps:builds:create --configuration', () => {
  it('starts a build that takes its number from the store', async () => {
    play.app(PACKAGE).tracks.set('production', [{ status: 'completed', versionCodes: ['4000'] }]);
    const configuration = { name: 'Numbered', packageName: PACKAGE, buildNumber: 'store' };
    expect((await app.api.post(`${app.path}/configurations`, configuration)).status).toBe(201);
    await cli.write('numbered/package.json', '{}');
    const options = ['--platform=android', '--path=numbered', '--configuration=Numbered'];
    const printed = await cli.succeed(...ofApp('apps:builds:create', ...options, '--detached', '--yes'));
    const [, id] = /Build ID: (\S+)/.exec(printed) ?? [];
    await eventually(async () => {
      const { body } = await app.api.get(`${app.path}/builds/${id}`);
      expect(body).toMatchObject({ storeBuildNumber: 4001 });
    });
    const { body } = await app.api.get(`${app.path}/builds/${id}`);
    const { jobId } = body as { jobId: string };
    expect(linesOf(await readJob(app, jobId))).toEqual([
      'The build number is 4001: Google Play has 4000 on the track production.',
    ]);
    expect((await app.api.patch(`/v1/jobs/${jobId}`, { status: 'canceled' })).status).toBe(200);
    play.app(PACKAGE).tracks.set('production', []);
  });
});

(hasSandbox && hasGradleTools ? describe : describe.skip)('apps:builds:create --destination', () => {
  let runner: RunnerProcess;
  beforeAll(async () => {
    // Its releases have another signer than those of the app above.
    app = await createApp(app.tenant);
    for (const [path, content] of Object.entries(capacitorProject(app.id))) {
      if (content !== null) await cli.write(`project/${path}`, content);
    }
    await createAndroidCertificate(app, 'Upload');
    // The number of the build as the version code: each is higher than the one before.
    const configuration = { name: 'Store', buildNumber: 'ci' };
    expect((await app.api.post(`${app.path}/configurations`, configuration)).status).toBe(201);
    const fields = { name: 'Builds', androidPackageName: PACKAGE, googlePlayTrack: 'beta' };
    await createPlayDestination(app, key, fields);
    runner = await startAndroidRunner(app, site.origin);
  });
  afterAll(async () => {
    await runner?.stop();
  });

  const create = (): string[] =>
    ofApp(
      'apps:builds:create',
      '--platform=android',
      '--type=release',
      '--path=project',
      '--certificate=Upload',
      '--configuration=Store',
      '--destination=Builds',
      '--yes',
    );

  it('builds on a runner, and submits what it has built', async () => {
    const printed = await cli.succeed(...create());
    expect(printed).toContain('Build completed successfully.');
    expect(printed).toContain('Deployment completed successfully.');
    const [, number] = /Build Number: (\d+)/.exec(printed) ?? [];
    expect(released()).toContain(`${number} beta`);
  });

  it('ends with 1 when the store refuses what was built, with what to do', async () => {
    play.refuse('advertising id', { call: 'commit' });
    const { exitCode, stdout, stderr } = await cli.run(...create());
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Deployment failed.')]);
    expect(stdout).toContain('Build completed successfully.');
    expect(stdout).toMatch(DECLARATION);
    const [, number] = /Build Number: (\d+)/.exec(stdout) ?? [];
    expect(released()).not.toContain(`${number} beta`);
  });
});
