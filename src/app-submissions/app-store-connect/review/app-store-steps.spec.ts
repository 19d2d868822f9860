import {
  type AppStoreConnect,
  startAppStoreConnect,
} from '../../../../test/support/stores/app-store-connect/app-store-connect.js';
import {
  addItem,
  addReviewSubmission,
} from '../../../../test/support/stores/app-store-connect/state/app-store/review-submission.js';
import { addVersion } from '../../../../test/support/stores/app-store-connect/state/app-store/store-version.js';
import { STORE_REFUSALS } from '../../../../test/support/stores/app-store-connect/store-refusals.js';
import type { RefusalName } from '../../../../test/support/stores/app-store-connect/refusals.js';
import type { AppleApp } from '../../../../test/support/stores/app-store-connect/state/connect-state.js';
import { AppStoreConnectBench } from '../../../../test/support/stores/app-store-connect/connect-bench.js';
import { refusalFrom } from '../../../../test/support/stores/store-servers.js';
import type { Submission } from '../../submissions/submission.entity.js';

const BUNDLE_ID = 'com.example.app';

let connect: AppStoreConnect;
let app: AppleApp;
let bench: AppStoreConnectBench;

beforeAll(async () => {
  connect = await startAppStoreConnect();
});
afterAll(() => connect.stop());
beforeEach(() => begin());

/** A new app with a live version. */
async function begin(): Promise<void> {
  await connect.clear();
  app = connect.addApp({
    bundleId: BUNDLE_ID,
    storeLocales: ['en-US', 'de-DE'],
    versions: [{ versionString: '1.0' }],
  });
  bench = new AppStoreConnectBench(connect, app);
}

/** The versions that are not live. */
const open = () => connect.versionsOf(BUNDLE_ID).filter(({ state }) => !/DISTRIBUTION|REPLACED/.test(state));
const openReviews = () =>
  app.reviewSubmissions.filter(({ state, items }) => state !== 'COMPLETE' && items.length > 0);

async function submitted(
  version: string,
  build: string,
  values: Partial<Submission> = {},
): Promise<Submission> {
  const submission = bench.submission(version, build, values);
  expect(await bench.run(submission)).toMatchObject({ state: 'prepared' });
  return submission;
}

async function approved(
  version: string,
  build: string,
  values: Partial<Submission> = {},
): Promise<Submission> {
  const submission = await submitted(version, build, values);
  connect.reviewVersion(BUNDLE_ID, version, 'approve');
  return submission;
}

describe('the way to the review', () => {
  const refusedAs = async (submission: Submission, code: string): Promise<string> => {
    const ended = await bench.run(submission);
    expect(ended).toMatchObject({ status: 'failed', code });
    const message = String(ended.statusMessage);
    expect(message.length).toBeLessThanOrEqual(300);
    return message;
  };

  it('is tried again while Apple is not ready', async () => {
    await submitted('1.1', '1');
    Object.assign(connect.review, { lockedEdits: 2, attachRefusals: 3, notReady: 8 });
    await submitted('1.2', '2', { rejectsIfPossible: true });
    expect(open()).toMatchObject([{ versionString: '1.2', state: 'WAITING_FOR_REVIEW' }]);
  });

  it('ends when Apple is not ready for too long', async () => {
    connect.review.notReady = Infinity;
    const submission = bench.submission('1.1', '1');
    await refusedAs(submission, 'review_not_ready');
    expect(submission.commitSentAt).toBeNull();
    connect.review.attachRefusals = Infinity;
    await refusedAs(bench.submission('1.1', '2'), 'build_not_attachable');
  });

  it('names the version that is in review', async () => {
    await submitted('1.1', '1');
    expect(await refusedAs(bench.submission('1.2', '2'), 'version_in_review')).toContain(
      'the version 1.1 waits for its review',
    );
    connect.reviewVersion(BUNDLE_ID, '1.1', 'begin');
    expect(await refusedAs(bench.submission('1.2', '3'), 'version_in_review')).toContain('1.1 is in review');
  });

  it('takes no approved version back', async () => {
    await approved('1.1', '1');
    const hotfix = { rejectsIfPossible: true };
    await refusedAs(bench.submission('1.2', '2', hotfix), 'version_approved');
    expect(open()).toMatchObject([{ versionString: '1.1', state: 'PENDING_DEVELOPER_RELEASE' }]);
  });

  it('notices when a version is approved that it takes out', async () => {
    await submitted('1.1', '1');
    connect.review.approvesCanceled = true;
    await refusedAs(bench.submission('1.2', '2', { rejectsIfPossible: true }), 'version_approved');
    expect(open()).toMatchObject([{ versionString: '1.1', state: 'PENDING_DEVELOPER_RELEASE' }]);
  });

  it('sends nothing twice for the same build', async () => {
    const first = await submitted('1.1', '1');
    const second = bench.submission('1.1', '9', { external: first.external });
    await expect(bench.run(second)).resolves.toMatchObject({ state: 'prepared' });
    expect(openReviews()).toHaveLength(1);
  });

  it('does not send what others have prepared', async () => {
    const other = { versionString: '3.0', platform: 'MAC_OS', state: 'PREPARE_FOR_SUBMISSION' } as const;
    addItem(addReviewSubmission(app, 'IOS'), addVersion(app, other));
    await refusedAs(bench.submission('1.1', '1'), 'review_occupied');
  });

  it('goes on without a submission for review that was sent in between without the version', async () => {
    connect.review.notReady = Infinity;
    const submission = bench.submission('1.1', '1');
    await refusedAs(submission, 'review_not_ready');
    for (const draft of app.reviewSubmissions) Object.assign(draft, { state: 'COMPLETE', items: [] });
    connect.version(BUNDLE_ID, '1.1').state = 'PREPARE_FOR_SUBMISSION';
    connect.review.notReady = 0;
    await expect(bench.run(submission)).resolves.toMatchObject({ state: 'prepared' });
    expect(openReviews()).toHaveLength(1);
  });

  it('leaves no version in a submission for review that was not sent', async () => {
    connect.review.notReady = Infinity;
    const submission = bench.submission('1.1', '1');
    await refusedAs(submission, 'review_not_ready');
    expect(open()).toMatchObject([{ state: 'READY_FOR_REVIEW' }]);
    await bench.discard(submission);
    await bench.discard(submission);
    expect(open()).toMatchObject([{ state: 'PREPARE_FOR_SUBMISSION', buildNumber: '1' }]);
    connect.review.notReady = 0;
    const sent = await submitted('1.1', '2');
    await bench.discard(sent);
    expect(open()).toMatchObject([{ state: 'WAITING_FOR_REVIEW', buildNumber: '2' }]);
  });

  it('says all that a version lacks', async () => {
    connect.refuse('much missing');
    expect(await refusedAs(bench.submission('1.1', '1'), 'review_incomplete')).toContain(
      'publish App Privacy',
    );
  });

  it('frees a version from an older submission for review, a few times', async () => {
    connect.refuse('ITEM_PART_OF_ANOTHER_SUBMISSION', { times: 2 });
    await submitted('1.1', '1');
    await begin();
    connect.refuse('added elsewhere', { times: Infinity });
    await refusedAs(bench.submission('1.1', '1'), 'item_in_other_review');
  });

  it('has no phases and no notes in the first version', async () => {
    await connect.clear();
    app = connect.addApp({ bundleId: BUNDLE_ID });
    bench = new AppStoreConnectBench(connect, app);
    await submitted('1.0', '1', { isPhased: true });
    expect(open()).toMatchObject([{ versionString: '1.0', state: 'WAITING_FOR_REVIEW', phased: null }]);
  });
});

describe('changes of releases', () => {
  it.each(['release', 'withdraw'] as const)(
    'are refused when the version has another build: %s',
    async (action) => {
      const release = await submitted('1.1', '1');
      await submitted('1.1', '2', { rejectsIfPossible: true });
      await expect(bench.run(bench.change(release, action))).resolves.toMatchObject({
        status: 'failed',
        code: 'store_release_gone',
      });
      expect(open()).toMatchObject([{ state: 'WAITING_FOR_REVIEW', buildNumber: '2' }]);
    },
  );

  it('release no version that is rejected', async () => {
    const release = await submitted('1.1', '1');
    connect.reviewVersion(BUNDLE_ID, '1.1', 'reject');
    const ended = await bench.run(bench.change(release, 'release'));
    expect(ended).toMatchObject({ status: 'failed', code: 'release_state' });
    expect(ended.statusMessage).toBe(
      'The version cannot be released now. The review has rejected it. Read why in App Store Connect, and submit a build that settles it; or answer the review there.',
    );
  });

  it('release a version once', async () => {
    const release = await approved('1.1', '1');
    for (let count = 0; count < 2; count++)
      await expect(bench.run(bench.change(release, 'release'))).resolves.toMatchObject({
        status: 'succeeded',
        release: { status: 'released' },
      });
    expect(app.releases).toHaveLength(1);
  });

  it('withdraw no version that was approved or rejected, and one only once', async () => {
    const release = await approved('1.1', '1');
    await expect(bench.run(bench.change(release, 'withdraw'))).resolves.toMatchObject({
      status: 'failed',
      release: { status: 'approved' },
    });
    await begin();
    const other = await submitted('1.1', '1');
    for (let count = 0; count < 2; count++)
      await expect(bench.run(bench.change(other, 'withdraw'))).resolves.toMatchObject({
        status: 'succeeded',
        release: { status: 'withdrawn' },
      });
  });

  it('do not pause a release that is complete, or not live', async () => {
    const release = await approved('1.1', '1', { isPhased: true });
    await expect(bench.run(bench.change(release, 'set-rollout', 0))).resolves.toMatchObject({
      status: 'failed',
      code: 'release_state',
    });
    connect.goLive(BUNDLE_ID, '1.1');
    connect.passDays(BUNDLE_ID, '1.1', 7);
    await expect(bench.run(bench.change(release, 'set-rollout', 0))).resolves.toMatchObject({
      status: 'failed',
      statusMessage: 'The version cannot be paused now. All users get it.',
    });
    await expect(bench.run(bench.change(release, 'set-rollout', 1))).resolves.toMatchObject({
      status: 'succeeded',
    });
  });
});

describe('keys of releases', () => {
  it('may be replaced: the one of the destination is next', async () => {
    const key = connect.addKey();
    bench = new AppStoreConnectBench(connect, app, key);
    const release = await submitted('1.1', '1');
    connect.keys.revoke(key.keyId);
    await expect(bench.run(bench.change(release, 'withdraw'))).resolves.toMatchObject({
      status: 'failed',
      code: 'store_key_refused',
    });
    bench.addKey(connect.addKey());
    await expect(bench.look(release)).resolves.toMatchObject({ status: 'waiting_for_review' });
    await expect(bench.run(bench.change(release, 'withdraw'))).resolves.toMatchObject({
      status: 'succeeded',
    });
  });

  it('do not tell a release that they cannot see from one that is gone', async () => {
    const key = connect.addKey();
    bench = new AppStoreConnectBench(connect, app, key);
    const release = await submitted('1.1', '1');
    bench.addKey(connect.addKey({ team: connect.addTeam() }));
    connect.keys.revoke(key.keyId);
    expect((await refusalFrom(bench.look(release))).status).toBe(401);
    bench.removeKeys();
    const { refusal } = await refusalFrom(bench.look(release));
    expect(refusal.code).toBe('store_key_gone');
  });

  it('show that a version is gone', async () => {
    const release = await submitted('1.1', '1');
    app.versions.pop();
    await expect(bench.look(release)).resolves.toMatchObject({ status: 'removed' });
    await expect(bench.run(bench.change(release, 'release'))).resolves.toMatchObject({
      status: 'failed',
      code: 'store_release_gone',
    });
  });

  it('need one call for a look', async () => {
    const release = await submitted('1.1', '1');
    const before = connect.calls.length;
    await bench.look(release);
    expect(connect.calls.length - before).toBe(1);
  });
});

/** Refusals at changes, and what the change is. */
const OF_CHANGES: Readonly<Partial<Record<RefusalName, ['set-rollout' | 'release' | 'withdraw', number?]>>> =
  {
    'phased release has the value': ['set-rollout', 0],
    'phased release is complete': ['set-rollout', 0],
    'not cancelable': ['withdraw'],
    'not releasable': ['release'],
  };

describe('what Apple refuses', () => {
  it.each(Object.keys(STORE_REFUSALS) as RefusalName[])(
    '%s: ends, with a sentence that says what to do, and at most one release',
    async (name) => {
      const phased = { isPhased: true } as const;
      const [action, share] = OF_CHANGES[name] ?? [];
      const isLive = action === 'set-rollout';
      const type = isLive ? 'after-approval' : 'manual';
      let submission = bench.submission('1.1', '1', { ...phased, appleReleaseType: type });
      if (action !== undefined) {
        await bench.run(submission);
        if (action !== 'withdraw') connect.reviewVersion(BUNDLE_ID, '1.1', 'approve');
        submission = bench.change(submission, action, share);
      }
      connect.refuse(name, { times: action === 'withdraw' ? 2 : Infinity });
      const ended = await bench.run(submission);
      connect.faults.clear();
      const message = ended.statusMessage ?? String(ended.message);
      expect(message).toMatch(/\.$/);
      expect(message.length).toBeLessThanOrEqual(300);
      if (ended.status === 'failed') {
        expect(ended.code).not.toBe('store_refused');
        expect(message).toMatch(/\b(again|submit|Submit|retry)\b/);
      }
      await bench.discard(submission);
      expect(app.releases.length).toBeLessThanOrEqual(1);
      expect(app.reviewSubmissions.filter(({ state }) => state === 'WAITING_FOR_REVIEW').length).toBe(
        ended.status === 'succeeded' && action === undefined ? 1 : 0,
      );
    },
  );
});

it.each([
  ['release', 'manual', 'releaseVersion'],
  ['set-rollout', 'after-approval', 'updatePhasedRelease'],
] as const)(
  'a %s that Apple has refused for now can be canceled until it is asked again',
  async (action, type, call) => {
    const release = await approved('1.1', '1', { isPhased: true, appleReleaseType: type });
    connect.refuse('RATE_LIMIT_EXCEEDED', { call, times: 1 });
    expect(await bench.run(bench.change(release, action, action === 'release' ? 1 : 0))).toMatchObject({
      status: 'succeeded',
    });
    const states = [...bench.stored].filter((line) => line.startsWith(`${action} (`));
    expect(states.some((line) => line.includes('sent'))).toBe(true);
    expect(states.some((line) => !line.includes('sent'))).toBe(true);
  },
);

describe('a withdrawal', () => {
  /** What was stored of it: without `sent`, it can be canceled. */
  const states = () => [...bench.stored].filter((line) => line.startsWith('withdraw ('));

  it('that Apple has refused for now can be canceled until it is asked again', async () => {
    const release = await submitted('1.1', '1');
    connect.refuse('RATE_LIMIT_EXCEEDED', { call: 'updateReviewSubmission', times: 1 });
    await expect(bench.run(bench.change(release, 'withdraw'))).resolves.toMatchObject({
      status: 'succeeded',
      release: { status: 'withdrawn' },
    });
    expect(states()).toContain('withdraw (created, sent): requestedAt');
    expect(states()).toContain('withdraw (created): ');
  });

  it('of a review that cannot be canceled stays announced, because it may be ending', async () => {
    const release = await submitted('1.1', '1');
    connect.refuse('not cancelable', { times: 1 });
    const ended = await bench.run(bench.change(release, 'withdraw'));
    expect(ended).toMatchObject({ status: 'succeeded', release: { status: 'withdrawn' } });
    expect(ended.log).toContain('App Store Connect says: ');
    expect(states().filter((line) => !line.includes('sent'))).toEqual([]);
  });
});
