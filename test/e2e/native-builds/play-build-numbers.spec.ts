import { createTenant } from '../../builders/identities.js';
import { createApp } from '../../builders/app.js';
import { eventually } from '../../support/eventually.js';
import { expectError } from '../../support/http/expect-error.js';
import { sendLog } from '../../support/jobs/leases.js';
import { startBuild, takeJob } from '../../support/native-builds/leases.js';
import { NumberedBuilds } from '../../support/native-builds/numbered-builds.js';
import { listen } from '../../support/stores/store-servers.js';
import { PlaySite, type PublishedApp } from '../../support/stores/play-submissions.js';
import { zipOf } from '../../support/live-updates/archives.js';
import { createServer } from 'node:http';

let play: PlaySite;
let packages = 0;

beforeAll(async () => {
  play = await PlaySite.start({ OUTBOUND_ALLOW: 'source=127.0.0.1' });
});
afterAll(() => play.dispose());

/** An app whose production has a version code. @param codes of one release for each track */
async function published(
  codes: Readonly<Record<string, number | readonly number[]>> = { production: 42 },
): Promise<{ app: PublishedApp; builds: NumberedBuilds }> {
  const tracks = Object.fromEntries(
    Object.entries(codes).map(([track, code]) => [
      track,
      [{ status: 'completed' as const, versionCodes: [code].flat().map(String) }],
    ]),
  );
  const app = await play.app(`com.example.numbered${++packages}`, { play: { tracks } });
  return { app, builds: new NumberedBuilds(play.site, app.app) };
}

const openEdits = (packageName: string): number =>
  [...play.play.state.edits.values()].filter(
    ({ app, state }) => app.packageName === packageName && state === 'open',
  ).length;

describe('a build whose configuration takes the number from Google Play', () => {
  it('gets one more than the highest of all tracks, and says why', async () => {
    const { app, builds } = await published({ production: 42, internal: 57, 'closed alpha': 50 });
    const build = await builds.start();
    expect(await builds.end(build)).toMatchObject({
      status: 'queued',
      storeBuildNumber: 58,
      log: ['The build number is 58: Google Play has 57 on the track internal.'],
    });
    expect(await builds.payload(build)).toMatchObject({ status: 200, configuration: { buildNumber: 58 } });
    expect(openEdits(app.packageName)).toBe(0);
  });

  it('follows files that no track has, submissions, and builds that have failed', async () => {
    const { app, builds } = await published();
    play.play.app(app.packageName).artifacts.set(60, {
      kind: 'aab',
      versionCode: 60,
      sha1: '0'.repeat(40),
      sha256: '0'.repeat(64),
    });
    const configuration = await builds.configure();
    const first = await builds.start(configuration);
    expect(await builds.end(first)).toMatchObject({
      storeBuildNumber: 61,
      log: ['The build number is 61: Google Play has 60 in a file that no track has.'],
    });
    expect((await app.app.api.patch(`/v1/jobs/${first.jobId}`, { status: 'canceled' })).status).toBe(200);
    expect(await builds.end(await builds.start(configuration))).toMatchObject({
      storeBuildNumber: 62,
      log: ['The build number is 62: another build of the app has 61.'],
    });
    const submitted = await app.deploy(await app.build(90));
    await app.app.api.patch(`/v1/jobs/${submitted.jobId}`, { status: 'canceled' });
    const next = await builds.end(await builds.start(configuration));
    expect(next.storeBuildNumber).toBe(91);
    expect(next.log.at(-1)).toBe('The build number is 91: a submission of the app had 90.');
  });

  it('begins with 1', async () => {
    const { app, builds } = await published({});
    expect(await builds.end(await builds.start())).toMatchObject({
      storeBuildNumber: 1,
      log: [`The build number is 1: Google Play has no build of ${app.packageName}.`],
    });
  });

  it('never has that of another build, also when they start at once', async () => {
    const { builds } = await published();
    const configuration = await builds.configure();
    const started = await Promise.all(Array.from({ length: 5 }, () => builds.start(configuration)));
    const ended = await Promise.all(started.map((build) => builds.end(build)));
    expect(ended.map(({ storeBuildNumber }) => Number(storeBuildNumber)).toSorted((a, b) => a - b)).toEqual([
      43, 44, 45, 46, 47,
    ]);
  });

  it('waits for a submission that has the edit, which waits for nothing else', async () => {
    const { app, builds } = await published();
    const hold = play.play.hold('startUpload', 'before', { packageName: app.packageName });
    const deployment = await app.deploy(await app.build(43));
    await hold.arrived;
    const build = await builds.start();
    await eventually(async () => {
      const { isHeld, log } = await builds.find(build);
      expect(isHeld).toBe(true);
      expect(log.join()).toMatch(/^Waits for the build number: A submission or another build uses the edit/);
    });
    hold.release();
    const ended = await app.end(deployment);
    expect(ended.submission.state).toBe('prepared');
    expect(await builds.end(build)).toMatchObject({ storeBuildNumber: 44 });
    // The submission has kept its one edit.
    expect(ended.log).not.toMatch(/edit has|again/i);
  });

  it('does not leave the edit to itself: a submission waits, and goes on after that', async () => {
    const { app, builds } = await published();
    const hold = play.play.hold('tracks', 'before', { packageName: app.packageName });
    const build = await builds.start();
    await hold.arrived;
    const deployment = await app.deploy(await app.build(43));
    await eventually(async () =>
      expect((await app.deployment(deployment.id)).submission.message).toBe(
        'Waits until the build numbers of the app are read: Google Play takes one edit at a time from a service account for an app.',
      ),
    );
    hold.release();
    expect((await builds.end(build)).storeBuildNumber).not.toBeNull();
    expect((await app.end(deployment)).submission.state).toBe('prepared');
  });

  it('comes after its source has arrived', async () => {
    const { app, builds } = await published();
    const zip = await zipOf({ 'package.json': '{}' });
    let serve = (): void => undefined;
    const served = new Promise<void>((resolve) => {
      serve = resolve;
    });
    const fileUrl = await listen(
      createServer((_, response) => {
        void served.then(() => response.writeHead(200).end(zip));
      }),
    );
    const source = await app.app.api.post(`${app.app.path}/build-sources`, { fileUrl: `${fileUrl}/app.zip` });
    expect(source.status).toBe(201);
    const calls = play.play.calls.length;
    const build = await startBuild(app.app, {
      platform: 'android',
      appBuildSourceId: (source.body as { id: string }).id,
      appConfigurationId: await builds.configure(),
    });
    expect(await builds.find(build)).toMatchObject({ isHeld: true, log: [] });
    expect(play.play.calls.length).toBe(calls);
    serve();
    expect(await builds.end(build)).toMatchObject({ status: 'queued', storeBuildNumber: 43 });
  });

  it('has its reason before the log of the runner', async () => {
    const { app, builds } = await published();
    const build = await builds.start();
    await builds.end(build);
    const lease = await takeJob(build.jobId, play.site);
    expect((await sendLog(lease, 0, 'Installing\n')).status).toBe(202);
    expect((await builds.find(build)).log).toEqual([
      'The build number is 43: Google Play has 42 on the track production.',
      'Installing',
    ]);
    expect(app.packageName).toBeDefined();
  });
});

describe('the number of a build', () => {
  const WEAR = { production: 42, 'wear:production': 30_000_021 };

  it('follows those for the same devices, and no build takes that of others', async () => {
    const { app, builds } = await published(WEAR);
    const [phone, watch] = [await builds.configure(), await builds.configure({ formFactor: 'wear' })];
    expect(await builds.end(await builds.start(phone))).toMatchObject({
      storeBuildNumber: 43,
      log: [
        'The build number is 43: Google Play has 42 on the track production. The build is for phones and tablets, so 30000021 on the track wear:production does not count.',
      ],
    });
    expect(await builds.end(await builds.start(watch))).toMatchObject({
      storeBuildNumber: 30_000_022,
      log: ['The build number is 30000022: Google Play has 30000021 on the track wear:production.'],
    });
    // Neither does the number that Slipway gave to a build for watches.
    expect(await builds.number(phone)).toBe(44);
    expect(await builds.number(watch)).toBe(30_000_023);
    // Numbers that others have are left out.
    const { tracks } = play.play.app(app.packageName);
    tracks.set('tv:production', [{ status: 'completed', versionCodes: ['45'] }]);
    const next = await builds.end(await builds.start(phone));
    expect(next.storeBuildNumber).toBe(46);
    expect(next.log[0]).toMatch(
      /^The build number is 46: another build of the app has 44, and 45 is used already\./,
    );
  });

  it('is for the devices of the track that the build goes to', async () => {
    const { app, builds } = await published(WEAR);
    const watch = await app.addDestination({ googlePlayTrack: 'wear:production' });
    const configuration = await builds.configure();
    const submitted = await builds.start(configuration, { appDestinationId: watch });
    expect((await builds.end(submitted)).storeBuildNumber).toBe(30_000_022);
    expect(await builds.number(configuration)).toBe(43);
  });

  it('follows the number that splits follow from', async () => {
    const { builds } = await published({ production: [21, 1021, 2021, 4021] });
    expect(await builds.end(await builds.start())).toMatchObject({
      storeBuildNumber: 22,
      log: [
        'The build number is 22: Google Play has 21 on the track production, with the splits 21, 1021, 2021, 4021.',
      ],
    });
  });

  it('is above the offset of the configuration', async () => {
    const { builds } = await published();
    const configuration = await builds.configure({ buildNumberOffset: 5000 });
    expect(await builds.end(await builds.start(configuration))).toMatchObject({
      storeBuildNumber: 5001,
      log: ['The build number is 5001: buildNumberOffset of the configuration is 5000.'],
    });
    expect(await builds.number(configuration)).toBe(5002);
  });
});

describe('a build that the store gives no number', () => {
  it('is refused at once when no destination can be asked', async () => {
    const app = await createApp(await createTenant(play.site));
    const builds = new NumberedBuilds(play.site, app);
    const appConfigurationId = await builds.configure();
    const refused = await app.api.post(`${app.path}/builds`, await builds.body({ appConfigurationId }));
    expectError(refused, 400, 'build_number_unavailable');
    expect((refused.body as { message: string }).message).toMatch(/androidPackageName and .*: create one/);
    expect((await app.api.get(`${app.path}/builds`)).body).toEqual([]);
    const { app: other, builds: numbered } = await published();
    const body = { appConfigurationId: await numbered.configure({ packageName: 'com.example.unknown' }) };
    expectError(
      await other.app.api.post(`${other.app.path}/builds`, await numbered.body(body)),
      400,
      'build_number_unavailable',
    );
  });

  it('asks with the next key when one is refused, and fails when all are', async () => {
    const { app, builds } = await published();
    const other = play.play.addServiceAccount({ packages: [app.packageName] });
    play.play.accounts.revoke(app.key.email);
    const refused = await builds.end(await builds.start());
    expect(refused).toMatchObject({ status: 'failed', storeBuildNumber: null });
    expect(refused.statusMessage).toMatch(/^No build number: .*start the build again/);
    expect(refused.log).toContain(refused.statusMessage);
    await app.addDestination({ appGoogleServiceAccountKeyId: await app.uploadKey(other.json) });
    expect(await builds.number()).toBe(43);
  });

  it('fails when Google Play does not know the package', async () => {
    const { app, builds } = await published();
    play.play.state.apps.delete(app.packageName);
    const refused = await builds.end(await builds.start());
    expect(refused).toMatchObject({ status: 'failed', storeBuildNumber: null });
    expect(refused.statusMessage).toMatch(/start the build again|does not help/);
  });

  it('waits while the store is away, and fails after half an hour with what is wrong', async () => {
    const { app, builds } = await published();
    play.play.fail('cut', { call: 'insert', packageName: app.packageName });
    const build = await builds.start();
    expect(await builds.end(build)).toMatchObject({ storeBuildNumber: 43 });
    play.play.fail('cut', { call: 'insert', packageName: app.packageName, times: Infinity });
    const late = await builds.start();
    await eventually(async () => expect((await builds.find(late)).log[0]).toMatch(/^Waits for the build/));
    await play.site.query(
      `UPDATE queue.job SET data = data || '{"since": "2020-01-01T00:00:00Z"}' WHERE name = 'build-numbers'`,
    );
    const failed = await builds.end(late);
    expect(failed).toMatchObject({ status: 'failed', storeBuildNumber: null });
    expect(failed.statusMessage).toMatch(/\.$/);
    expect(failed.log.filter((line) => line.startsWith('Waits'))).toHaveLength(1);
  });

  it('takes none when it is canceled meanwhile', async () => {
    const { app, builds } = await published();
    const hold = play.play.hold('tracks', 'before', { packageName: app.packageName });
    const build = await builds.start();
    await hold.arrived;
    expect((await app.app.api.patch(`/v1/jobs/${build.jobId}`, { status: 'canceled' })).status).toBe(200);
    hold.release();
    expect(await builds.number()).toBe(43);
    expect(await builds.find(build)).toMatchObject({ status: 'canceled', storeBuildNumber: null });
  });

  it('fails when the highest number is used', async () => {
    const { builds } = await published({ production: 2_100_000_000 });
    expect(await builds.end(await builds.start())).toMatchObject({
      status: 'failed',
      statusMessage:
        'No build number: Google Play has build numbers up to the highest that Slipway counts, 2,100,000,000. Set another buildNumber in the configuration.',
    });
  });
});

describe('a configuration that changes after the start', () => {
  it('lets a build go that needs no number any more', async () => {
    const { app, builds } = await published();
    play.play.fail('cut', { call: 'insert', packageName: app.packageName, times: Infinity });
    const configuration = await builds.configure();
    const build = await builds.start(configuration);
    await eventually(async () => expect((await builds.find(build)).log[0]).toMatch(/^Waits for the build/));
    const path = `${app.app.path}/configurations/${configuration}`;
    expect((await app.app.api.patch(path, { buildNumber: 7 })).status).toBe(200);
    expect(await builds.end(build)).toMatchObject({ status: 'queued', storeBuildNumber: null });
    expect(await builds.payload(build)).toMatchObject({ configuration: { buildNumber: 7 } });
  });

  it('fails a build that has no number, or one for another package', async () => {
    const { app, builds } = await published();
    const message =
      'The configuration has changed since the build was started, so the store has not given the build number for it. Start the build again.';
    const fixed = await builds.configure({ buildNumber: 7 });
    const unnumbered = await builds.start(fixed);
    await app.app.api.patch(`${app.app.path}/configurations/${fixed}`, { buildNumber: 'store' });
    expect((await builds.payload(unnumbered)).status).toBe(410);
    expect(await builds.find(unnumbered)).toMatchObject({ status: 'failed', statusMessage: message });
    const configuration = await builds.configure();
    const numbered = await builds.start(configuration);
    await builds.end(numbered);
    const path = `${app.app.path}/configurations/${configuration}`;
    await app.app.api.patch(path, { packageName: 'com.example.other' });
    expect((await builds.payload(numbered)).status).toBe(410);
    expect(await builds.find(numbered)).toMatchObject({ status: 'failed', statusMessage: message });
  });
});
