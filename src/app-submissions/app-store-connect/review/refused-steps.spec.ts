import {
  type AppStoreConnect,
  startAppStoreConnect,
} from '../../../../test/support/stores/app-store-connect/app-store-connect.js';
import { AppStoreConnectBench } from '../../../../test/support/stores/app-store-connect/connect-bench.js';
import { REFUSALS, type RefusalName } from '../../../../test/support/stores/app-store-connect/refusals.js';
import type { Call } from '../../../../test/support/stores/app-store-connect/resources/routes.js';
import type { AppleApp } from '../../../../test/support/stores/app-store-connect/state/connect-state.js';
import {
  expectFailed,
  expectPrepared,
  RefusalRows,
  titled,
} from '../../../../test/support/stores/refusal-rows.js';
import { addVersion } from '../../../../test/support/stores/app-store-connect/state/app-store/store-version.js';
import { STORE_REFUSALS } from '../../../../test/support/stores/app-store-connect/store-refusals.js';
import type { Row } from '../../../../test/support/stores/store-bench.js';

/** What goes wrong on the way of a version to its review. */
interface StoreRow extends Row<RefusalName, Call> {
  /** The app has a version that can be edited, with notes. */
  readonly hasDraft?: boolean;
  readonly isPhased?: boolean;
  /** The version stays in a review submission that was not sent; the next submission uses it. */
  readonly leavesDraft?: boolean;
}

const BUNDLE_ID = 'com.example.app';

const rows = new RefusalRows<RefusalName, Call>(REFUSALS);
const refused = rows.refused.bind(rows);
const failed = rows.failed.bind(rows);
const withDraft = (row: StoreRow): StoreRow => ({ ...row, hasDraft: true });
const phased = (row: StoreRow): StoreRow => ({ ...row, isPhased: true });

const ROLE = 'Create a key with the role App Manager';
const OPEN = 'App Store Connect';
const OPERATOR = 'ask the operator of this server to check its connection';

/** What ends a submission, with what the user has to do. */
const FINAL: readonly StoreRow[] = [
  refused('another version', 'Finish'),
  refused('another version, by state', 'Finish'),
  refused('used version', 'Raise CFBundleShortVersionString'),
  refused('release date', 'whole hour', 'createStoreVersion'),
  withDraft(refused('release date', 'whole hour', 'updateStoreVersion')),
  refused('version notes TOO_LONG', 'Shorten'),
  refused('version notes INVALID_CHARACTERS', 'Remove them'),
  phased(refused('no phased release', 'phased release')),
  refused('another review', 'Wait until it ends, or cancel it'),
  refused('APP_DATA_USAGES_REQUIRED', 'publish App Privacy'),
  refused('SCREENSHOT_REQUIRED', 'add screenshots'),
  refused('age rating missing', 'age rating'),
  refused('APP_PRICING_REQUIRED', 'set a price'),
  refused('contact missing', 'contact'),
  refused('description missing', 'description'),
  refused('keywords missing', 'keywords'),
  refused('support URL missing', 'supportUrl'),
  refused('content rights missing', 'contentRightsDeclaration'),
  refused('category missing', 'primary category'),
  refused('much missing', 'and 2 more, which the log has'),
  refused('FORBIDDEN_ERROR', ROLE, 'createStoreVersion'),
  refused('FORBIDDEN_ERROR', ROLE, 'createReviewSubmission'),
  refused('FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED', 'Account Holder', 'updateReviewSubmission'),
  refused('unknown code', OPEN, 'createStoreVersion'),
  refused('unknown code', OPEN, 'addReviewItem'),
];

const WRITES = [
  'createStoreVersion',
  'attachBuild',
  'updateVersionLocalization',
  'createReviewSubmission',
  'addReviewItem',
  'updateReviewSubmission',
] as const;

/** What Slipway settles by itself. */
const TRANSIENT: readonly StoreRow[] = [
  withDraft(refused('locked version', null)),
  refused('build not added', null),
  withDraft(refused('version notes locked', null)),
  refused('ITEM_PART_OF_ANOTHER_SUBMISSION', null),
  refused('added elsewhere', null),
  refused('not ready', null, undefined, 3),
  refused('unknown review', null),
  refused('unknown review', null, 'addReviewItem'),
  refused('attachments in progress', null),
  ...WRITES.flatMap((call) => [
    refused('RATE_LIMIT_EXCEEDED', null, call),
    refused('UNEXPECTED_ERROR 500', null, call),
    refused('UNEXPECTED_ERROR 503', null, call),
    refused('NOT_AUTHORIZED', null, call),
    ...(['cut', 'lost-response', 'html', 'truncated', 'wrong-types', 'empty'] as const).map((kind) =>
      failed(kind, call),
    ),
  ]),
  withDraft(failed('lost-response', 'updateStoreVersion')),
  phased(failed('lost-response', 'createPhasedRelease')),
  phased(failed('cut', 'createPhasedRelease')),
  ...(['appStoreVersions', 'versionLocalizations', 'reviewSubmissions'] as const).flatMap((call) => [
    refused('RATE_LIMIT_EXCEEDED', null, call),
    ...(['cut', 'html', 'wrong-types'] as const).map((kind) => failed(kind, call)),
  ]),
];

/** What Slipway gives up, with what the user has to do. */
const FOR_EVER: readonly StoreRow[] = [
  withDraft(refused('locked version', 'take it out of its review', undefined, Infinity)),
  refused('build not added', 'answer on encryption', undefined, Infinity),
  refused('ITEM_PART_OF_ANOTHER_SUBMISSION', 'cancel it in App Store Connect', undefined, Infinity),
  refused('not ready', 'look at the version in App Store Connect', undefined, Infinity),
  refused('unknown review', 'submit this build again', undefined, Infinity),
  refused('UNEXPECTED_ERROR 500', OPEN, 'createStoreVersion', Infinity),
  // The review may have begun, so nothing is taken out of it.
  { ...refused('UNEXPECTED_ERROR 500', OPEN, 'updateReviewSubmission', Infinity), leavesDraft: true },
  failed('cut', 'addReviewItem', OPERATOR, Infinity),
  failed('wrong-types', 'appStoreVersions', OPEN, Infinity),
];

/** Refusals of changes, which are tested in `app-store-steps.spec.ts`, and one that only a lost answer causes. */
const ELSEWHERE = [
  'phased release has the value',
  'phased release is complete',
  'item is there',
  'not cancelable',
  'not releasable',
];

let connect: AppStoreConnect;
let app: AppleApp;
let bench: AppStoreConnectBench;

beforeAll(async () => {
  connect = await startAppStoreConnect();
});
afterAll(() => connect.stop());

beforeEach(async () => {
  await connect.clear();
  app = connect.addApp({ bundleId: BUNDLE_ID, versions: [{ versionString: '1.0' }] });
  bench = new AppStoreConnectBench(connect, app);
});

/** Submits a version for review, with something that goes wrong. */
async function submit(row: StoreRow) {
  if (row.hasDraft === true) {
    const version = addVersion(app, { versionString: '1.0.5', state: 'PREPARE_FOR_SUBMISSION' });
    for (const localization of version.localizations) localization.whatsNew = 'Old.';
  }
  bench.refuse(row);
  const submission = bench.submission('1.1', '1', { isPhased: row.isPhased ?? false });
  const ended = await bench.run(submission);
  connect.faults.clear();
  await bench.clean(submission);
  expect([...bench.turns]).toEqual([]);
  return ended;
}

/** The review submissions with a version that were not sent. */
const drafts = () =>
  app.reviewSubmissions.filter(({ state, items }) => state === 'READY_FOR_REVIEW' && items.length > 0);

test('every refusal is in the tables', () => {
  const all = [...FINAL, ...TRANSIENT, ...FOR_EVER];
  expect(rows.untested(Object.keys(STORE_REFUSALS), all)).toEqual(ELSEWHERE);
});

describe.each([
  ['ends with what to do', FINAL],
  ['is given up', FOR_EVER],
])('a submission for review %s', (_, table) => {
  test.each(titled(table))('after %s', async (__, row) => {
    expectFailed(await submit(row), row, bench.quoteOf(row));
    expect(app.reviews).toEqual([]);
    expect(drafts()).toHaveLength(row.leavesDraft === true ? 1 : 0);
  });
});

test.each(titled(TRANSIENT))('a submission for review goes on after %s', async (_, row) => {
  expectPrepared(await submit(row), bench.quoteOf(row));
  const [version] = connect.versionsOf(BUNDLE_ID).filter(({ versionString }) => versionString === '1.1');
  expect(version).toMatchObject({
    state: 'WAITING_FOR_REVIEW',
    buildNumber: '1',
    reviews: ['WAITING_FOR_REVIEW'],
  });
  expect(app.reviews).toHaveLength(1);
});
