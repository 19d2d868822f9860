import { AppStoreApp, startAppStore } from '../../support/stores/app-store-releases.js';
import type { AppleSite } from '../../support/stores/apple-submissions.js';
import { PlaySite, type PublishedApp } from '../../support/stores/play-submissions.js';
import type { EndedSubmission } from '../../support/stores/store-submissions.js';

/*
 * What only a server shows of a refusal: the job, the submission, and a log without secrets. `refused-steps.spec.ts` beside
 * the steps of each store plays all refusals without a server.
 */

const PATIENCE = 120_000;

let playSite: PlaySite;
let appleSite: AppleSite;
let count = 0;

beforeAll(async () => {
  [playSite, appleSite] = await Promise.all([PlaySite.start(), startAppStore()]);
});
afterAll(() => Promise.all([playSite.dispose(), appleSite.dispose()]));

/** @param says what the message says; `null`: it goes on @param quote what the log has of the words of the store */
function expectEnd({ job, submission, log }: EndedSubmission, says: string | null, quote: string): void {
  expect(log).toContain(quote);
  if (says === null) {
    expect([job['statusMessage'], job.status, submission.state]).toEqual([null, 'succeeded', 'prepared']);
    return;
  }
  const message = String(job['statusMessage']);
  expect([job.status, submission.state]).toEqual(['failed', 'failed']);
  expect(submission.message).toContain(says);
  expect(submission.message).toContain(message);
  expect(message.length).toBeLessThanOrEqual(300);
  expect(log).toContain(message);
}

describe('Google Play', () => {
  const OLDER = [{ status: 'completed', versionCodes: ['1'], lifecycle: 'PUBLISHED' }] as const;

  async function start(): Promise<[PublishedApp, { packageName: string }]> {
    const packageName = `com.example.refused${++count}`;
    return [await playSite.app(packageName, { play: { tracks: { production: OLDER } } }), { packageName }];
  }

  async function expectLeft(
    app: PublishedApp,
    { log }: EndedSubmission,
    ...history: string[]
  ): Promise<void> {
    expect(app.historyOf()).toEqual(['1 completed', ...history]);
    expect(log).not.toContain(app.key.email);
    await app.expectNothingLeft();
  }

  test('refuses the service account', async () => {
    const [app, about] = await start();
    playSite.play.refuse('no permission', about);
    const ended = await app.release(42);
    expectEnd(ended, 'Invite it in the Play Console', 'The caller does not have permission');
    await expectLeft(app, ended);
  });

  test('refuses a file', async () => {
    const [app, about] = await start();
    playSite.play.refuse('debug signed', about);
    const ended = await app.release(42);
    expectEnd(ended, 'Build it with your upload key and submit that build', 'signed in debug mode');
    await expectLeft(app, ended);
  });

  test(
    'fails at the commit for ever',
    async () => {
      const [app, about] = await start();
      playSite.play.refuse('must not be set', { ...about, call: 'commit', times: Infinity });
      const ended = await app.end(await app.deploy(await app.build(42)), PATIENCE);
      expectEnd(ended, 'Google Play sends the changes for review by itself', 'changesNotSentForReview');
      await expectLeft(app, ended);
    },
    PATIENCE,
  );

  test('loses the answer to a commit', async () => {
    const [app, about] = await start();
    playSite.play.fail('lost-response', { ...about, call: 'commit' });
    const ended = await app.end(await app.deploy(await app.build(42)), PATIENCE);
    expectEnd(ended, null, 'Asking Google Play whether the edit was committed.');
    await expectLeft(app, ended, '42 completed');
  });

  test('refuses a change of a share', async () => {
    const [app, about] = await start();
    const { id } = await app.release(42, { rolloutPercentage: 0.2 });
    playSite.play.refuse('already in review', { ...about, call: 'commit' });
    const ended = await app.setShare(id, 0.5, PATIENCE);
    expect([ended.job.status, ended.submission.action, ended.submission.state]).toEqual([
      'failed',
      'submit',
      'prepared',
    ]);
    expect(ended.job['statusMessage']).toContain('then set the share again.');
    await expectLeft(app, ended, '42 inProgress 0.2, 1 completed');
  });
});

describe('TestFlight', () => {
  async function start() {
    return appleSite.app(`com.example.refused${++count}`, {
      apple: { groups: { Team: 'internal', Public: 'external' } },
      destination: { appleBetaGroups: ['Team', 'Public'] },
    });
  }

  beforeEach(() => appleSite.connect.faults.clear());

  test.each([
    [
      'FORBIDDEN_ERROR',
      'createBuildUpload',
      1,
      'Create a key with the role App Manager',
      'forbidden for security reasons',
    ],
    ['NOT_AUTHORIZED', 'apps', Infinity, 'clock', 'Authentication credentials are missing or invalid.'],
    ['duplicate build number', 'createBuildUpload', 1, 'Raise CFBundleVersion', 'has already been used'],
    ['RATE_LIMIT_EXCEEDED', 'commitFile', 1, null, 'App Store Connect says: '],
  ] as const)(
    '%s at %s, %s times',
    async (name, call, times, says, quote) => {
      const app = await start();
      appleSite.connect.refuse(name, { call, times });
      const ended = await app.end(await app.deploy(await app.build('1.1', '1')), PATIENCE);
      expectEnd(ended, says, quote);
      expect(app.builds).toHaveLength(says === null ? 1 : 0);
    },
    PATIENCE,
  );

  test(
    'loses the answer to the end of an upload',
    async () => {
      const app = await start();
      appleSite.connect.fail('lost-response', { call: 'commitFile' });
      const ended = await app.end(await app.deploy(await app.build('1.1', '1')), PATIENCE);
      expectEnd(ended, null, 'The build is in TestFlight.');
      expect(app.builds).toMatchObject([{ groups: ['Team', 'Public'], review: 'WAITING_FOR_REVIEW' }]);
    },
    PATIENCE,
  );
});

describe('the App Store', () => {
  beforeEach(() => appleSite.connect.faults.clear());

  async function submit(refuse: () => void): Promise<[AppStoreApp, EndedSubmission]> {
    const app = await AppStoreApp.of(appleSite, `com.example.refused${++count}`);
    const build = await app.build('1.1', '1');
    refuse();
    const ended = await app.end(
      await app.deploy(build, { releaseNotes: { default: 'News' } }),
      PATIENCE - 10_000,
    );
    appleSite.connect.faults.clear();
    await app.expectNothingLeft();
    expect(app.drafts).toEqual([]);
    return [app, ended];
  }

  test.each([
    ['another version', 'createStoreVersion', 1, 'Finish', 'cannot create a new version'],
    ['much missing', 'addReviewItem', 1, 'and 2 more, which the log has', 'publish App Privacy'],
    ['build not added', 'attachBuild', Infinity, 'answer on encryption', 'App Store Connect says: '],
    [
      'NOT_AUTHORIZED',
      'createReviewSubmission',
      1,
      null,
      'Authentication credentials are missing or invalid.',
    ],
  ] as const)(
    '%s at %s, %s times',
    async (name, call, times, says, quote) => {
      const [app, ended] = await submit(() => appleSite.connect.refuse(name, { call, times }));
      expectEnd(ended, says, quote);
      expect(app.apple.reviews).toHaveLength(says === null ? 1 : 0);
    },
    PATIENCE,
  );

  test(
    'loses the answer to the submission for review',
    async () => {
      const lose = () => appleSite.connect.fail('lost-response', { call: 'updateReviewSubmission' });
      const [app, ended] = await submit(lose);
      expectEnd(ended, null, 'review');
      expect(app.version('1.1')).toMatchObject({ state: 'WAITING_FOR_REVIEW', buildNumber: '1' });
      expect(app.apple.reviews).toHaveLength(1);
    },
    PATIENCE,
  );
});
