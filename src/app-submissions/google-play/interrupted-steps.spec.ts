import { type GooglePlay, startGooglePlay } from '../../../test/support/stores/google-play/google-play.js';
import { GooglePlayBench } from '../../../test/support/stores/google-play/play-bench.js';
import type { ServiceAccountKey } from '../../../test/support/stores/google-play/service-accounts.js';
import { describeInterruptions, type Scenario } from '../../../test/support/stores/interruptions.js';
import { GOOGLE_PLAY_STATES } from '../../../test/support/stores/stored-states/google-play.js';
import { expectPrepared } from '../../../test/support/stores/refusal-rows.js';
import { makeAab } from '../../../test/support/native-builds/aab-writer.js';
import type { Submission } from '../submissions/submission.entity.js';

const PACKAGE = 'com.example.app';

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

/** A new app with a release on two tracks. */
async function renew(): Promise<GooglePlayBench> {
  await play.clear();
  const older = [{ status: 'completed', versionCodes: ['1'], lifecycle: 'PUBLISHED' }] as const;
  play.addApp({ packageName: PACKAGE, tracks: { production: older, beta: older } });
  bench = new GooglePlayBench(play, key, aab);
  return bench;
}

/** @returns the release, which is on the track production */
async function released(values: Partial<Submission> = {}): Promise<Submission> {
  const submission = bench.submission('production', values);
  expectPrepared(await bench.run(submission), '');
  return submission;
}

/** A track has had these states one after the other, and nothing was released twice. */
function expectHistory(track: string, ...states: string[]): void {
  expect(play.historyOf(PACKAGE, track)).toEqual(['1 completed', ...states]);
  const releases = play.committed.map(({ release }) => `${release.status} ${release.userFraction ?? 1}`);
  expect(releases).toEqual([...new Set(releases)]);
  expect(bench.openEdits).toEqual([]);
}

/** Without an answer about it, a new release is taken to be in review. */
const NEW = { status: expect.stringMatching(/^(rolling_out|in_review)$/) as string };

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'a file is uploaded and released': {
    begin: () => bench.submission('production', { userFraction: 0.2 }),
    expect: (ended) => {
      expect(ended).toMatchObject({
        state: 'prepared',
        release: { ...NEW, userFraction: 0.2 },
      });
      expectHistory('production', '42 inProgress 0.2, 1 completed');
      expect([...play.app(PACKAGE).artifacts.keys()]).toEqual([42]);
    },
  },
  'a release is sent for review by a person': {
    begin: () => {
      play.app(PACKAGE).isRejected = true;
      return bench.submission();
    },
    expect: (ended) => {
      expect(ended).toMatchObject({ status: 'succeeded', state: 'failed_with_action_required' });
      expectHistory('production', '42 completed');
    },
  },
  'a release is promoted': {
    begin: async () => {
      await released();
      return bench.submission('beta', { action: 'promote', userFraction: 0.5 });
    },
    expect: (ended) => {
      expect(ended).toMatchObject({
        state: 'prepared',
        release: { ...NEW, userFraction: 0.5 },
      });
      expectHistory('beta', '42 inProgress 0.5, 1 completed');
      expect(play.callsOf('startUpload')).toHaveLength(1);
    },
  },
  'a share grows': {
    begin: async () => bench.change(await released({ userFraction: 0.2 }), 0.5),
    expect: (ended) => {
      expect(ended).toMatchObject({
        state: 'prepared',
        release: { status: 'rolling_out', userFraction: 0.5 },
      });
      expectHistory('production', '42 inProgress 0.2, 1 completed', '42 inProgress 0.5, 1 completed');
    },
  },
  'a rollout is halted': {
    begin: async () => bench.change(await released({ userFraction: 0.2 }), 0),
    expect: (ended) => {
      const release = { status: 'halted', userFraction: 0, resumeFraction: 0.2 };
      expect(ended).toMatchObject({ state: 'prepared', release });
      expectHistory('production', '42 inProgress 0.2, 1 completed', '42 halted 0.2, 1 completed');
    },
  },
};

describeInterruptions(SCENARIOS, renew, GOOGLE_PLAY_STATES);
