import { type GooglePlay, startGooglePlay } from '../../../test/support/stores/google-play/google-play.js';
import { GooglePlayBench } from '../../../test/support/stores/google-play/play-bench.js';
import type { Release } from '../../../test/support/stores/google-play/publisher/play-state.js';
import type { Call } from '../../../test/support/stores/google-play/publisher/routes.js';
import { REFUSALS, type RefusalName } from '../../../test/support/stores/google-play/refusals.js';
import type { ServiceAccountKey } from '../../../test/support/stores/google-play/service-accounts.js';
import {
  expectFailed,
  expectPrepared,
  RefusalRows,
  titled,
} from '../../../test/support/stores/refusal-rows.js';
import { makeAab } from '../../../test/support/native-builds/aab-writer.js';

const PACKAGE = 'com.example.app';
const OLDER: Release = { status: 'completed', versionCodes: ['1'], lifecycle: 'PUBLISHED' };

const rows = new RefusalRows<RefusalName, Call>(REFUSALS);
const refused = rows.refused.bind(rows);
const failed = rows.failed.bind(rows);
const everywhere = (name: RefusalName) => rows.everywhere(name, null);

const INVITE = 'Invite it in the Play Console';
const ANOTHER_KEY = 'upload the key of a service account in another project';
const COUNTRIES = 'Choose its countries in the Play Console';
const OLDER_ONE = 'Complete or halt the older one in the Play Console';
const DECLARE = 'Declare them in the Play Console under "App content"';
const RAISE_CODE = 'Raise versionCode, build again and submit that build; a retry does not help.';
const BUILD_AGAIN = 'Build again and submit that build; a retry does not help.';
const LANGUAGE = 'Add the language to the listing in the Play Console, or leave its notes out';

/** What ends a submission, with what the user has to do. */
const FINAL = [
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
const TRANSIENT = [
  ...everywhere('unauthenticated'),
  ...everywhere('unauthorized'),
  ...everywhere('edit deleted'),
  ...everywhere('edit deleted, old'),
  ...everywhere('edit expired'),
  ...everywhere('concurrent update'),
  refused('already committed', null),
  refused('not sent for review', null),
  refused('must not be set', null),
  refused('install size', null),
  ...everywhere('uploads not completed'),
  ...everywhere('rate limit'),
  ...everywhere('too many requests'),
  ...everywhere('internal error'),
  refused('null message', null),
  ...everywhere('bad gateway'),
  ...everywhere('unavailable'),
  ...(['cut', 'lost-response', 'html', 'truncated', 'wrong-types', 'empty', 'endless'] as const).flatMap(
    (kind) =>
      (['insert', 'tracks', 'startUpload', 'putChunk', 'updateTrack', 'commit'] as const).map((call) =>
        failed(kind, call),
      ),
  ),
];

/** What Slipway gives up, with what the user has to do. */
const FOR_EVER = [
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

let play: GooglePlay;
let key: ServiceAccountKey;
let aab: Buffer;
let bench: GooglePlayBench;

beforeAll(async () => {
  play = await startGooglePlay();
  key = play.addServiceAccount({ packages: [PACKAGE] });
  aab = await makeAab({ packageName: PACKAGE, versionCode: 42, signed: true });
});
afterAll(() => play.stop());

beforeEach(async () => {
  await play.clear();
  play.addApp({ packageName: PACKAGE });
  bench = new GooglePlayBench(play, key, aab);
});

const released = () =>
  play.committed.map(({ track, release }) => `${track} ${release.versionCodes.join()} ${release.status}`);

test('every refusal is in the tables', () => {
  expect(rows.untested(Object.keys(REFUSALS), [...FINAL, ...TRANSIENT])).toEqual(['fully released']);
});

describe.each([
  ['ends with what to do', FINAL],
  ['is given up', FOR_EVER],
])('a submission %s', (_, table) => {
  test.each(titled(table))('after %s', async (__, row) => {
    bench.refuse(row);
    const submission = bench.submission();
    expectFailed(await bench.run(submission), row, bench.quoteOf(row));
    play.faults.clear();
    await bench.clean(submission);
    // An edit whose id no answer has named stays until the next one.
    const edits = row.fault === null ? bench.openEdits : [];
    expect([released(), edits, [...bench.turns]]).toEqual([[], [], []]);
  });
});

test.each(titled(TRANSIENT))('a submission goes on after %s', async (_, row) => {
  bench.refuse(row);
  expectPrepared(await bench.run(bench.submission()), bench.quoteOf(row));
  expect([released(), bench.openEdits, [...bench.turns]]).toEqual([['production 42 completed'], [], []]);
});

test('a commit stays announced when Google Play refuses another one beside it, whose answer was lost', async () => {
  play.fail('cut', { call: 'commit', times: 1 });
  play.refuse('concurrent update', { call: 'commit', times: 1 });
  expectPrepared(await bench.run(bench.submission()), '');
  expect(play.callsOf('commit')).toHaveLength(3);
  // A cancellation would delete the edit, and say that nothing was released.
  expect([...bench.stored].filter((line) => line.startsWith('confirm ') && !line.includes('sent'))).toEqual(
    [],
  );
  expect(released()).toEqual(['production 42 completed']);
});

test('looks for a lost commit that get no answer do not count', async () => {
  play.fail('cut', { call: 'commit', times: 1 });
  play.fail('cut', { call: 'track', times: 7 });
  expectPrepared(await bench.run(bench.submission()), '');
  expect(play.callsOf('commit')).toHaveLength(2);
  expect(released()).toEqual(['production 42 completed']);
});

describe('a change of a share whose edit Google Play gives again', () => {
  /** @param times commits that do not arrive @returns how it ends, its edits, and what the track has had since */
  async function playChange(times: number) {
    play.setTrack(PACKAGE, 'production', [OLDER]);
    const release = bench.submission('production', { userFraction: 0.2 });
    expectPrepared(await bench.run(release), '');
    const before = {
      edits: play.callsOf('insert').length,
      states: play.historyOf(PACKAGE, 'production').length,
    };
    play.app(PACKAGE).sharesEdits = true;
    play.fail('cut', { call: 'commit', times });
    const change = bench.change(release, 0.5);
    const ended = await bench.run(change);
    play.faults.clear();
    await bench.clean(change);
    expect([bench.openEdits, [...bench.turns]]).toEqual([[], []]);
    return {
      ended,
      edits: play.callsOf('insert').length - before.edits,
      history: play.historyOf(PACKAGE, 'production').slice(before.states),
    };
  }

  test('is committed again', async () => {
    const { ended, edits, history } = await playChange(1);
    expectPrepared(ended, '');
    expect([edits, history]).toEqual([2, ['42 inProgress 0.5, 1 completed']]);
  });

  test('is given up when it has begun again five times', async () => {
    const { ended, edits, history } = await playChange(Infinity);
    expectFailed(ended, { says: 'Make the change in the Play Console' }, '');
    expect([edits, history]).toEqual([6, []]);
  });
});

test('a submission goes on with its file when Google Play does not say at once that it is this one', async () => {
  expectPrepared(await bench.run(bench.submission()), '');
  const file = play.app(PACKAGE).artifacts.get(42)!;
  await play.clear();
  play.addApp({ packageName: PACKAGE });
  bench = new GooglePlayBench(play, key, aab);
  const appear = (): Promise<void> => {
    play.app(PACKAGE).artifacts.set(42, file);
    return Promise.resolve(play.fail('cut', { call: 'bundles', times: 1 }));
  };
  play.faults.add({ hold: { when: 'before', wait: appear } }, { call: 'startUpload' });
  const ended = await bench.run(bench.submission());
  expectPrepared(ended, '');
  expect(ended.log).toContain('It is this very file, so the submission goes on with it.');
  expect(released()).toEqual(['production 42 completed']);
});

test('a submission fails with what Google Play refuses when it is asked how to go on', async () => {
  play.refuse('version code used');
  // The first question is that of the new edit.
  play.refuse('no permission', { call: 'bundles', after: 1 });
  const ended = await bench.run(bench.submission());
  expectFailed(ended, { says: INVITE }, 'Google Play says: The caller does not have permission');
  expect(ended.code).toBe('store_access_denied');
});

test('a step that only a newer release knows is left to its servers for a while, and asks the store nothing', async () => {
  const submission = bench.submission('production', { step: 'of-a-newer-release' });
  await expect(bench.run(submission)).rejects.toThrow('have no end behind the step of-a-newer-release');
  expect([...bench.stored]).toEqual(['of-a-newer-release (created): ']);
  expect(play.calls).toEqual([]);
});

test('a submission goes on without symbols that cannot be read, and names them', async () => {
  // The first bytes of a zip have no directory.
  const zip = { artifactId: 'symbols', blobId: 'symbols', sizeInBytes: 100 };
  const ended = await bench.run(
    bench.submission('production', {
      symbolFiles: [
        { type: 'proguard', path: 'mapping.txt', ...zip },
        { type: 'nativeCode', path: 'native-debug-symbols.zip', ...zip },
      ],
    }),
  );
  expectPrepared(ended, '');
  const because = 'is not sent: the zip with the symbols of the build is damaged.';
  expect(ended.log).toContain(`mapping.txt, the mapping of R8, ${because}\n`);
  expect(ended.log).toContain(`native-debug-symbols.zip, the native symbols, ${because}\n`);
  expect([released(), play.callsOf('startSymbols')]).toEqual([['production 42 completed'], []]);
});

/** What a release does that Google Play has, which uploads nothing. */
const LATER = {
  'a change of a share': {
    track: 'production',
    begin: async () => {
      const release = bench.submission('production', { releaseStatus: 'completed', userFraction: 0.2 });
      expectPrepared(await bench.run(release), '');
      return bench.change(release, 0.5);
    },
  },
  'a promotion': {
    track: 'beta',
    begin: async () => {
      expectPrepared(await bench.run(bench.submission()), '');
      return bench.submission('beta', { action: 'promote', userFraction: 0.5 });
    },
  },
};

describe.each(Object.entries(LATER))('%s', (what, { track, begin }) => {
  const isChange = what === 'a change of a share';
  const calls: readonly Call[] = ['insert', 'updateTrack', 'validate', 'commit'];
  const all = (Object.keys(REFUSALS) as RefusalName[])
    .flatMap(everywhere)
    .filter(({ refusal, call }) => calls.includes(call) && refusal !== 'fully released');
  const isTransient = ({ refusal }: { refusal: RefusalName | null }) =>
    TRANSIENT.some((row) => row.refusal === refusal);

  /** @returns how it ends, what the track has had since, and how many uploads there were since */
  async function playRow(row: (typeof all)[number]) {
    play.setTrack(PACKAGE, track, [OLDER]);
    const submission = await begin();
    const before = { states: play.historyOf(PACKAGE, track).length, calls: play.calls.length };
    bench.refuse(row);
    const ended = await bench.run(submission);
    play.faults.clear();
    await bench.clean(submission);
    expect([bench.openEdits, [...bench.turns]]).toEqual([[], []]);
    expect(play.calls.slice(before.calls).filter(({ call }) => /upload|putChunk/i.test(call))).toEqual([]);
    return { ended, history: play.historyOf(PACKAGE, track).slice(before.states) };
  }

  test.each(titled(all.filter((row) => !isTransient(row))))(
    'ends with what to do after %s',
    async (_, row) => {
      const { ended, history } = await playRow(row);
      const says = FINAL.find(({ refusal }) => refusal === row.refusal)?.says ?? null;
      expectFailed(ended, { says: isChange ? '' : says }, bench.quoteOf(row));
      expect(history).toEqual([]);
      if (isChange) expect(ended.statusMessage).not.toMatch(/submit (it )?again/i);
    },
  );

  test.each(titled(all.filter(isTransient)))('goes on after %s, and happens once', async (_, row) => {
    const { ended, history } = await playRow(row);
    expectPrepared(ended, bench.quoteOf(row));
    expect(history).toEqual(['42 inProgress 0.5, 1 completed']);
  });

  test.each(titled(rows.everywhere('fully released', null)))(
    'has a release for all users already after %s',
    async (_, row) => {
      const { ended } = await playRow(row);
      if (isChange) expectFailed(ended, { says: 'All users get the release already' }, bench.quoteOf(row));
      else
        expect(ended).toMatchObject({
          status: 'succeeded',
          release: { status: 'released', userFraction: 1 },
        });
    },
  );
});
