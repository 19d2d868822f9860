import {
  type AppStoreConnect,
  startAppStoreConnect,
} from '../../../../test/support/stores/app-store-connect/app-store-connect.js';
import { AppStoreConnectBench } from '../../../../test/support/stores/app-store-connect/connect-bench.js';
import {
  REFUSALS,
  type RefusalName,
  TESTFLIGHT_REFUSALS,
} from '../../../../test/support/stores/app-store-connect/refusals.js';
import type { Call } from '../../../../test/support/stores/app-store-connect/resources/routes.js';
import type { AppleApp } from '../../../../test/support/stores/app-store-connect/state/connect-state.js';
import {
  expectFailed,
  expectPrepared,
  RefusalRows,
  titled,
} from '../../../../test/support/stores/refusal-rows.js';
import { makeIpa } from '../../../../test/support/native-builds/ipa-writer.js';

const rows = new RefusalRows<RefusalName, Call>(REFUSALS);
const refused = rows.refused.bind(rows);
const failed = rows.failed.bind(rows);
const everywhere = rows.everywhere.bind(rows);

const BUNDLE_ID = 'com.example.app';
const GROUPS = ['Team', 'Public'];

const AGREEMENT = 'The Account Holder has to accept it in App Store Connect';
const ROLE = 'Create a key with the role App Manager';
const ANSWER = 'Give it in App Store Connect under TestFlight';
const OPERATOR = 'ask the operator of this server to check its connection';

/** What ends a submission, with what the user has to do. */
const FINAL = [
  refused('FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED', AGREEMENT),
  refused('FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED', AGREEMENT, 'createBuildUpload'),
  refused('FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED', AGREEMENT, 'betaReview'),
  ...everywhere('FORBIDDEN_ERROR', ROLE),
  ...everywhere('no active membership', 'renew the membership'),
  refused('duplicate build number', 'Raise CFBundleVersion'),
  refused('invalid version', 'Read what it says in the log'),
  refused('encryption required', ANSWER),
  refused('MISSING_EXPORT_COMPLIANCE', ANSWER),
  refused('TOO_LONG', 'Shorten the release notes', 'updateLocalization'),
  refused('INVALID_CHARACTERS', 'Remove them from the release notes', 'updateLocalization'),
  refused('unknown locale', 'Use its locales, such as en-US'),
  refused('EU.BETA_CONTRACT_MISSING', "Ask Apple's developer support"),
  refused('beta description missing', 'Fill it in in App Store Connect under TestFlight'),
  refused('EU.BUILD_SDK_NOT_ALLOWED_FOR_EXTERNAL_TESTING', 'Build with a released Xcode'),
  refused('EU.INVALID_QC_STATE', 'Look at its state in App Store Connect'),
  ...everywhere('unknown code', 'App Store Connect'),
  refused('associated errors', 'one more problem'),
];

/** What Slipway settles by itself. */
const TRANSIENT = [
  ...everywhere('NOT_AUTHORIZED', null),
  ...everywhere('NOT_FOUND', null).filter(({ call }) => call !== 'app'),
  refused('already set', null),
  ...everywhere('cannot be edited', null),
  refused('duplicate locale', null),
  ...everywhere('invalid processing state', null),
  refused('EU.ANOTHER_BUILD_IN_REVIEW', null),
  refused('EU.SUBMISSION_LIMIT_REACHED', null),
  refused('not externally assignable', null),
  refused('internal group', null),
  ...everywhere('RATE_LIMIT_EXCEEDED', null),
  ...everywhere('rate limit without a time', null),
  ...everywhere('UNEXPECTED_ERROR 500', null),
  ...everywhere('UNEXPECTED_ERROR 502', null),
  ...everywhere('UNEXPECTED_ERROR 503', null),
  ...(['cut', 'lost-response', 'html', 'truncated', 'wrong-types', 'empty'] as const).flatMap((kind) =>
    (
      [
        'apps',
        'createBuildUpload',
        'createBuildUploadFile',
        'buildUpload',
        'commitFile',
        'addToGroup',
      ] as const
    ).map((call) => failed(kind, call)),
  ),
];

/** What Slipway gives up, with what the user has to do. */
const FOR_EVER = [
  refused('NOT_AUTHORIZED', 'clock', 'apps', Infinity),
  refused('NOT_FOUND', 'App Store Connect does not find', 'buildUpload', Infinity),
  refused('NOT_FOUND', 'App Store Connect does not find', 'addToGroup', Infinity),
  refused('already set', 'does not keep it', 'updateBuild', Infinity),
  refused('not externally assignable', 'look at the build in App Store Connect', 'addToGroup', Infinity),
  refused('not fully uploaded', 'App Store Connect', 'commitFile', Infinity),
  refused('UNEXPECTED_ERROR 500', 'App Store Connect', 'createBuildUpload', Infinity),
  refused('UNEXPECTED_ERROR 500', 'looks first whether it has arrived', 'commitFile', Infinity),
  failed('cut', 'createBuildUploadFile', 'after too many attempts, submit again', Infinity),
  failed('html', 'buildUpload', OPERATOR, Infinity),
  failed('wrong-types', 'apps', OPERATOR, Infinity),
  failed('empty', 'apps', OPERATOR, Infinity),
];

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

beforeEach(async () => {
  await connect.clear();
  app = connect.addApp({ bundleId: BUNDLE_ID, groups: { Team: 'internal', Public: 'external' } });
  bench = new AppStoreConnectBench(connect, app, connect.addKey({ team: app.team }), ipa);
});

const submission = () =>
  bench.upload('1.1', '1', { betaGroups: GROUPS, releaseNotes: { 'en-US': 'News', 'de-DE': 'Neues' } });

test('every refusal up to TestFlight is in the tables', () => {
  const all = [...FINAL, ...TRANSIENT, ...FOR_EVER];
  expect(rows.untested(Object.keys(TESTFLIGHT_REFUSALS), all)).toEqual([]);
});

describe.each([
  ['ends with what to do', FINAL],
  ['is given up', FOR_EVER],
])('a submission to TestFlight %s', (_, table) => {
  test.each(titled(table))('after %s', async (__, row) => {
    bench.refuse(row);
    const failing = submission();
    expectFailed(await bench.run(failing), row, bench.quoteOf(row));
    connect.faults.clear();
    await bench.clean(failing);
    expect([...bench.turns]).toEqual([]);
    // An upload that Apple has got the end of is a build, and stays.
    if (failing.commitSentAt === null) expect(app.uploads).toEqual([]);
  });
});

test.each(titled(TRANSIENT))('a submission to TestFlight goes on after %s', async (_, row) => {
  bench.refuse(row);
  expectPrepared(await bench.run(submission()), bench.quoteOf(row));
  const groups = row.refusal === 'internal group' ? ['Public'] : GROUPS;
  expect(connect.buildsOf(BUNDLE_ID)).toMatchObject([{ groups, review: 'WAITING_FOR_REVIEW' }]);
  expect([...bench.turns]).toEqual([]);
});
