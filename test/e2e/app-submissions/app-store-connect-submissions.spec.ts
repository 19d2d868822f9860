import { randomBytes } from 'node:crypto';
import { eventually } from '../../support/eventually.js';
import { AppleSite, type AppleSiteApp, type TestFlightApp } from '../../support/stores/apple-submissions.js';
import { addVersion } from '../../support/stores/app-store-connect/state/app-store/store-version.js';

let appleSite: AppleSite;
let count = 0;

beforeAll(async () => {
  appleSite = await AppleSite.start();
});
afterAll(() => appleSite.dispose());
beforeEach(() => {
  const { connect } = appleSite;
  connect.faults.clear();
  connect.storage.faults.clear();
  connect.calls.length = 0;
  connect.storage.partSize = 8 * 1024 * 1024;
});

const newApp = (options: AppleSiteApp = {}): Promise<TestFlightApp> =>
  appleSite.app(`com.example.app${++count}`, options);

const uploadsOf = ({ apple }: TestFlightApp): string[] => apple.uploads.map(({ state }) => state);

/** Neither an upload without an end, nor a turn, is left. */
const expectNothingLeft = (app: TestFlightApp): Promise<void> =>
  eventually(async () => {
    await appleSite.hurry();
    expect(uploadsOf(app)).not.toContain('AWAITING_UPLOAD');
    const turns = await appleSite.site.query(
      `SELECT FROM store_turns JOIN submissions ON submissions.id = submission_id WHERE package_name = $1`,
      [app.bundleId],
    );
    expect(turns).toEqual([]);
  });

const GROUPS = { Team: 'internal', Public: 'external', Everyone: 'all-builds' } as const;

describe('a submission', () => {
  it('uploads, answers Apple, writes notes, and gives the build to its groups, of which external ones need a review', async () => {
    const app = await newApp({
      apple: { groups: GROUPS, locales: ['de-DE', 'fr-FR'] },
      destination: { appleBetaGroups: ['Team', 'Public', 'Everyone'] },
    });
    const releaseNotes = { default: 'Faster.', 'de-DE': 'Schneller.' };
    const ended = await app.release('1.4.0', '42', { releaseNotes });
    expect([ended.job.status, ended.submission]).toEqual([
      'succeeded',
      expect.objectContaining({
        state: 'prepared',
        versionCode: '42',
        track: null,
        message:
          "The build is in TestFlight for the groups Team, Public, Everyone. External testers get it after Apple's beta review.",
        link: `https://appstoreconnect.apple.com/apps/${app.apple.id}/testflight/ios/${app.apple.uploads[0]?.id}`,
        storeIds: {
          packageName: app.bundleId,
          appleAppId: app.apple.id,
          buildUploadId: app.apple.uploads[0]?.id,
          buildId: app.builds[0]?.id,
        },
      }),
    ]);
    expect(app.builds).toEqual([
      expect.objectContaining({
        version: '1.4.0',
        buildNumber: '42',
        platform: 'IOS',
        usesNonExemptEncryption: false,
        groups: ['Team', 'Public'],
        notes: { 'en-US': 'Faster.', 'de-DE': 'Schneller.', 'fr-FR': 'Faster.' },
        review: 'WAITING_FOR_REVIEW',
      }),
    ]);
    for (const line of [
      `Submitting ${app.bundleId} 1.4.0 (42) to App Store Connect.`,
      'TestFlight groups: Team (internal), Public (external), Everyone (internal).',
      'bytes (100 %).',
      'Apple is processing the build.',
      'Notes for testers: ',
      "Sent the build to Apple's beta review.",
      'The group Everyone gets every build by itself.',
    ])
      expect(ended.log).toContain(line);
    expect(appleSite.connect.storage.leaks).toEqual([]);
    expect(ended.log).not.toContain(app.key.p8.split('\n')[1]);
    await expectNothingLeft(app);
  });

  it('without groups needs no review, and says that no group has it', async () => {
    const app = await newApp();
    const ended = await app.release('1.0', '1');
    expect(ended.submission).toMatchObject({
      state: 'prepared',
      message: expect.stringContaining('The destination names no groups') as string,
    });
    expect(app.builds).toMatchObject([{ groups: [], review: null, internalState: 'READY_FOR_BETA_TESTING' }]);
  });

  it('finds the app by appleAppId, or by exactly its bundle id', async () => {
    const app = await newApp();
    appleSite.connect.addApp({ team: app.apple.team, bundleId: `${app.bundleId}.beta` });
    expect((await app.release('1.0', '1')).job.status).toBe('succeeded');
    await app.addDestination({ appleAppId: app.apple.id });
    expect((await app.release('1.0', '2')).job.status).toBe('succeeded');
    const other = appleSite.connect.addApp({ team: app.apple.team, bundleId: `${app.bundleId}.pro` });
    await app.addDestination({ appleAppId: other.id });
    const refused = await app.release('1.0', '3');
    expect(refused.submission.message).toContain(`has the bundle id ${other.bundleId}`);
    expect(app.builds).toHaveLength(2);
  });

  it('works with the key of a person, and for tvOS', async () => {
    const app = await newApp({ key: appleSite.connect.addKey({ isIndividual: true }) });
    const build = await app.build('1.0', '1', { platformName: 'appletvos' });
    const ended = await app.end(await app.deploy(build));
    expect([ended.job.status, ended.submission.link]).toEqual([
      'succeeded',
      expect.stringContaining('/testflight/tvos/'),
    ]);
    expect(app.builds).toMatchObject([{ platform: 'TV_OS' }]);
  });

  it('is sent in parts, of which some fail, each to its own address', async () => {
    const app = await newApp();
    const { storage } = appleSite.connect;
    storage.partSize = 300_000;
    storage.faults.add({ kind: 'cut' }, { after: 2 });
    storage.faults.add({ kind: 'lost-response' }, { after: 4 });
    const bytes = await app.ipa('1.0', '1', {
      entries: { 'Payload/App.app/film.bin': randomBytes(2_000_000) },
    });
    const ended = await app.end(await app.deploy(await app.import(bytes)));
    expect([ended.job.status, app.builds.map(({ size }) => size)]).toEqual(['succeeded', [bytes.length]]);
    expect(ended.log).toContain('%).');
    expect(appleSite.connect.callsOf('createBuildUpload')).toHaveLength(1);
  });
});

describe('a build number', () => {
  it('of the very same file needs no second upload, also when the first submission failed after it', async () => {
    const app = await newApp({ apple: { groups: GROUPS }, destination: { appleBetaGroups: ['Team'] } });
    appleSite.connect.refuse('internal group', { call: 'addToGroup', about: app.apple.groups[0]?.id ?? '' });
    appleSite.connect.refuse('FORBIDDEN_ERROR', { call: 'addToGroup' });
    const build = await app.build('1.0', '1');
    const first = await app.end(await app.deploy(build));
    await app.addDestination({ appleBetaGroups: ['Team', 'Public'] });
    const second = await app.end(await app.deploy(build));
    expect([first.job.status, second.job.status]).toEqual(['succeeded', 'failed']);
    const third = await app.end(await app.deploy(build));
    expect([third.job.status, third.log]).toEqual([
      'succeeded',
      expect.stringContaining('has a build of this very file already'),
    ]);
    expect(app.builds).toMatchObject([{ groups: ['Team', 'Public'] }]);
    expect(appleSite.connect.callsOf('createBuildUpload')).toHaveLength(1);
  });

  it('of another file is used, however it is written, also for the same file of another app of Slipway', async () => {
    const app = await newApp();
    const bytes = await app.ipa('1.2', '7');
    await app.end(await app.deploy(await app.import(bytes)));
    const other = await app.release('01.2.0', '7');
    expect([other.job.status, other.submission.message]).toEqual([
      'failed',
      expect.stringContaining('Raise CFBundleVersion'),
    ]);
    const { body } = await app.app.api.post(`/v1/jobs/${other.jobId}/failure-summary`);
    expect((body as { summary: string }).summary).toContain('Raise CFBundleVersion');
    const rival = await appleSite.app(app.bundleId, { key: app.key });
    const same = await rival.end(await rival.deploy(await rival.import(bytes)));
    expect(same.submission.message).toContain('or one that this app has not sent');
    expect(uploadsOf(app)).toEqual(['COMPLETE']);
    await expectNothingLeft(app);
  });

  it('that was only announced by another program is left to it', async () => {
    const app = await newApp();
    appleSite.connect.blocksUnfinishedUploads = false;
    await app.release('1.0', '1');
    app.apple.builds.length = 0;
    const [left] = app.apple.uploads;
    Object.assign(left ?? {}, { state: 'AWAITING_UPLOAD', file: null, build: null });
    const rival = await appleSite.app(app.bundleId, { key: app.key });
    const ended = await rival.release('1.0', '1', {});
    appleSite.connect.blocksUnfinishedUploads = true;
    expect(ended.job.status).toBe('succeeded');
    expect(uploadsOf(app)).toEqual(['AWAITING_UPLOAD', 'COMPLETE']);
  });

  it('is for one submission at a time: two destinations at once get one build', async () => {
    const app = await newApp({ apple: { groups: GROUPS }, destination: { appleBetaGroups: ['Team'] } });
    const build = await app.build('1.0', '1');
    const hold = appleSite.connect.hold('commitFile');
    const first = await app.deploy(build);
    await hold.arrived;
    await app.addDestination({ appleBetaGroups: ['Public'] });
    const second = await app.deploy(build);
    await eventually(async () =>
      expect((await app.deployment(second.id)).submission.message).toBe(
        `Waits for the deployment ${first.id}: App Store Connect gets one upload of a build number at a time.`,
      ),
    );
    hold.release();
    expect((await app.end(first)).job.status).toBe('succeeded');
    expect((await app.end(second)).job.status).toBe('succeeded');
    expect(app.builds).toMatchObject([{ groups: ['Team', 'Public'] }]);
    expect(appleSite.connect.callsOf('createBuildUpload')).toHaveLength(1);
    await expectNothingLeft(app);
  });

  it('of two files at once belongs to the first one', async () => {
    const app = await newApp();
    const builds = [await app.build('1.0', '1'), await app.build('1.0.0', '1', { label: 'Other' })];
    const hold = appleSite.connect.hold('commitFile');
    const first = await app.deploy(builds[0] ?? '');
    await hold.arrived;
    const second = await app.deploy(builds[1] ?? '');
    await eventually(async () =>
      expect((await app.deployment(second.id)).submission.message).toContain('Waits for the deployment'),
    );
    const rival = await appleSite.app(app.bundleId, { key: app.key });
    const third = await rival.deploy(await rival.build('1', '1', { label: 'Third' }));
    await eventually(async () => {
      const { message } = (await rival.deployment(third.id)).submission;
      expect(message).toContain('Waits for another submission');
      expect(message).not.toContain(first.id);
    });
    hold.release();
    expect((await app.end(first)).job.status).toBe('succeeded');
    expect((await app.end(second)).submission.message).toContain('Raise CFBundleVersion');
    expect((await rival.end(third)).submission.message).toContain('Raise CFBundleVersion');
    expect(app.builds).toHaveLength(1);
  });

  it('is not delayed by a forged key that names the same key and app', async () => {
    const app = await newApp();
    const forged = { ...app.key, p8: appleSite.connect.addKey().p8 };
    const attacker = await appleSite.app(app.bundleId, { key: forged });
    const attack = await attacker.end(await attacker.deploy(await attacker.build('1.0', '1')));
    expect(attack.job.status).toBe('failed');
    const ended = await app.release('1.0', '1');
    expect([ended.job.status, ended.log]).toEqual(['succeeded', expect.not.stringContaining('Waits for')]);
  });

  it('is not waited for longer than the operator says', async () => {
    const app = await newApp();
    const build = await app.build('1.0', '1');
    const hold = appleSite.connect.hold('commitFile');
    const first = await app.deploy(build);
    await hold.arrived;
    await app.addDestination();
    const second = await app.deploy(build);
    await eventually(async () =>
      expect((await app.deployment(second.id)).submission.message).toContain('Waits for'),
    );
    await appleSite.site.query(
      `UPDATE submissions SET waiting_since = waiting_since - interval '25 hours' WHERE id = $1`,
      [second.id],
    );
    expect((await app.end(second)).submission.message).toContain('It has waited for 24 hours');
    hold.release();
    expect((await app.end(first)).job.status).toBe('succeeded');
  });
});

describe('before the upload', () => {
  const refusedBefore = async (app: TestFlightApp, says: string, values: object = {}): Promise<void> => {
    const ended = await app.release('1.2', '1', values);
    expect([ended.job.status, ended.submission.message]).toEqual(['failed', expect.stringContaining(says)]);
    expect(ended.job['statusMessage']).toBe(ended.submission.message);
    expect(String(ended.submission.message).length).toBeLessThanOrEqual(300);
    expect(app.apple.uploads).toEqual([]);
    await expectNothingLeft(app);
  };

  it('names the groups when one is missing, or two have one name', async () => {
    const app = await newApp({
      apple: { groups: { Team: 'internal', 'Team 2': 'internal' } },
      destination: { appleBetaGroups: ['team'] },
    });
    await refusedBefore(app, 'no TestFlight group "team": the store has "Team" in another case.');
  });

  it('compares names of groups with the blanks that they have at Apple', async () => {
    const groups = { 'Beta ': 'internal', Team: 'internal' } as const;
    const near = await newApp({ apple: { groups }, destination: { appleBetaGroups: ['Beta'] } });
    await refusedBefore(near, 'the store has "Beta " with a blank at the end. Correct appleBetaGroups');
    const same = await newApp({ apple: { groups }, destination: { appleBetaGroups: ['Beta '] } });
    expect((await same.release('1.2', '1', {})).job.status).toBe('succeeded');
    expect(same.builds).toMatchObject([{ groups: ['Beta '] }]);
  });

  it('sends notes composed and without invisible characters', async () => {
    const app = await newApp();
    const releaseNotes = { default: '\uFEFFНовый и\u0306\u200B,\r\ncafe\u0301\u00A0!\r\n' };
    const ended = await app.release('1.2', '1', { releaseNotes });
    expect(ended.job.status).toBe('succeeded');
    expect(app.builds[0]?.notes).toEqual({ 'en-US': 'Новый й,\ncafé\u00A0!' });
  });

  it.each(['1.2.0', '2.0'])('sees that an approved %s has closed the train of 1.2', async (versionString) => {
    const app = await newApp();
    addVersion(app.apple, { versionString, state: 'PENDING_DEVELOPER_RELEASE' });
    addVersion(app.apple, { versionString: '9.0', state: 'PREPARE_FOR_SUBMISSION' });
    addVersion(app.apple, { versionString: '8.0', platform: 'TV_OS' });
    await refusedBefore(app, `Raise CFBundleShortVersionString above ${versionString}`);
  });

  it('says that the key shows no such app', async () => {
    const app = await newApp({ key: appleSite.connect.addKey({ team: appleSite.connect.addTeam() }) });
    await refusedBefore(app, `shows this key no app with the bundle id ${app.bundleId}`);
  });

  it('says that App Store Connect has no app with the id of the destination', async () => {
    const app = await newApp({ destination: { appleAppId: '1234567890' } });
    await refusedBefore(app, 'app');
  });
});
