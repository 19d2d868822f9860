import pLimit from 'p-limit';
import type { Call } from '../../support/stores/google-play/publisher/routes.js';
import type { Release } from '../../support/stores/google-play/publisher/play-state.js';
import { REFUSALS, type RefusalName } from '../../support/stores/google-play/refusals.js';
import { PlaySite, type PublishedApp } from '../../support/stores/play-submissions.js';
import type { EndedSubmission } from '../../support/stores/store-submissions.js';

/** What Google Play says to a change of a share, and to a promotion, at a call. */
interface Case {
  readonly name: RefusalName;
  readonly call: Call;
}

/** Calls of changes and promotions, beside the upload. */
const CALLS: readonly Call[] = ['insert', 'updateTrack', 'validate', 'commit'];
/** What Slipway settles by itself. */
const TRANSIENT: readonly RefusalName[] = [
  'unauthenticated',
  'unauthorized',
  'edit deleted',
  'edit deleted, old',
  'edit expired',
  'already committed',
  'concurrent update',
  'not sent for review',
  'must not be set',
  'uploads not completed',
  'rate limit',
  'too many requests',
  'internal error',
  'null message',
  'bad gateway',
  'unavailable',
];
const AT_ONCE = 8;
const PATIENCE = 180_000;
const OLDER: Release = { status: 'completed', versionCodes: ['1'], lifecycle: 'PUBLISHED' };

const CASES: readonly Case[] = (Object.keys(REFUSALS) as RefusalName[]).flatMap((name) =>
  REFUSALS[name].calls.filter((call) => CALLS.includes(call)).map((call) => ({ name, call })),
);

interface Outcome {
  readonly app: PublishedApp;
  readonly ended: EndedSubmission;
  readonly history: readonly string[];
}

let playSite: PlaySite;
const changes = new Map<Case, Promise<Outcome>>();
const promotions = new Map<Case, Promise<Outcome>>();

async function start(packageName: string, { name, call }: Case): Promise<[PublishedApp, () => void]> {
  const tracks = { production: [OLDER], beta: [OLDER] };
  const app = await playSite.app(packageName, { play: { tracks } });
  return [app, () => playSite.play.refuse(name, { call, times: 1, packageName })];
}

async function change(one: Case, index: number): Promise<Outcome> {
  const [app, refuse] = await start(`com.example.change${index}`, one);
  const { id } = await app.release(42, { rolloutPercentage: 0.2 });
  refuse();
  const ended = await app.setShare(id, 0.5, PATIENCE);
  return { app, ended, history: app.historyOf().slice(2) };
}

async function promote(one: Case, index: number): Promise<Outcome> {
  const [app, refuse] = await start(`com.example.promotion${index}`, one);
  const build = await app.build(42);
  await app.end(await app.deploy(build), PATIENCE);
  await app.addDestination({ googlePlayTrack: 'beta' });
  refuse();
  const ended = await app.end(await app.deploy(build, { rolloutPercentage: 0.5 }), PATIENCE);
  return { app, ended, history: app.historyOf('beta').slice(1) };
}

beforeAll(async () => {
  playSite = await PlaySite.start();
  // All at once: most of the time is spent waiting.
  const limit = pLimit(AT_ONCE);
  for (const [index, one] of CASES.entries()) {
    for (const [outcomes, play] of [
      [changes, change],
      [promotions, promote],
    ] as const) {
      const outcome = limit(() => play(one, index));
      outcome.catch(() => undefined);
      outcomes.set(one, outcome);
    }
  }
});
afterAll(async () => {
  await Promise.allSettled([...changes.values(), ...promotions.values()]);
  await playSite.dispose();
});

describe.each([
  ['a change of a share', changes],
  ['a promotion', promotions],
])('%s', (what, outcomes) => {
  const isChange = what.startsWith('a change');
  const cases = CASES.map((one) => [`${one.name} at ${one.call}`, one] as const);

  test.each(cases.filter(([, { name }]) => !TRANSIENT.includes(name) && name !== 'fully released'))(
    'ends with what to do after %s',
    async (_, one) => {
      const { app, ended, history } = await outcomes.get(one)!;
      const message = String(ended.job['statusMessage']);
      expect([ended.job.status, ended.submission.action, history]).toEqual([
        'failed',
        isChange ? 'submit' : 'promote',
        [],
      ]);
      expect(message).toMatch(/^[A-Z].{20,280}\.$/);
      if (isChange) expect(message).not.toMatch(/submit (it )?again/i);
      const { error } = REFUSALS[one.name];
      expect(ended.log).toContain(
        (error().body as { error: { message: string | null } }).error.message ?? '',
      );
      expect(ended.log).not.toContain(app.key.email);
      await app.expectNothingLeft();
    },
    PATIENCE,
  );

  test.each(cases.filter(([, { name }]) => TRANSIENT.includes(name)))(
    'goes on after %s, and happens once',
    async (_, one) => {
      const { app, ended, history } = await outcomes.get(one)!;
      expect([ended.job['statusMessage'], ended.job.status]).toEqual([null, 'succeeded']);
      expect(history).toEqual(['42 inProgress 0.5, 1 completed']);
      await app.expectNothingLeft();
    },
    PATIENCE,
  );

  test.each(cases.filter(([, { name }]) => name === 'fully released'))(
    'has a release for all users already after %s',
    async (_, one) => {
      const { ended } = await outcomes.get(one)!;
      expect(ended.job.status).toBe(isChange ? 'failed' : 'succeeded');
      if (isChange) expect(ended.job['statusMessage']).toContain('All users get the release already');
      else expect(ended.submission.release).toMatchObject({ status: 'released', rolloutPercentage: 1 });
    },
    PATIENCE,
  );
});
