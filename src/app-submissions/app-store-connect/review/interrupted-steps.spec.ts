import {
  type AppStoreConnect,
  startAppStoreConnect,
} from '../../../../test/support/stores/app-store-connect/app-store-connect.js';
import type { AppleApp } from '../../../../test/support/stores/app-store-connect/state/connect-state.js';
import { AppStoreConnectBench } from '../../../../test/support/stores/app-store-connect/connect-bench.js';
import { describeInterruptions, type Scenario } from '../../../../test/support/stores/interruptions.js';
import { APP_STORE_STATES } from '../../../../test/support/stores/stored-states/app-store.js';
import type { Submission } from '../../submissions/submission.entity.js';

const BUNDLE_ID = 'com.example.app';

let connect: AppStoreConnect;
let app: AppleApp;
let bench: AppStoreConnectBench;

beforeAll(async () => {
  connect = await startAppStoreConnect();
});
afterAll(() => connect.stop());

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

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'a new version goes to the review': {
    begin: () => bench.submission('1.1', '1', { isPhased: true }),
    expect: (ended) => {
      expect(ended).toMatchObject({ status: 'succeeded', release: { status: 'waiting_for_review' } });
      expect(open()).toMatchObject([
        {
          versionString: '1.1',
          state: 'WAITING_FOR_REVIEW',
          buildNumber: '1',
          whatsNew: { 'en-US': 'Faster.', 'de-DE': 'Faster.' },
          reviews: ['WAITING_FOR_REVIEW'],
        },
      ]);
    },
  },
  'a hotfix takes the place of a version that waits': {
    begin: async () => {
      await submitted('1.1', '1');
      connect.review.cancelReads = 2;
      return bench.submission('1.1.1', '2', { rejectsIfPossible: true });
    },
    expect: (ended) => {
      expect(ended).toMatchObject({ status: 'succeeded', release: { status: 'waiting_for_review' } });
      expect(open()).toMatchObject([
        { versionString: '1.1.1', state: 'WAITING_FOR_REVIEW', buildNumber: '2' },
      ]);
      expect(openReviews()).toHaveLength(1);
    },
  },
  'a rejected version is submitted with another build': {
    begin: async () => {
      await submitted('1.1', '1');
      connect.reviewVersion(BUNDLE_ID, '1.1', 'reject');
      return bench.submission('1.1', '2');
    },
    expect: (ended) => {
      expect(ended).toMatchObject({ status: 'succeeded', release: { status: 'waiting_for_review' } });
      expect(open()).toMatchObject([{ versionString: '1.1', state: 'WAITING_FOR_REVIEW', buildNumber: '2' }]);
      expect(openReviews()).toHaveLength(1);
    },
  },
  'a version is withdrawn': {
    begin: async () => {
      const release = await submitted('1.1', '1');
      connect.reviewVersion(BUNDLE_ID, '1.1', 'begin');
      connect.review.cancelReads = 2;
      return bench.change(release, 'withdraw');
    },
    expect: (ended) => {
      expect(ended).toMatchObject({ status: 'succeeded', release: { status: 'withdrawn' } });
      expect(open()).toMatchObject([{ state: 'DEVELOPER_REJECTED', reviews: ['COMPLETE'] }]);
    },
  },
  'a version that Apple approves meanwhile is not withdrawn': {
    begin: async () => {
      const release = await submitted('1.1', '1');
      connect.review.approvesCanceled = true;
      return bench.change(release, 'withdraw');
    },
    expect: (ended) => {
      expect(ended).toMatchObject({ status: 'failed', release: { status: 'approved' } });
      expect(ended.message).toMatch(/^Apple has approved the version meanwhile, so nothing was withdrawn\./);
    },
  },
  'an approved version is released': {
    begin: async () => {
      const release = await approved('1.1', '1');
      connect.review.liveReads = 3;
      return bench.change(release, 'release');
    },
    expect: (ended) => {
      expect(ended).toMatchObject({ state: 'prepared' });
      connect.goLive(BUNDLE_ID, '1.1');
    },
  },
  'a phased release is paused': {
    begin: async () => {
      const release = await approved('1.1', '1', { isPhased: true, appleReleaseType: 'after-approval' });
      connect.passDays(BUNDLE_ID, '1.1', 2);
      return bench.change(release, 'set-rollout', 0);
    },
    expect: (ended) => {
      expect(ended).toMatchObject({
        status: 'succeeded',
        release: { status: 'paused', userFraction: 0, resumeFraction: 0.05 },
      });
    },
  },
  'a paused release is resumed': {
    begin: async () => {
      const release = await approved('1.1', '1', { isPhased: true, appleReleaseType: 'after-approval' });
      await bench.run(bench.change(release, 'set-rollout', 0));
      return bench.change(release, 'set-rollout', 0.01);
    },
    expect: (ended) => {
      expect(ended).toMatchObject({
        status: 'succeeded',
        release: { status: 'rolling_out', userFraction: 0.01 },
      });
    },
  },
  'a phased release is completed': {
    begin: async () => {
      const release = await approved('1.1', '1', { isPhased: true, appleReleaseType: 'after-approval' });
      return bench.change(release, 'set-rollout', 1);
    },
    expect: (ended) => {
      expect(ended).toMatchObject({ status: 'succeeded', release: { status: 'released', userFraction: 1 } });
    },
  },
};

describeInterruptions(
  SCENARIOS,
  async () => {
    await begin();
    return bench;
  },
  APP_STORE_STATES,
);
