import { sample } from '../../support/access/sample.js';
import type { Call } from '../../support/stores/app-store-connect/resources/routes.js';
import { REFUSALS, type RefusalName } from '../../support/stores/app-store-connect/refusals.js';
import { STORE_REFUSALS } from '../../support/stores/app-store-connect/store-refusals.js';
import { addVersion } from '../../support/stores/app-store-connect/state/app-store/store-version.js';
import type { AppleSite } from '../../support/stores/apple-submissions.js';
import { AppStoreApp, startAppStore } from '../../support/stores/app-store-releases.js';
import type { FaultKind } from '../../support/stores/stand-in/faults.js';

/** What goes wrong on the way of a version to its review. */
interface Case {
  readonly name: string;
  readonly prepare: (app: AppStoreApp) => void;
  /** What the message says; `null`: it ends in review. */
  readonly says: string | null;
  /** What the log has of the words of Apple. */
  readonly quotes: string | null;
  readonly destination?: object;
  /** The version stays in a review submission that was not sent; the next submission uses it. */
  readonly leavesDraft?: boolean;
}

const PATIENCE = 180_000;
/** Of each table, so many rows in each run, and all with `ALL_REFUSALS=1`; `app-store-steps.spec.ts` plays all without a server. */
const ROWS = process.env['ALL_REFUSALS'] === '1' ? Infinity : 12;

let appleSite: AppleSite;
let count = 0;

beforeAll(async () => {
  appleSite = await startAppStore();
}, 60_000);
afterAll(() => appleSite.dispose());
beforeEach(() => appleSite.connect.faults.clear());

/** Apple refuses a call, the usual one unless another is given. */
function refused(name: RefusalName, says: string | null, call?: Call, times = 1): Case {
  const { calls, error } = REFUSALS[name];
  const at = call ?? calls[0] ?? 'unknown';
  return {
    name: `${name} at ${at}${times === 1 ? '' : times === Infinity ? ', for ever' : `, ${times} times`}`,
    prepare: ({ appleSite: { connect } }) => connect.refuse(name, { call: at, times }),
    says,
    quotes: error().errors[0]?.title ?? null,
  };
}

/** Something else goes wrong with a call. */
function failed(kind: FaultKind, call: Call, says: string | null = null, times = 1): Case {
  return {
    name: `${kind} at ${call}${times === 1 ? '' : ', for ever'}`,
    prepare: ({ appleSite: { connect } }) => connect.fail(kind, { call, times }),
    says,
    quotes: null,
  };
}

/** The same, in an app that has a version that can be edited, with notes. */
const withDraft = (one: Case): Case => ({
  ...one,
  prepare: (app) => {
    const version = addVersion(app.apple, { versionString: '1.0.5', state: 'PREPARE_FOR_SUBMISSION' });
    for (const localization of version.localizations) localization.whatsNew = 'Old.';
    one.prepare(app);
  },
});
const phased = (one: Case): Case => ({ ...one, destination: { applePhasedRelease: true } });

const ROLE = 'Create a key with the role App Manager';
const OPEN = 'App Store Connect';
const OPERATOR = 'ask the operator of this server to check its connection';

/** What ends a submission, with what the user has to do. */
const FINAL: readonly Case[] = [
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
const TRANSIENT: readonly Case[] = [
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
const FOR_EVER: readonly Case[] = [
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

/** Submits a version of an app of its own. */
async function submit({ prepare, destination = {} }: Case) {
  const app = await AppStoreApp.of(appleSite, `com.example.refusal${++count}`, { destination });
  prepare(app);
  const build = await app.build('1.1', '1');
  const ended = await app.end(
    await app.deploy(build, { releaseNotes: { default: 'News' } }),
    PATIENCE - 10_000,
  );
  appleSite.connect.faults.clear();
  return { ...ended, app };
}

/** Refusals of changes, which are tested in `app-store-changes.spec.ts`, and one that only a lost answer causes. */
const ELSEWHERE = [
  'phased release has the value',
  'phased release is complete',
  'item is there',
  'not cancelable',
  'not releasable',
];

test('every refusal is in the tables', () => {
  const tested = new Set([...FINAL, ...TRANSIENT, ...FOR_EVER].map(({ name }) => name.replace(/ at .*/, '')));
  expect(Object.keys(STORE_REFUSALS).filter((name) => !tested.has(name))).toEqual(ELSEWHERE);
});

describe.each([
  ['ends with what to do', FINAL],
  ['is given up', FOR_EVER],
] as const)('a submission for review %s', (_, cases) => {
  test.each(sample(cases, ROWS, 'refusals').map((one) => [one.name, one] as const))(
    'after %s',
    async (__, one) => {
      const { job, submission, log, app } = await submit(one);
      expect([job.status, submission.state]).toEqual(['failed', 'failed']);
      expect(submission.message).toContain(one.says);
      expect(submission.message).toContain(job['statusMessage']);
      expect(String(job['statusMessage']).length).toBeLessThanOrEqual(300);
      expect(log).toContain(job['statusMessage']);
      expect(log).toContain(one.quotes ?? '');
      expect(app.apple.reviews).toEqual([]);
      await app.expectNothingLeft();
      expect(app.drafts.length).toBe(one.leavesDraft === true ? 1 : 0);
    },
    PATIENCE,
  );
});

describe('a submission for review goes on', () => {
  test.each(sample(TRANSIENT, ROWS, 'refusals').map((one) => [one.name, one] as const))(
    'after %s',
    async (_, one) => {
      const { job, submission, log, app } = await submit(one);
      expect([job['statusMessage'], job.status, submission.state]).toEqual([null, 'succeeded', 'prepared']);
      expect(app.version('1.1')).toMatchObject({
        state: 'WAITING_FOR_REVIEW',
        buildNumber: '1',
        reviews: ['WAITING_FOR_REVIEW'],
      });
      expect(app.apple.reviews).toHaveLength(1);
      expect(app.apple.builds).toHaveLength(1);
      expect(log).toContain(one.quotes ?? '');
      await app.expectNothingLeft();
    },
    PATIENCE,
  );
});
