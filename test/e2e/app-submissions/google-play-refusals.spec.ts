import pLimit from 'p-limit';
import type { FaultKind } from '../../support/stores/stand-in/faults.js';
import type { Call } from '../../support/stores/google-play/publisher/routes.js';
import { REFUSALS, type RefusalName } from '../../support/stores/google-play/refusals.js';
import { PlaySite, type PublishedApp } from '../../support/stores/play-submissions.js';
import type { EndedSubmission } from '../../support/stores/store-submissions.js';

/** How a submission ends, to which a store says no. */
interface Case {
  readonly name: string;
  readonly prepare: (app: PublishedApp) => void;
  /** What the message says; `null`: it ends with the release. */
  readonly says: string | null;
  /** What the log has of the words of Google Play. */
  readonly quotes: string | null;
}

interface Outcome {
  readonly app: PublishedApp;
  readonly ended: EndedSubmission;
}

/** Submissions that go on at once. */
const AT_ONCE = 8;
const PATIENCE = 180_000;

let playSite: PlaySite;
const outcomes = new Map<Case, Promise<Outcome>>();

/** Google Play refuses a call, the usual one unless another is given. */
function refused(name: RefusalName, says: string | null, call?: Call, times = 1): Case {
  const { calls, error } = REFUSALS[name];
  const at = call ?? calls[0] ?? 'insert';
  return {
    name: `${name} at ${at}${times === 1 ? '' : ', for ever'}`,
    prepare: ({ packageName }) => playSite.play.refuse(name, { call: at, times, packageName }),
    says,
    quotes: messageOf(error().body),
  };
}

/** Something else goes wrong with a call. */
function failed(kind: FaultKind, call: Call, says: string | null = null, times = 1): Case {
  return {
    name: `${kind} at ${call}${times === 1 ? '' : ', for ever'}`,
    prepare: ({ packageName }) => playSite.play.fail(kind, { call, times, packageName }),
    says,
    quotes: null,
  };
}

function messageOf(body: object): string | null {
  return (body as { error: { message: string | null } }).error.message;
}

const INVITE = 'Invite it in the Play Console';
const ANOTHER_KEY = 'upload the key of a service account in another project';
const COUNTRIES = 'Choose its countries in the Play Console';
const OLDER_ONE = 'Complete or halt the older one in the Play Console';
const DECLARE = 'Declare them in the Play Console under "App content"';
const RAISE_CODE = 'Raise versionCode, build again and submit that build; a retry does not help.';
const BUILD_AGAIN = 'Build again and submit that build; a retry does not help.';
const LANGUAGE = 'Add the language to the listing in the Play Console, or leave its notes out';

/** What ends a submission, with what the user has to do. */
const FINAL: readonly Case[] = [
  refused('no permission', INVITE),
  refused('no permission', INVITE, 'commit'),
  refused('insufficient permissions', INVITE),
  refused('api disabled', 'Enable it, wait a few minutes and submit again.'),
  refused('consumer invalid', ANOTHER_KEY),
  refused('project not linked', ANOTHER_KEY),
  refused('package not found', 'Upload the first release of a new app by hand in the Play Console'),
  refused('already in review', 'Wait until the review ends and submit again'),
  refused('draft app', 'Set androidReleaseStatus of the destination to draft', 'validate'),
  refused('draft app', 'Set androidReleaseStatus of the destination to draft', 'commit'),
  refused('first release staged', 'Submit again with a rollout of 100 percent.'),
  refused('no countries', COUNTRIES),
  refused('country targeting', COUNTRIES, 'commit'),
  refused('too many staged', OLDER_ONE),
  refused('too many completed', OLDER_ONE, 'commit'),
  refused('account issues', 'Settle what the Play Console asks for'),
  refused('advertising id', 'Correct "Advertising ID" in the Play Console'),
  refused('exact alarm', DECLARE),
  refused('foreground service', DECLARE),
  refused('photo and video', 'Declare that in the Play Console under "App content"'),
  refused('health features', 'Correct "Health apps" in the Play Console'),
  refused('health connect', 'Ask for it in the Play Console under "App content" and wait for it'),
  refused('permission declaration', 'Fill in its form in the Play Console'),
  refused('outdated declaration', 'Fill in its form in the Play Console', 'commit'),
  refused('data safety', 'Fill in "Data safety" in the Play Console'),
  refused('privacy policy', 'Add its address in the Play Console'),
  refused('not signed', 'Build it with a certificate that contains your upload key'),
  refused('debug signed', 'Build it with your upload key and submit that build'),
  refused('wrong key', 'Build with the upload key, or reset it under "App integrity"'),
  refused('upload certificate', 'Build with the upload key, or reset it under "App integrity"'),
  refused('wrong package name', 'Check the build and the destination'),
  refused('apks not allowed', 'Build an app bundle, and set androidBuildArtifactType'),
  refused('play signing', 'Enrol it in the Play Console'),
  refused('no zip', BUILD_AGAIN),
  refused('build-apks', BUILD_AGAIN),
  refused('version code used', RAISE_CODE),
  refused('published apk', RAISE_CODE),
  refused('version codes not found', 'submit the build itself, so that its file is uploaded'),
  refused('no upgrade', RAISE_CODE),
  refused('downgraded', RAISE_CODE, 'commit'),
  refused('downloaded by no devices', RAISE_CODE),
  refused('target sdk', 'Raise targetSdkVersion'),
  refused('target sdk, old', 'Raise targetSdkVersion to 35 or higher'),
  refused('notes too long', 'Shorten them and submit again'),
  refused('language not supported', LANGUAGE),
  refused('language not associated', LANGUAGE),
  refused('track not found', 'Check googlePlayTrack of the destination'),
  refused('daily quota', 'Submit again tomorrow'),
];

/** What Slipway settles by itself. */
const TRANSIENT: readonly Case[] = [
  ...REFUSALS.unauthenticated.calls.map((call) => refused('unauthenticated', null, call)),
  ...REFUSALS.unauthorized.calls.map((call) => refused('unauthorized', null, call)),
  ...REFUSALS['edit deleted'].calls.map((call) => refused('edit deleted', null, call)),
  ...REFUSALS['edit deleted, old'].calls.map((call) => refused('edit deleted, old', null, call)),
  ...REFUSALS['edit expired'].calls.map((call) => refused('edit expired', null, call)),
  ...REFUSALS['concurrent update'].calls.map((call) => refused('concurrent update', null, call)),
  refused('already committed', null),
  refused('not sent for review', null),
  refused('must not be set', null),
  refused('install size', null),
  ...REFUSALS['uploads not completed'].calls.map((call) => refused('uploads not completed', null, call)),
  ...REFUSALS['rate limit'].calls.map((call) => refused('rate limit', null, call)),
  ...REFUSALS['too many requests'].calls.map((call) => refused('too many requests', null, call)),
  ...REFUSALS['internal error'].calls.map((call) => refused('internal error', null, call)),
  refused('null message', null),
  ...REFUSALS['bad gateway'].calls.map((call) => refused('bad gateway', null, call)),
  ...REFUSALS.unavailable.calls.map((call) => refused('unavailable', null, call)),
  ...(['cut', 'lost-response', 'html', 'truncated', 'wrong-types', 'empty', 'endless'] as const).flatMap(
    (kind) =>
      (['insert', 'tracks', 'startUpload', 'putChunk', 'updateTrack', 'commit'] as const).map((call) =>
        failed(kind, call),
      ),
  ),
];

/** What Slipway gives up, with what the user has to do. */
const FOR_EVER: readonly Case[] = [
  refused('unauthenticated', 'check that the key of the service account still exists', 'insert', Infinity),
  refused('edit deleted', 'make no changes to the app elsewhere and submit again', 'putChunk', Infinity),
  refused('edit expired', 'make no changes to the app elsewhere and submit again', 'commit', Infinity),
  refused(
    'concurrent update',
    'make no changes to the app elsewhere and submit again',
    'updateTrack',
    Infinity,
  ),
  refused('uploads not completed', 'after too many attempts, submit again later', 'validate', Infinity),
  refused('install size', 'The app is so large', 'putChunk', Infinity),
  refused('must not be set', 'Google Play sends the changes for review by itself', 'commit', Infinity),
  refused('rate limit', 'after too many attempts, submit again later', 'insert', Infinity),
  refused('unavailable', 'make the release in the Play Console', 'insert', Infinity),
  refused('null message', 'ake the release in the Play Console', 'commit', Infinity),
  failed('cut', 'putChunk', 'ask the operator of this server to check its connection', Infinity),
  failed('html', 'startUpload', 'ask the operator of this server to check its connection', Infinity),
  failed('wrong-types', 'insert', 'ask the operator of this server to check its connection', Infinity),
  failed('empty', 'tracks', 'ask the operator of this server to check its connection', Infinity),
];

async function play(one: Case, index: number): Promise<Outcome> {
  const app = await playSite.app(`com.example.refused${index}`);
  const build = await app.build(42);
  one.prepare(app);
  return {
    app,
    ended: await app.end(await app.deploy(build, { releaseNotes: { default: 'News' } }), PATIENCE),
  };
}

beforeAll(async () => {
  playSite = await PlaySite.start();
  // All at once: most of the time is spent waiting.
  const limit = pLimit(AT_ONCE);
  for (const [index, one] of [...FINAL, ...TRANSIENT, ...FOR_EVER].entries()) {
    const outcome = limit(() => play(one, index));
    outcome.catch(() => undefined);
    outcomes.set(one, outcome);
  }
});
afterAll(async () => {
  await Promise.allSettled(outcomes.values());
  await playSite.dispose();
});

async function outcomeOf(one: Case): Promise<Outcome> {
  const outcome = outcomes.get(one);
  if (outcome === undefined) throw new Error(`There is no submission for ${one.name}.`);
  return outcome;
}

test('every refusal is in the tables', () => {
  const tested = new Set([...FINAL, ...TRANSIENT].map(({ name }) => name.replace(/ at .*/, '')));
  expect(Object.keys(REFUSALS).filter((name) => !tested.has(name))).toEqual(['fully released']);
});

describe.each([
  ['ends with what to do', FINAL],
  ['is given up', FOR_EVER],
] as const)('a submission %s', (_, cases) => {
  test.each(cases.map((one) => [one.name, one] as const))(
    'after %s',
    async (__, one) => {
      const { app, ended } = await outcomeOf(one);
      const { job, submission, log } = ended;
      expect([job.status, submission.state, app.released]).toEqual(['failed', 'failed', []]);
      expect(submission.message).toContain(one.says);
      expect(job['statusMessage']).toBe(submission.message);
      expect(submission.message?.length).toBeLessThanOrEqual(300);
      expect(log).toContain(submission.message);
      expect(log).toContain(one.quotes ?? '');
      expect(log).not.toContain(app.key.email);
    },
    PATIENCE,
  );
});

describe('a submission goes on', () => {
  test.each(TRANSIENT.map((one) => [one.name, one] as const))(
    'after %s',
    async (_, one) => {
      const { app, ended } = await outcomeOf(one);
      const { job, submission, log } = ended;
      expect([job['statusMessage'], job.status, submission.state]).toEqual([null, 'succeeded', 'prepared']);
      expect(app.released).toEqual(['production 42 completed']);
      expect(log).toContain(one.quotes ?? '');
    },
    PATIENCE,
  );
});
