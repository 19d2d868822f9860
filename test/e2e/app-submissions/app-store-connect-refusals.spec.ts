import {
  REFUSALS,
  type RefusalName,
  TESTFLIGHT_REFUSALS,
} from '../../support/stores/app-store-connect/refusals.js';
import type { Call } from '../../support/stores/app-store-connect/resources/routes.js';
import { AppleSite, type TestFlightApp } from '../../support/stores/apple-submissions.js';
import type { FaultKind } from '../../support/stores/stand-in/faults.js';

/** How a submission ends, to which Apple says no. */
interface Case {
  readonly name: string;
  readonly prepare: () => void;
  /** What the message says; `null`: it ends with the build. */
  readonly says: string | null;
  /** Those that have the build. */
  readonly groups?: readonly string[];
  /** What the log has of the words of Apple. */
  readonly quotes: string | null;
}

const PATIENCE = 180_000;
/** Submissions with one key: Apple allows so many calls in an hour. */
const WITH_ONE_KEY = 40;

let appleSite: AppleSite;
let app: TestFlightApp;
let minor = 0;

/** Apple refuses a call, the usual one unless another is given. */
function refused(name: RefusalName, says: string | null, call?: Call, times = 1): Case {
  const { calls, error } = REFUSALS[name];
  const at = call ?? calls[0];
  return {
    name: `${name} at ${at}${times === 1 ? '' : ', for ever'}`,
    prepare: () => appleSite.connect.refuse(name, { call: at ?? 'unknown', times }),
    says,
    quotes: error().errors[0]?.title ?? null,
  };
}

/** Apple refuses each call of the row. */
const refusedAnywhere = (name: RefusalName, says: string | null): Case[] =>
  REFUSALS[name].calls.map((call) => refused(name, says, call));

/** Something else goes wrong with a call. */
function failed(kind: FaultKind, call: Call, says: string | null = null, times = 1): Case {
  return {
    name: `${kind} at ${call}${times === 1 ? '' : ', for ever'}`,
    prepare: () => appleSite.connect.fail(kind, { call, times }),
    says,
    quotes: null,
  };
}

const AGREEMENT = 'The Account Holder has to accept it in App Store Connect';
const ROLE = 'Create a key with the role App Manager';
const ANSWER = 'Give it in App Store Connect under TestFlight';
const OPERATOR = 'ask the operator of this server to check its connection';

/** What ends a submission, with what the user has to do. */
const FINAL: readonly Case[] = [
  refused('FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED', AGREEMENT),
  refused('FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED', AGREEMENT, 'createBuildUpload'),
  refused('FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED', AGREEMENT, 'betaReview'),
  ...refusedAnywhere('FORBIDDEN_ERROR', ROLE),
  ...refusedAnywhere('no active membership', 'renew the membership'),
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
  ...refusedAnywhere('unknown code', 'App Store Connect'),
  refused('associated errors', 'one more problem'),
];

/** What Slipway settles by itself. */
const TRANSIENT: readonly Case[] = [
  ...refusedAnywhere('NOT_AUTHORIZED', null),
  ...refusedAnywhere('NOT_FOUND', null).filter(({ name }) => !name.endsWith(' app')),
  refused('already set', null),
  ...refusedAnywhere('cannot be edited', null),
  refused('duplicate locale', null),
  ...refusedAnywhere('invalid processing state', null),
  refused('EU.ANOTHER_BUILD_IN_REVIEW', null),
  refused('EU.SUBMISSION_LIMIT_REACHED', null),
  refused('not externally assignable', null),
  { ...refused('internal group', null), groups: ['Public'] },
  ...refusedAnywhere('RATE_LIMIT_EXCEEDED', null),
  ...refusedAnywhere('rate limit without a time', null),
  ...refusedAnywhere('UNEXPECTED_ERROR 500', null),
  ...refusedAnywhere('UNEXPECTED_ERROR 502', null),
  ...refusedAnywhere('UNEXPECTED_ERROR 503', null),
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
const FOR_EVER: readonly Case[] = [
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

beforeAll(async () => {
  appleSite = await AppleSite.start();
}, 60_000);
afterAll(() => appleSite.dispose());
beforeEach(() => appleSite.connect.faults.clear());

/** Submits a version of its own. */
async function submit(one: Case) {
  if (minor % WITH_ONE_KEY === 0)
    app = await appleSite.app(`com.example.refused${minor}`, {
      apple: { groups: { Team: 'internal', Public: 'external' } },
      destination: { appleBetaGroups: ['Team', 'Public'] },
    });
  const version = `1.${++minor}`;
  const build = await app.build(version, '1');
  one.prepare();
  const ended = await app.end(
    await app.deploy(build, { releaseNotes: { 'en-US': 'News', 'de-DE': 'Neues' } }),
    PATIENCE - 10_000,
  );
  appleSite.connect.faults.clear();
  return { ...ended, builds: app.builds.filter((known) => known.version === version) };
}

test('every refusal up to TestFlight is in the tables', () => {
  const tested = new Set([...FINAL, ...TRANSIENT, ...FOR_EVER].map(({ name }) => name.replace(/ at .*/, '')));
  expect(Object.keys(TESTFLIGHT_REFUSALS).filter((name) => !tested.has(name))).toEqual([]);
});

describe.each([
  ['ends with what to do', FINAL],
  ['is given up', FOR_EVER],
] as const)('a submission %s', (_, cases) => {
  test.each(cases.map((one) => [one.name, one] as const))(
    'after %s',
    async (__, one) => {
      const { job, submission, log } = await submit(one);
      expect([job.status, submission.state]).toEqual(['failed', 'failed']);
      expect(submission.message).toContain(one.says);
      expect(submission.message).toContain(job['statusMessage']);
      expect(String(job['statusMessage']).length).toBeLessThanOrEqual(300);
      expect(log).toContain(job['statusMessage']);
      expect(log).toContain(one.quotes ?? '');
    },
    PATIENCE,
  );
});

describe('a submission goes on', () => {
  test.each(TRANSIENT.map((one) => [one.name, one] as const))(
    'after %s',
    async (_, one) => {
      const { job, submission, log, builds } = await submit(one);
      expect([job['statusMessage'], job.status, submission.state]).toEqual([null, 'succeeded', 'prepared']);
      expect(builds).toMatchObject([
        { groups: one.groups ?? ['Team', 'Public'], review: 'WAITING_FOR_REVIEW' },
      ]);
      expect(log).toContain(one.quotes ?? '');
    },
    PATIENCE,
  );
});
