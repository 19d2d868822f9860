import { eventually } from '../../support/eventually.js';
import type { PlayApp, Release } from '../../support/stores/google-play/publisher/play-state.js';
import { PlaySite, type PublishedApp } from '../../support/stores/play-submissions.js';
import type { EndedSubmission, TestStoreDeployment } from '../../support/stores/store-submissions.js';

let playSite: PlaySite;
let count = 0;

beforeAll(async () => {
  playSite = await PlaySite.start();
});
afterAll(() => playSite.dispose());
beforeEach(() => {
  playSite.play.faults.clear();
  playSite.play.calls.length = 0;
});

const OLDER: Release = { status: 'completed', versionCodes: ['1'], lifecycle: 'PUBLISHED' };
const release = (status: Release['status'], userFraction?: number): Release => ({
  status,
  versionCodes: ['42'],
  ...(userFraction !== undefined && { userFraction }),
  lifecycle: 'PUBLISHED',
});

/** A release that is rolled out to 20 % of the users of an app of its own. */
async function rollOut(
  values: Parameters<PlaySite['app']>[1] = {},
  deployment: object = {},
): Promise<{ app: PublishedApp; id: string }> {
  const play = { tracks: { production: [OLDER] }, ...values.play };
  const app = await playSite.app(`com.example.rollout${++count}`, { ...values, play });
  const ended = await app.release(42, { rolloutPercentage: 0.2, ...deployment });
  expect([ended.job.status, ended.submission.release?.status]).toEqual(['succeeded', 'rolling_out']);
  playSite.play.calls.length = 0;
  return { app, id: ended.id };
}

const shareOf = async (app: PublishedApp, id: string): Promise<unknown> =>
  ((await app.deployment(id)) as TestStoreDeployment & { rolloutPercentage: number }).rolloutPercentage;

/** A change that has failed: with one sentence, which is in its log as well. */
function expectFailed({ job, log }: EndedSubmission, sentence: string): void {
  expect([job.status, job['statusMessage']]).toEqual(['failed', expect.stringContaining(sentence)]);
  expect(String(job['statusMessage']).length).toBeLessThanOrEqual(300);
  expect(log).toContain(sentence);
}

const START = '42 inProgress 0.2, 1 completed';

describe('a staged rollout', () => {
  it('grows, is halted, resumes and is completed, and nothing else of the release changes', async () => {
    const deployment = { releaseNotes: { default: 'Faster.\nSafer.' }, inAppUpdatePriority: 3 };
    const { app, id } = await rollOut({}, deployment);
    const shares: unknown[] = [];
    for (const share of [0.5, 0, 0.5, 0.75, 1]) {
      const { job, log, submission } = await app.setShare(id, share);
      expect([job.status, job['appDeploymentId'], submission.openAction]).toEqual(['succeeded', id, null]);
      expect(log).toContain(`of Google Play to ${100 * share} %.`);
      const { status, rolloutPercentage, resumePercentage, storeStatus } = submission.release ?? {};
      shares.push([status, rolloutPercentage, resumePercentage, storeStatus, await shareOf(app, id)]);
    }
    expect(shares).toEqual([
      ['rolling_out', 0.5, null, 'PUBLISHED', 0.5],
      ['halted', 0, 0.5, 'PUBLISHED', 0],
      ['rolling_out', 0.5, null, 'PUBLISHED', 0.5],
      ['rolling_out', 0.75, null, 'PUBLISHED', 0.75],
      ['released', 1, null, 'PUBLISHED', 1],
    ]);
    expect(app.historyOf()).toEqual([
      '1 completed',
      START,
      '42 inProgress 0.5, 1 completed',
      '42 halted 0.5, 1 completed',
      '42 inProgress 0.5, 1 completed',
      '42 inProgress 0.75, 1 completed',
      '42 completed',
    ]);
    for (const made of playSite.play.committed.filter(({ packageName }) => packageName === app.packageName)) {
      expect(made.release).toMatchObject({
        inAppUpdatePriority: 3,
        releaseNotes: [{ language: 'en-US', text: 'Faster.\nSafer.' }],
      });
    }
    expect(playSite.play.callsOf('startUpload')).toEqual([]);
    expect(playSite.play.callsOf('commit').map(({ query }) => query)).toEqual(
      Array(5).fill(expect.stringContaining('changesInReviewBehavior=ERROR_IF_IN_REVIEW')),
    );
    await app.expectNothingLeft();
  });

  it('leaves drafts, and what people have written in the Play Console, as they are', async () => {
    const { app, id } = await rollOut({ play: { languages: ['de-DE'] } });
    const draft: Release = { status: 'draft', versionCodes: ['43'], name: 'Next', lifecycle: 'DRAFT' };
    const named: Release = {
      ...release('inProgress', 0.2),
      name: 'Summer',
      releaseNotes: [{ language: 'de-DE', text: 'Schöner' }],
      countryTargeting: { countries: ['DE'], includeRestOfWorld: false },
    };
    playSite.play.setTrack(app.packageName, 'production', [draft, named, { ...OLDER, name: 'Spring' }]);
    expect((await app.setShare(id, 0.3)).job['statusMessage']).toBeNull();
    const tracks = playSite.play.app(app.packageName).tracks.get('production');
    expect(tracks).toEqual([{ ...named, userFraction: 0.3 }, draft, { ...OLDER, name: 'Spring' }]);
  });

  it('does not change by the share that it has, and once by two requests for the same', async () => {
    const { app, id } = await rollOut();
    expect((await app.patchShare(id, 0.2)).status).toBe(200);
    expect((await app.deployment(id)).submission.openAction).toBeNull();
    const hold = playSite.play.hold('validate');
    const first = await app.beginShare(id, 0.4);
    expect((await app.beginShare(id, 0.4)).jobId).toBe(first.jobId);
    expect((await app.patchShare(id, 0.6)).body).toMatchObject({ code: 'release_busy' });
    await hold.arrived;
    hold.release();
    expect((await app.end(first)).job.status).toBe('succeeded');
    expect(app.historyOf()).toEqual(['1 completed', START, '42 inProgress 0.4, 1 completed']);
  });

  it('does not shrink', async () => {
    const { app, id } = await rollOut();
    expect((await app.patchShare(id, 0.1)).status).toBe(400);
    await app.setShare(id, 0);
    expect((await app.patchShare(id, 0.1)).status).toBe(400);
    expect(app.historyOf()).toEqual(['1 completed', START, '42 halted 0.2, 1 completed']);
  });
});

describe('what people do in the Play Console meanwhile', () => {
  const setTrack = (app: PublishedApp, ...releases: readonly Release[]): void =>
    playSite.play.setTrack(app.packageName, 'production', releases);

  it('a higher share refuses a lower one with the real number, which Slipway knows from then on', async () => {
    const { app, id } = await rollOut();
    setTrack(app, release('inProgress', 0.6), OLDER);
    const ended = await app.setShare(id, 0.5);
    expectFailed(
      ended,
      'The rollout is at 60 % in Google Play, where a share only grows, so 50 % is too low.',
    );
    expect(ended.submission.release).toMatchObject({ status: 'rolling_out', rolloutPercentage: 0.6 });
    expect((await app.setShare(id, 0.7)).job.status).toBe('succeeded');
    await app.expectNothingLeft();
  });

  it('a rollout that was halted there resumes, with no less than it had', async () => {
    const { app, id } = await rollOut();
    setTrack(app, release('halted', 0.5), OLDER);
    const ended = await app.setShare(id, 0.4);
    expectFailed(ended, 'The rollout was halted at 50 % in Google Play');
    expect(ended.submission.release).toMatchObject({ status: 'halted', resumePercentage: 0.5 });
    expect((await app.setShare(id, 0.5)).submission.release?.status).toBe('rolling_out');
  });

  it('a release that was completed there is done for 1, and takes no other share', async () => {
    const { app, id } = await rollOut();
    setTrack(app, release('completed'));
    const ended = await app.setShare(id, 0.5);
    expectFailed(ended, 'All users get the release already');
    expect(ended.submission.release).toMatchObject({ status: 'released', rolloutPercentage: 1 });

    const other = await rollOut();
    setTrack(other.app, release('completed'));
    const done = await other.app.setShare(other.id, 1);
    expect([done.job.status, done.submission.release?.status]).toEqual(['succeeded', 'released']);
    expect(playSite.play.callsOf('commit')).toEqual([]);
    await other.app.expectNothingLeft();
  });

  it.each([
    ['removed', [OLDER], 'has no release with the version code 42 any more'],
    [
      'replaced',
      [{ status: 'completed', versionCodes: ['43'], lifecycle: 'PUBLISHED' }],
      'has the version code 43 in place of 42',
    ],
  ] as const)('a release that was %s has no share', async (status, releases, sentence) => {
    const { app, id } = await rollOut();
    setTrack(app, ...releases);
    const ended = await app.setShare(id, 0.5);
    expectFailed(ended, sentence);
    expect(ended.submission.release?.status).toBe(status);
    await app.expectNothingLeft();
  });

  it('a change of the app in the middle of an edit begins another one', async () => {
    const { app, id } = await rollOut();
    const hold = playSite.play.hold('validate');
    const change = await app.beginShare(id, 0.5);
    await hold.arrived;
    setTrack(app, release('inProgress', 0.3), OLDER);
    hold.release();
    expect((await app.end(change)).job.status).toBe('succeeded');
    expect(app.historyOf().slice(1)).toEqual([
      START,
      '42 inProgress 0.3, 1 completed',
      '42 inProgress 0.5, 1 completed',
    ]);
  });
});

describe('a response of Google Play that was lost', () => {
  it.each(['insert', 'track', 'updateTrack', 'validate', 'commit'] as const)(
    'to %s changes the share once',
    async (call) => {
      const { app, id } = await rollOut();
      playSite.play.fail('lost-response', { call, packageName: app.packageName });
      const { job, submission } = await app.setShare(id, 0.5);
      expect([job.status, submission.release?.rolloutPercentage]).toEqual(['succeeded', 0.5]);
      expect(app.historyOf()).toEqual(['1 completed', START, '42 inProgress 0.5, 1 completed']);
      await app.expectNothingLeft();
    },
  );

  it('to a commit that a person has gone on from is no failure', async () => {
    const { app, id } = await rollOut();
    playSite.play.fail('lost-response', { call: 'commit', packageName: app.packageName });
    const change = await app.beginShare(id, 0.5);
    await eventually(() => expect(app.historyOf().at(-1)).toBe('42 inProgress 0.5, 1 completed'));
    playSite.play.setTrack(app.packageName, 'production', [release('inProgress', 0.6), OLDER]);
    const { job, submission } = await app.end(change);
    expect([job.status, submission.release?.rolloutPercentage]).toEqual(['succeeded', 0.6]);
  });

  it('to every commit ends with a sentence, and what the store has', async () => {
    const { app, id } = await rollOut();
    playSite.play.refuse('null message', { call: 'commit', times: Infinity, packageName: app.packageName });
    const ended = await app.setShare(id, 0.5, 60_000);
    expectFailed(ended, 'Make the change in the Play Console, which often shows the cause');
    expect(ended.submission.release).toMatchObject({ status: 'rolling_out', rolloutPercentage: 0.2 });
    expect(app.historyOf()).toEqual(['1 completed', START]);
    await app.expectNothingLeft();
  });
});

describe('a change', () => {
  it('that is canceled before the commit leaves no edit, and the next one goes on', async () => {
    const { app, id } = await rollOut();
    const hold = playSite.play.hold('validate');
    const change = await app.beginShare(id, 0.5);
    await hold.arrived;
    const canceled = await app.app.api.patch(`/v1/jobs/${change.jobId}`, { status: 'canceled' });
    expect(canceled.status).toBe(200);
    hold.release();
    await app.expectNothingLeft();
    expect((await app.deployment(id)).submission).toMatchObject({
      state: 'prepared',
      openAction: null,
      release: { rolloutPercentage: 0.2 },
    });
    expect((await app.setShare(id, 0.4)).job.status).toBe('succeeded');
    expect(app.historyOf().slice(1)).toEqual([START, '42 inProgress 0.4, 1 completed']);
  });

  it('cannot be canceled while it is committed', async () => {
    const { app, id } = await rollOut();
    const hold = playSite.play.hold('commit');
    const change = await app.beginShare(id, 0.5);
    await hold.arrived;
    const { status, body } = await app.app.api.patch(`/v1/jobs/${change.jobId}`, { status: 'canceled' });
    expect([status, body]).toEqual([409, expect.objectContaining({ code: 'submission_committed' })]);
    hold.release();
    expect((await app.end(change)).job.status).toBe('succeeded');
  });

  it('waits for no review that it would end', async () => {
    const { app, id } = await rollOut();
    playSite.play.changeInConsole(app.packageName, (one: PlayApp) => void (one.isInReview = true));
    const ended = await app.setShare(id, 0.5);
    expectFailed(
      ended,
      'Wait until the review ends, or end it in the Play Console; then set the share again.',
    );
    expect(app.historyOf()).toEqual(['1 completed', START]);
    await app.expectNothingLeft();
  });

  it('after a rejection waits for a person to send it, which the deployment says', async () => {
    const { app, id } = await rollOut();
    playSite.play.changeInConsole(app.packageName, (one: PlayApp) => void (one.isRejected = true));
    const { job, log } = await app.setShare(id, 0.5);
    expect(job.status).toBe('succeeded');
    expect(log).toContain('The change is not sent for review. Send it in the Play Console');
    expect(app.historyOf().at(-1)).toBe('42 inProgress 0.5, 1 completed');
  });

  it('takes turns with others of its account and app', async () => {
    const { app, id } = await rollOut();
    await app.addDestination({ googlePlayTrack: 'beta' });
    playSite.play.setTrack(app.packageName, 'beta', [OLDER]);
    const beta = await app.release(50, { rolloutPercentage: 0.1 });
    const changes = await Promise.all([app.beginShare(id, 0.5), app.beginShare(beta.id, 0.3)]);
    const ended = await Promise.all(changes.map((change) => app.end(change)));
    expect(ended.map(({ job }) => job.status)).toEqual(['succeeded', 'succeeded']);
    expect([app.historyOf().at(-1), app.historyOf('beta').at(-1)]).toEqual([
      '42 inProgress 0.5, 1 completed',
      '50 inProgress 0.3, 1 completed',
    ]);
    // One never ends the edit of the other.
    expect(ended.map(({ log }) => log).join()).not.toContain('edit has been deleted');
    await app.expectNothingLeft();
  });

  it('goes to the release where it is, also when the destination leads to another track by now', async () => {
    const { app, id } = await rollOut();
    const path = `${app.app.path}/destinations/${app.destinationId}`;
    expect((await app.app.api.patch(path, { googlePlayTrack: 'beta' })).status).toBe(200);
    expect((await app.setShare(id, 0.5)).job.status).toBe('succeeded');
    expect(app.historyOf().at(-1)).toBe('42 inProgress 0.5, 1 completed');
  });

  it('with a key that Google no longer knows says what to do', async () => {
    const { app, id } = await rollOut();
    playSite.play.accounts.revoke(app.key.email);
    const ended = await app.setShare(id, 0.5);
    expect(ended.job.status).toBe('failed');
    expect(ended.job['statusMessage']).not.toContain('ubmit again');
    await app.expectNothingLeft();
  });
});
