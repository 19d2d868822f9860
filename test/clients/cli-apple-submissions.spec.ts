import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Cli } from '../support/processes/cli.js';
import { AppleSite, type TestFlightApp } from '../support/stores/apple-submissions.js';
import type { TestStoreDeployment } from '../support/stores/store-submissions.js';

const BUNDLE_ID = 'com.acme.shop';
const GROUPS = { Team: 'internal', 'Public beta': 'external' } as const;

let apple: AppleSite;
let shop: TestFlightApp;
let cli: Cli;
let number = 0;

beforeAll(async () => {
  apple = await AppleSite.start({ QUEUE_POLL_SECONDS: '1', RATE_LIMIT_TOKEN: '0' });
  apple.connect.processing.polls = 0;
  shop = await apple.app(BUNDLE_ID, { apple: { groups: GROUPS } });
  await shop.addDestination({ name: 'Testers', appleBetaGroups: Object.keys(GROUPS) });
  cli = await Cli.create(shop.app.tenant.owner.token, apple.site.origin);
});
afterAll(() => apple?.dispose());
afterEach(() => apple.connect.faults.clear());

const ofApp = (command: string, ...args: string[]): string[] => [command, '--app-id', shop.app.id, ...args];

/** A version and a build number that no other build has. */
function next(): [version: string, buildNumber: string] {
  number += 1;
  return [`1.${number}`, String(number)];
}

const importNext = (): Promise<string> => shop.build(...next());

const buildOf = (buildNumber: number) =>
  shop.builds.find((build) => build.buildNumber === String(buildNumber));

/** @returns the id that a command has printed */
const deploymentOf = (printed: string): string => /Deployment ID: (\S+)/.exec(printed)?.[1] ?? '';

describe('apps:builds for an imported ipa', () => {
  it('lists, shows and downloads it, and prints what was read from it', async () => {
    const [version, buildNumber] = next();
    const ipa = await shop.ipa(version, buildNumber);
    const id = await shop.import(ipa);
    const ofBuild = ['--build-id', id];
    const [list, one, log] = await Promise.all([
      cli.json<{ id: string }[]>(...ofApp('apps:builds:list', '--platform', 'ios')),
      cli.json(...ofApp('apps:builds:get', ...ofBuild)),
      cli.succeed(...ofApp('apps:builds:logs', ...ofBuild)),
      cli.succeed(...ofApp('apps:builds:download', ...ofBuild, '--ipa', 'copy.ipa')),
    ]);
    expect(list.map((build) => build.id)).toContain(id);
    expect(one).toMatchObject({ id, platform: 'ios' });
    expect(log).toContain(BUNDLE_ID);
    expect((await readFile(join(cli.folder, 'copy.ipa'))).equals(ipa)).toBe(true);
  });
});

describe('apps:deployments:create --destination, for iOS', () => {
  it('prints the log until the build is in its groups, and shows, lists and follows it', async () => {
    const appBuildId = await importNext();
    const create = ofApp('apps:deployments:create', '--build-id', appBuildId, '--destination', 'Testers');
    const created = await cli.succeed(...create);
    expect(created).toContain('Deployment completed successfully.');
    expect(created).toMatch(/100 ?%/);
    expect(created).toContain("External testers get it after Apple's beta review.");
    expect(buildOf(number)).toMatchObject({ groups: ['Team', 'Public beta'], review: 'WAITING_FOR_REVIEW' });
    const id = deploymentOf(created);
    const ofDeployment = ['--deployment-id', id];
    const [one, list, log, cancel, summary] = await Promise.all([
      cli.json(...ofApp('apps:deployments:get', ...ofDeployment)),
      cli.json(...ofApp('apps:deployments:list', '--destination-id', shop.destinationId)),
      cli.succeed(...ofApp('apps:deployments:logs', ...ofDeployment)),
      cli.run(...ofApp('apps:deployments:cancel', ...ofDeployment)),
      cli.run(...ofApp('apps:deployments:failure-summary', ...ofDeployment)),
    ]);
    expect(one).toMatchObject({
      id,
      appBuildId,
      appChannelId: null,
      appDestinationName: 'Testers',
      job: { status: 'succeeded', appDeploymentId: id, platform: 'ios' },
      submission: {
        state: 'prepared',
        track: null,
        versionCode: String(number),
        storeIds: { appleAppId: shop.apple.id, buildId: buildOf(number)?.id },
        link: expect.stringContaining(`https://appstoreconnect.apple.com/apps/${shop.apple.id}/`) as string,
      },
    });
    expect(list).toMatchObject([{ id, appBuild: { id: appBuildId } }]);
    expect(log).toMatch(/100 ?%/);
    expect([cancel.exitCode, summary.exitCode]).toEqual([1, 1]);
    const again = await cli.run(...create);
    expect([again.exitCode, again.stderr]).toEqual([
      1,
      expect.stringContaining('was submitted to this destination before'),
    ]);
    expect(shop.apple.uploads.filter((upload) => upload.buildNumber === String(number))).toHaveLength(1);
  });

  it("ends with 1 when Apple refuses the build, with Apple's words, and what to do in the log and the summary", async () => {
    apple.connect.failProcessing([90725]);
    const create = ofApp(
      'apps:deployments:create',
      '--build-id',
      await importNext(),
      '--destination',
      'Testers',
    );
    const { exitCode, stdout, stderr } = await cli.run(...create, '--failure-summary');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Deployment failed.')]);
    expect(stdout).toMatch(/Xcode/);
    expect(stdout).toMatch(/App Store Connect says: .*90725/);
    expect(stdout).toContain('Failure summary generated');
    const summary = await cli.succeed(
      ...ofApp('apps:deployments:failure-summary', '--deployment-id', deploymentOf(stdout)),
    );
    expect(summary).toMatch(/Xcode/);
    expect(buildOf(number)).toBeUndefined();
  });

  it('ends with 1 when Apple has the build number of another file', async () => {
    const [version, buildNumber] = next();
    await shop.release(version, buildNumber);
    const other = await shop.build(version, buildNumber, { label: 'Another file' });
    const create = ofApp('apps:deployments:create', '--build-id', other, '--destination', 'Testers');
    const { exitCode, stderr } = await cli.run(...create);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Raise CFBundleVersion')]);
  });

  it('ends with 1 and the sentence when the build does not fit the destination', async () => {
    const development = await shop.build(...next(), { profile: 'development' });
    const create = ofApp('apps:deployments:create', '--build-id', development, '--destination');
    const [unfit, unknown] = await Promise.all([
      cli.run(...create, 'Testers'),
      cli.run(...create, 'Unknown'),
    ]);
    expect(unfit).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('development') });
    expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('estination') });
  });
});

/** A submission that Apple keeps waiting in a call. @returns lets it go on */
async function held(call: 'createBuildUpload' | 'commitFile'): Promise<[TestStoreDeployment, () => void]> {
  const hold = apple.connect.hold(call);
  const deployment = await shop.deploy(await importNext());
  await hold.arrived;
  return [deployment, hold.release];
}

describe('apps:deployments:cancel, for iOS', () => {
  it('ends a submission that is not delivered, and nothing of it is at Apple', async () => {
    const [deployment, release] = await held('createBuildUpload');
    const ofDeployment = ['--deployment-id', deployment.id];
    expect(await cli.succeed(...ofApp('apps:deployments:cancel', ...ofDeployment))).toContain('canceled');
    release();
    expect((await shop.end(deployment)).job).toMatchObject({ status: 'canceled' });
    expect((await cli.succeed(...ofApp('apps:deployments:logs', ...ofDeployment))).trim()).not.toBe('');
    expect((await shop.deployment(deployment.id)).submission.state).toBe('failed');
    expect(buildOf(number)).toBeUndefined();
  });

  it('ends with 1 once the file is delivered', async () => {
    const [deployment, release] = await held('commitFile');
    const result = await cli.run(...ofApp('apps:deployments:cancel', '--deployment-id', deployment.id));
    expect(result).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('sent to the store') });
    release();
    expect((await shop.end(deployment)).job).toMatchObject({ status: 'succeeded' });
    expect(buildOf(number)).toBeDefined();
  });
});
