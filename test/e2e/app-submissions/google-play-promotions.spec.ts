import type { Release } from '../../support/stores/google-play/publisher/play-state.js';
import { PlaySite, type PublishedApp } from '../../support/stores/play-submissions.js';
import type { EndedSubmission } from '../../support/stores/store-submissions.js';

let playSite: PlaySite;
let count = 0;

beforeAll(async () => {
  playSite = await PlaySite.start();
});
afterAll(() => playSite.dispose());
beforeEach(() => {
  playSite.play.faults.clear();
  playSite.play.calls.length = 0;
});

const live = (code: number): Release => ({
  status: 'completed',
  versionCodes: [String(code)],
  lifecycle: 'PUBLISHED',
});

/** A build that testers of the internal track have; the next destination is that of a promotion. */
async function testedBuild(
  values: Parameters<PlaySite['app']>[1] = {},
  destination: object = {},
): Promise<{ app: PublishedApp; build: string }> {
  const app = await playSite.app(`com.example.promoted${++count}`, {
    ...values,
    destination: { googlePlayTrack: 'internal' },
  });
  const build = await app.build(42);
  const { job, submission } = await app.end(await app.deploy(build));
  expect([job.status, submission.action]).toEqual(['succeeded', 'submit']);
  await app.addDestination(destination);
  playSite.play.calls.length = 0;
  return { app, build };
}

const promote = async (app: PublishedApp, build: string, values: object = {}): Promise<EndedSubmission> =>
  app.end(await app.deploy(build, values));

function expectFailed({ job, log }: EndedSubmission, sentence: string): void {
  expect([job.status, job['statusMessage']]).toEqual(['failed', expect.stringContaining(sentence)]);
  expect(log).toContain(sentence);
}

const uploads = (): number =>
  playSite.play.callsOf('startUpload').length + playSite.play.callsOf('startSymbols').length;

describe('a promotion', () => {
  it('puts a tested build on another track, with notes of its own, and uploads nothing', async () => {
    const { app, build } = await testedBuild();
    const { job, submission, log } = await promote(app, build, { releaseNotes: { default: 'For all.' } });
    expect([job.status, submission.action, submission.state]).toEqual(['succeeded', 'promote', 'prepared']);
    expect(submission.release).toMatchObject({ status: 'released', rolloutPercentage: 1 });
    expect(log).toContain(`Promoting ${app.packageName}`);
    expect(app.released).toEqual(['internal 42 completed', 'production 42 completed']);
    expect(playSite.play.committed.at(-1)?.release.releaseNotes).toEqual([
      { language: 'en-US', text: 'For all.' },
    ]);
    expect(uploads()).toBe(0);
    await app.expectNothingLeft();
  });

  it('can be staged, and goes on as any rollout', async () => {
    const { app, build } = await testedBuild({ play: { tracks: { production: [live(1)] } } });
    const { submission } = await promote(app, build, { rolloutPercentage: 0.1 });
    expect(submission.release).toMatchObject({ status: 'rolling_out', rolloutPercentage: 0.1 });
    expect(app.historyOf()).toEqual(['1 completed', '42 inProgress 0.1, 1 completed']);
  });

  it('is a draft when the destination wants one', async () => {
    const { app, build } = await testedBuild({}, { androidReleaseStatus: 'draft' });
    const { submission } = await promote(app, build);
    expect(submission.release).toMatchObject({ status: 'draft', rolloutPercentage: null });
    expect(app.released).toEqual(['internal 42 completed', 'production 42 draft']);
  });

  it('takes the version from no user who has it: neither with a lower share nor with a draft', async () => {
    const { app, build } = await testedBuild({ play: { tracks: { production: [live(1)] } } });
    await promote(app, build, { rolloutPercentage: 0.5 });
    const lower = await promote(app, build, { rolloutPercentage: 0.1 });
    expectFailed(lower, 'The track has this version at 50 %, and a share only grows, so 10 % is too low.');
    await app.addDestination({ androidReleaseStatus: 'draft' });
    expectFailed(await promote(app, build), 'Users of the track have this version already');
    expect(app.historyOf()).toEqual(['1 completed', '42 inProgress 0.5, 1 completed']);
    await app.expectNothingLeft();
  });

  it('goes from track to track, two at once', async () => {
    const { app, build } = await testedBuild();
    const production = app.destinationId;
    const alpha = await app.addDestination({ googlePlayTrack: 'alpha' });
    const deployments = await Promise.all(
      [production, alpha].map((appDestinationId) => app.deploy(build, { appDestinationId })),
    );
    const ended = await Promise.all(deployments.map((deployment) => app.end(deployment)));
    expect(ended.map(({ job }) => job.status)).toEqual(['succeeded', 'succeeded']);
    expect(app.released.toSorted()).toEqual([
      'alpha 42 completed',
      'internal 42 completed',
      'production 42 completed',
    ]);
    expect(ended.map(({ log }) => log).join()).not.toContain('edit has been deleted');
    expect(uploads()).toBe(0);
    await app.expectNothingLeft();
  });

  it('waits for its review, as any release', async () => {
    const { app, build } = await testedBuild({ play: { hasReviews: true } });
    const { submission } = await promote(app, build);
    expect(submission.release).toMatchObject({ status: 'in_review', storeStatus: 'IN_REVIEW' });
  });

  it.each(['insert', 'updateTrack', 'validate', 'commit'] as const)(
    'makes one release when the response to %s is lost',
    async (call) => {
      const { app, build } = await testedBuild();
      playSite.play.fail('lost-response', { call, packageName: app.packageName });
      expect((await promote(app, build)).job.status).toBe('succeeded');
      expect(app.historyOf()).toEqual(['42 completed']);
      await app.expectNothingLeft();
    },
  );

  it('needs no file here any more', async () => {
    const { app, build } = await testedBuild();
    const artifacts = await playSite.site.query<{ id: string }>(
      `DELETE FROM build_artifacts WHERE build_id = $1 RETURNING id`,
      [build],
    );
    expect(artifacts).toHaveLength(1);
    expect((await promote(app, build)).job.status).toBe('succeeded');
  });
});

describe('a promotion is refused', () => {
  it('when Google Play does not have the version code', async () => {
    const { app, build } = await testedBuild();
    playSite.play.app(app.packageName).artifacts.clear();
    expectFailed(
      await promote(app, build),
      'does not have the version code 42, so there is nothing to promote',
    );
    expect([app.historyOf(), uploads()]).toEqual([[], 0]);
    await app.expectNothingLeft();
  });

  it('when Google Play has another file under the version code', async () => {
    const { app, build } = await testedBuild();
    const { artifacts } = playSite.play.app(app.packageName);
    artifacts.set(42, { ...artifacts.get(42)!, sha256: 'f'.repeat(64) });
    expectFailed(await promote(app, build), 'has another file with the version code 42');
  });

  it('when it is the first release of a track, and staged: to all users, it is not', async () => {
    const { app, build } = await testedBuild();
    const staged = await promote(app, build, { rolloutPercentage: 0.1 });
    expectFailed(
      staged,
      'The first release of a track cannot be a staged rollout. Submit again with a rollout',
    );
    expect((await promote(app, build)).job.status).toBe('succeeded');
  });

  it('when users of the track have a higher version', async () => {
    const { app, build } = await testedBuild({ play: { tracks: { production: [live(43)] } } });
    expectFailed(await promote(app, build), 'has the version code 43, which is above 42');
  });

  it('when a review runs, which it does not end', async () => {
    const { app, build } = await testedBuild();
    playSite.play.app(app.packageName).isInReview = true;
    expectFailed(await promote(app, build), 'Wait until the review ends and submit again');
    expect(app.historyOf()).toEqual([]);
  });

  it('when the track has no countries', async () => {
    const { app, build } = await testedBuild({ play: { tracksWithoutCountries: ['production'] } });
    expectFailed(await promote(app, build), 'Choose its countries in the Play Console');
  });
});
