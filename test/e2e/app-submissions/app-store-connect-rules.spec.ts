import { randomBytes } from 'node:crypto';
import { someOf } from '../../setup/depth.js';
import { eventually } from '../../support/eventually.js';
import { expectError } from '../../support/http/expect-error.js';
import type { HostileOperations } from '../../support/stores/app-store-connect/delivery/hostile-operations.js';
import { AppleSite, type AppleSiteApp, type TestFlightApp } from '../../support/stores/apple-submissions.js';
import type { TestStoreDeployment } from '../../support/stores/store-submissions.js';

let appleSite: AppleSite;
let count = 0;

beforeAll(async () => {
  appleSite = await AppleSite.start();
});
afterAll(() => appleSite.dispose());
beforeEach(async () => {
  const { connect } = appleSite;
  connect.faults.clear();
  connect.storage.faults.clear();
  connect.calls.length = 0;
  connect.hostileOperations = null;
  connect.keys.clockOffset = 0;
  connect.storage.partSize = 8 * 1024 * 1024;
  connect.plannedFailures.length = 0;
  Object.assign(connect.processing, { polls: 1, buildPolls: 0, buildState: 'VALID', pollsWithoutName: 0 });
  connect.processing.groupsMissing = 0;
});

const newApp = (options: AppleSiteApp = {}): Promise<TestFlightApp> =>
  appleSite.app(`com.example.rules${++count}`, options);

const cancel = (app: TestFlightApp, { jobId }: TestStoreDeployment) =>
  app.app.api.patch(`/v1/jobs/${jobId}`, { status: 'canceled' });

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

/** Waits for a call, which comes after others that wait for a time. */
async function arrivalOf(hold: { arrived: Promise<void> }): Promise<void> {
  let hasArrived = false;
  void hold.arrived.then(() => (hasArrived = true));
  await eventually(async () => {
    await appleSite.hurry();
    expect(hasArrived).toBe(true);
  });
}

const GROUPS = { Team: 'internal', Public: 'external' } as const;
const BOTH = { apple: { groups: GROUPS }, destination: { appleBetaGroups: ['Team', 'Public'] } };

describe('an end in the middle', () => {
  it('by the user before the end of the upload deletes it, and frees the number', async () => {
    const app = await newApp();
    const hold = appleSite.connect.storage.faults.hold({}, 'before');
    const first = await app.deploy(await app.build('1.0', '1'));
    await hold.arrived;
    expect((await cancel(app, first)).status).toBe(200);
    hold.release();
    await expectNothingLeft(app);
    expect(app.apple.uploads).toEqual([]);
    expect((await app.deployment(first.id)).submission.message).toBe('The submission was canceled.');
    const other = await app.release('1.0', '1', {});
    expect([other.job.status, app.builds.length]).toEqual(['succeeded', 1]);
  });

  it('by the user while the upload is created deletes it, too', async () => {
    const app = await newApp();
    const hold = appleSite.connect.hold('createBuildUpload', 'after');
    const first = await app.deploy(await app.build('1.0', '1'));
    await hold.arrived;
    expect((await cancel(app, first)).status).toBe(200);
    hold.release();
    await expectNothingLeft(app);
    expect(app.apple.uploads).toEqual([]);
  });

  it('is a 409 from the moment the end of the upload is sent', async () => {
    const app = await newApp();
    const hold = appleSite.connect.hold('commitFile');
    const deployment = await app.deploy(await app.build('1.0', '1'));
    await hold.arrived;
    expectError(await cancel(app, deployment), 409, 'submission_committed');
    hold.release();
    expect((await app.end(deployment)).job.status).toBe('succeeded');
    expect(app.builds).toHaveLength(1);
  });

  it('by another key, app or list of groups of the destination has a sentence', async () => {
    const changes = {
      appleApiKeyId: 'OTHERKEY12',
      appleIssuerId: 'c1b9a9a4-9f4e-4dbb-8d4e-5d1c3f0f5d2a',
      appleAppId: '1234567890',
      appleBetaGroups: ['Public'],
    };
    for (const [name, value] of Object.entries(changes)) {
      const app = await newApp(BOTH);
      const hold = appleSite.connect.storage.faults.hold({}, 'before');
      const deployment = await app.deploy(await app.build('1.0', '1'));
      await hold.arrived;
      const path = `${app.app.path}/destinations/${app.destinationId}`;
      expect((await app.app.api.patch(path, { [name]: value })).status).toBe(200);
      hold.release();
      const ended = await app.end(deployment);
      expect([name, ended.submission.message]).toEqual([
        name,
        expect.stringContaining('of the destination was changed or removed'),
      ]);
      expect(app.builds).toEqual([]);
      await expectNothingLeft(app);
    }
  });

  it('by a key that is revoked in the middle of the upload', async () => {
    const app = await newApp();
    const hold = appleSite.connect.storage.faults.hold({}, 'before');
    const deployment = await app.deploy(await app.build('1.0', '1'));
    await hold.arrived;
    appleSite.connect.keys.revoke(app.key.keyId);
    hold.release();
    const ended = await app.end(deployment);
    expect([ended.job.status, ended.submission.state]).toEqual(['failed', 'failed']);
    expect(ended.submission.message).toMatch(/key/);
    expect(app.builds).toEqual([]);
  });

  it('with the whole app of Slipway leaves no upload and no work', async () => {
    const app = await newApp();
    const hold = appleSite.connect.storage.faults.hold({}, 'before');
    await app.deploy(await app.build('1.0', '1'));
    await hold.arrived;
    expect((await app.app.api.delete(app.app.path)).status).toBe(204);
    hold.release();
    await eventually(async () => {
      const left = await appleSite.site.query(
        `SELECT state FROM queue.job WHERE name = 'submissions' AND state IN ('created', 'retry', 'active')`,
      );
      expect(left).toEqual([]);
    });
    appleSite.site.expectAlive();
    expect(app.builds).toEqual([]);
  });

  it('by Apple, which has the app no more', async () => {
    const app = await newApp();
    const hold = appleSite.connect.hold('commitFile', 'after');
    const deployment = await app.deploy(await app.build('1.0', '1'));
    await hold.arrived;
    appleSite.connect.state.apps.delete(app.apple.id);
    hold.release();
    const ended = await app.end(deployment);
    expect([ended.job.status, ended.submission.message]).toEqual([
      'failed',
      expect.stringContaining('App Store Connect'),
    ]);
  });
});

describe('an upload', () => {
  it('whose addresses have expired is begun again, and ends in one build', async () => {
    const app = await newApp();
    const { storage } = appleSite.connect;
    storage.partSize = 300_000;
    const entries = { 'Payload/App.app/film.bin': randomBytes(2_000_000) };
    const hold = storage.faults.hold({ after: 3 }, 'before');
    const deployment = await app.deploy(await app.build('1.0', '1', { entries }));
    await hold.arrived;
    storage.expireOperations();
    hold.release();
    const ended = await app.end(deployment);
    expect([ended.job.status, app.builds.length]).toEqual(['succeeded', 1]);
    expect(uploadsOf(app)).toEqual(['COMPLETE']);
  });

  it.each(
    someOf([
      'private-address',
      'private-https-address',
      'no-url',
      'expired',
      'none',
      'gap',
      'negative',
      'beyond-the-end',
      'many',
      'other-method',
      'broken-header',
    ] satisfies readonly HostileOperations[]),
  )('with operations that no client should follow (%s) ends', async (kind) => {
    const app = await newApp();
    appleSite.connect.hostileOperations = kind;
    const deployment = await app.deploy(await app.build('1.0', '1'));
    const ended = await app.end(deployment, 60_000);
    expect([ended.job.status, ended.submission.state]).toEqual(['failed', 'failed']);
    expect(String(ended.submission.message).length).toBeLessThanOrEqual(300);
    expect(app.builds).toEqual([]);
    expect(appleSite.connect.callsOf('createBuildUpload').length).toBeLessThanOrEqual(5);
    appleSite.connect.hostileOperations = null;
    await expectNothingLeft(app);
  });

  it('sends no token to the addresses of parts, and goes on with a new token after them', async () => {
    const app = await newApp();
    const hold = appleSite.connect.storage.faults.hold({}, 'before');
    const deployment = await app.deploy(await app.build('1.0', '1'));
    await hold.arrived;
    hold.release();
    expect((await app.end(deployment)).job.status).toBe('succeeded');
    expect(appleSite.connect.storage.leaks).toEqual([]);
    const [before] = appleSite.connect.callsOf('createBuildUploadFile');
    const [after] = appleSite.connect.callsOf('commitFile');
    expect(after?.headers.authorization).toMatch(/^Bearer eyJ/);
    expect(after?.headers.authorization).not.toBe(before?.headers.authorization);
    const { body } = await app.app.api.get(`${app.app.path}/deployments/${deployment.id}/requests`);
    expect(JSON.stringify(body)).not.toContain('X-Amz-Signature=');
    expect(JSON.stringify(body)).not.toContain('eyJ');
  });
});

describe('a clock that is ten minutes off', () => {
  it('is named, before anything is uploaded', async () => {
    const app = await newApp();
    appleSite.connect.keys.clockOffset = -600_000;
    const ended = await app.release('1.0', '1');
    expect([ended.job.status, ended.submission.message]).toEqual([
      'failed',
      expect.stringContaining('10 minutes ahead'),
    ]);
    expect(app.apple.uploads).toEqual([]);
    await expectNothingLeft(app);
  });
});

describe('the processing', () => {
  it.each(
    someOf([
      [90683, 'NSCameraUsageDescription'],
      [90725, 'iOS 26 SDK'],
      [90054, 'bundle id'],
      [90189, 'build number'],
    ] as const),
  )('that fails with %s has a sentence, and the words of Apple in the log', async (code, words) => {
    const app = await newApp();
    appleSite.connect.failProcessing([code], { bundleId: app.bundleId });
    const ended = await app.release('1.0', '1');
    expect([ended.job.status, ended.submission.state]).toEqual(['failed', 'failed']);
    expect(ended.log).toContain(String(code));
    expect(ended.log.toLowerCase()).toContain(words.toLowerCase());
    expect(ended.submission.message).not.toContain('stays in App Store Connect');
    expect(String(ended.job['statusMessage']).length).toBeLessThanOrEqual(300);
    expect([app.builds, uploadsOf(app)]).toEqual([[], ['FAILED']]);
    await expectNothingLeft(app);
    // The number is free.
    const again = await app.release('1.0', '1', {});
    expect([again.job.status, app.builds.length]).toEqual(['succeeded', 1]);
  });

  it('names each of several errors in the log', async () => {
    const app = await newApp();
    appleSite.connect.failProcessing([90062, 90186, 90683], { bundleId: app.bundleId });
    const { log, jobId } = await app.release('1.0', '1');
    for (const code of ['90062', '90186', '90683']) expect(log).toContain(code);
    const { body } = await app.app.api.post(`/v1/jobs/${jobId}/failure-summary`);
    expect((body as { summary: string }).summary).toContain('What to do:');
  });

  it('takes as long as it takes: builds that show before their upload names them, and work in progress', async () => {
    const app = await newApp(BOTH);
    Object.assign(appleSite.connect.processing, {
      polls: 4,
      pollsWithoutName: 3,
      buildPolls: 3,
      groupsMissing: 2,
    });
    const ended = await app.release('1.0', '1');
    expect([ended.job.status, app.builds]).toEqual([
      'succeeded',
      [expect.objectContaining({ groups: ['Team', 'Public'] })],
    ]);
  });

  it.each(['INVALID', 'FAILED'] as const)(
    'that ends with a build that is %s needs another build',
    async (state) => {
      const app = await newApp();
      appleSite.connect.processing.buildState = state;
      const ended = await app.release('1.0', '1');
      expect(ended.submission.message).toContain('Raise CFBundleVersion');
      expect(ended.submission.message).not.toContain('stays in App Store Connect');
    },
  );

  it('that never ends is over after twelve hours, and another submission goes on with the build', async () => {
    const app = await newApp();
    appleSite.connect.processing.polls = Infinity;
    const build = await app.build('1.0', '1');
    const deployment = await app.deploy(build);
    await eventually(async () =>
      expect(await app.log(deployment)).toContain('Apple is processing the build.'),
    );
    await appleSite.site.query(
      `UPDATE submissions SET external = jsonb_set(external, '{processingSince}', to_jsonb(now() - interval '13 hours'))
        WHERE id = $1`,
      [deployment.id],
    );
    const ended = await app.end(deployment);
    expect(ended.submission.message).toContain('for 12 hours');
    expect(ended.submission.message).toContain('The build stays in App Store Connect');
    Object.assign(app.apple.uploads[0] ?? {}, { pollsLeft: 0 });
    const next = await app.end(await app.deploy(build));
    expect([next.job.status, app.builds.length]).toEqual(['succeeded', 1]);
    expect(appleSite.connect.callsOf('createBuildUpload')).toHaveLength(1);
  });

  it('that finds nothing for a while goes on, and ends when that goes on', async () => {
    const app = await newApp();
    appleSite.connect.refuse('NOT_FOUND', { call: 'buildUpload', times: 3 });
    expect((await app.release('1.0', '1')).job.status).toBe('succeeded');
    appleSite.connect.refuse('NOT_FOUND', { call: 'buildUpload', times: Infinity });
    const ended = await app.release('1.0', '2');
    expect([ended.job.status, ended.submission.message]).toEqual([
      'failed',
      expect.stringContaining('another submission of this build looks first'),
    ]);
    appleSite.connect.faults.clear();
  });

  it('that changes its mind goes on, also with a state that is not documented', async () => {
    const app = await newApp();
    appleSite.connect.processing.buildPolls = 20;
    const deployment = await app.deploy(await app.build('1.0', '1'));
    const says = async (text: string): Promise<void> =>
      eventually(async () => {
        await appleSite.hurry();
        expect(await app.log(deployment)).toContain(text);
      });
    await says('Apple has processed the upload.');
    const [upload] = app.apple.uploads;
    Object.assign(upload ?? {}, { state: 'REVIEWING' });
    await says('calls the state of the upload REVIEWING');
    Object.assign(upload ?? {}, { state: 'AWAITING_UPLOAD' });
    await says('still waits for the file');
    Object.assign(upload ?? {}, { state: 'COMPLETE' });
    Object.assign(app.apple.builds[0] ?? {}, { pollsLeft: 0 });
    expect((await app.end(deployment)).job.status).toBe('succeeded');
    expect(upload?.file?.commits).toBe(1);
  });
});

describe('export compliance', () => {
  it('comes from the file first, which has answered Apple already', async () => {
    const app = await newApp({
      apple: { hasEncryptionDeclaration: true },
      destination: { appleUsesNonExemptEncryption: false },
    });
    const build = await app.build('1.0', '1', { usesNonExemptEncryption: true });
    const ended = await app.end(await app.deploy(build));
    expect([ended.job.status, app.builds]).toEqual([
      'succeeded',
      [expect.objectContaining({ usesNonExemptEncryption: true })],
    ]);
    expect(appleSite.connect.callsOf('updateBuild')).toEqual([]);
  });

  it('of a build that uses encryption needs an approved declaration; then the build that is there is used', async () => {
    const app = await newApp({ destination: { appleUsesNonExemptEncryption: true } });
    const build = await app.build('1.0', '1');
    const ended = await app.end(await app.deploy(build));
    expect([ended.job.status, ended.submission.message]).toEqual([
      'failed',
      expect.stringContaining('Apple wants documents about the encryption'),
    ]);
    expect(ended.submission.link).toContain('https://appstoreconnect.apple.com/apps/');
    app.apple.hasEncryptionDeclaration = true;
    const next = await app.end(await app.deploy(build));
    expect([next.job.status, app.builds.length]).toEqual(['succeeded', 1]);
  });

  it('that Apple has otherwise needs another build', async () => {
    const app = await newApp();
    const hold = appleSite.connect.hold('updateBuild');
    const deployment = await app.deploy(await app.build('1.0', '1'));
    await arrivalOf(hold);
    const [build] = app.apple.builds;
    if (build !== undefined) build.usesNonExemptEncryption = true;
    hold.release();
    const ended = await app.end(deployment);
    expect(ended.submission.message).toContain('has the answer yes about the encryption of this build');
  });
});

describe('groups and the beta review', () => {
  it('that a person has approved before end in the same build', async () => {
    const app = await newApp(BOTH);
    const build = await app.build('1.0', '1');
    await app.end(await app.deploy(build));
    appleSite.connect.reviewBuild(app.builds[0]?.id ?? '', 'APPROVED');
    const ended = await app.end(await app.deploy(build, { force: true }));
    expect(ended.submission.message).toContain("Apple's beta review has approved it.");
    expect(appleSite.connect.callsOf('betaReview')).toHaveLength(1);
  });

  it('that Apple has rejected need another build', async () => {
    const app = await newApp(BOTH);
    const build = await app.build('1.0', '1');
    await app.end(await app.deploy(build));
    appleSite.connect.reviewBuild(app.builds[0]?.id ?? '', 'REJECTED');
    const ended = await app.end(await app.deploy(build, { force: true }));
    expect(ended.submission.message).toContain("Apple's beta review has rejected this build");
  });

  it('that were deleted meanwhile are named', async () => {
    const app = await newApp(BOTH);
    const hold = appleSite.connect.hold('addToGroup');
    const deployment = await app.deploy(await app.build('1.0', '1'));
    await arrivalOf(hold);
    app.apple.groups.splice(0, 1);
    hold.release();
    const ended = await app.end(deployment);
    expect(ended.submission.message).toContain('no TestFlight group "Team". It has Public.');
    expect(ended.submission.message).toContain('The build stays in App Store Connect');
  });
});

describe('a key without calls left', () => {
  it('is waited for, without an attempt, and the submission goes on', async () => {
    const app = await newApp();
    appleSite.connect.refuse('RATE_LIMIT_EXCEEDED', { call: 'buildUpload' });
    const ended = await app.release('1.0', '1');
    expect([ended.job.status, app.builds.length]).toEqual(['succeeded', 1]);
  });
});
