import {
  type AppStoreConnect,
  startAppStoreConnect,
} from '../../../../test/support/stores/app-store-connect/app-store-connect.js';
import { AppStoreConnectBench } from '../../../../test/support/stores/app-store-connect/connect-bench.js';
import type { AppleApp } from '../../../../test/support/stores/app-store-connect/state/connect-state.js';
import { describeInterruptions, type Scenario } from '../../../../test/support/stores/interruptions.js';
import { TESTFLIGHT_STATES } from '../../../../test/support/stores/stored-states/testflight.js';
import { expectPrepared } from '../../../../test/support/stores/refusal-rows.js';
import { makeIpa } from '../../../../test/support/native-builds/ipa-writer.js';

const BUNDLE_ID = 'com.example.app';
const GROUPS = ['Team', 'Public'];

let connect: AppStoreConnect;
let app: AppleApp;
let ipa: Buffer;
let bench: AppStoreConnectBench;

beforeAll(async () => {
  connect = await startAppStoreConnect();
  const facts = { packageName: BUNDLE_ID, versionName: '1.1', versionCode: '1' };
  ipa = await makeIpa({ ...facts, profile: 'app-store' });
});
afterAll(() => connect.stop());

/** A new app with two groups. */
async function renew(): Promise<AppStoreConnectBench> {
  await connect.clear();
  app = connect.addApp({ bundleId: BUNDLE_ID, groups: { Team: 'internal', Public: 'external' } });
  bench = new AppStoreConnectBench(connect, app, connect.addKey({ team: app.team }), ipa);
  return bench;
}

const submission = (id?: string) =>
  bench.upload('1.1', '1', {
    betaGroups: GROUPS,
    releaseNotes: { 'en-US': 'News', 'de-DE': 'Neues' },
    ...(id !== undefined && { id }),
  });

/** Apple has one build, which the groups have. */
function expectBuild(): void {
  expect(connect.buildsOf(BUNDLE_ID)).toMatchObject([
    { groups: GROUPS, notes: { 'en-US': 'News', 'de-DE': 'Neues' }, review: 'WAITING_FOR_REVIEW' },
  ]);
  expect(app.uploads.map(({ file }) => file?.commits)).toEqual([1]);
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'a build goes to testers': {
    begin: () => submission(),
    expect: (ended) => {
      expectPrepared(ended, '');
      expectBuild();
    },
  },
  'a build that is there goes to testers again': {
    begin: async () => {
      expectPrepared(await bench.run(submission('first')), '');
      return submission('second');
    },
    expect: (ended) => {
      expectPrepared(ended, '');
      expectBuild();
      expect(connect.callsOf('createBuildUpload')).toHaveLength(1);
    },
  },
};

describeInterruptions(SCENARIOS, renew, TESTFLIGHT_STATES);
