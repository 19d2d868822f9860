import { eventually } from '../../support/eventually.js';
import type { AppleSite, AppleSiteApp } from '../../support/stores/apple-submissions.js';
import { AppStoreApp, startAppStore } from '../../support/stores/app-store-releases.js';
import { USUAL_REVIEW } from '../../support/stores/app-store-connect/state/app-store/app-review.js';
import { addReviewSubmission } from '../../support/stores/app-store-connect/state/app-store/review-submission.js';

const PATIENCE = 120_000;
const NOTES = { releaseNotes: { default: 'Faster.' } };

let appleSite: AppleSite;
let count = 0;

beforeAll(async () => {
  appleSite = await startAppStore();
});
afterAll(() => appleSite.dispose());
beforeEach(() => {
  Object.assign(appleSite.connect.review, USUAL_REVIEW);
  appleSite.connect.faults.clear();
});

const newApp = (options: AppleSiteApp = {}): Promise<AppStoreApp> =>
  AppStoreApp.of(appleSite, `com.example.review${++count}`, options);

/** The sentence of an answer that is no success. */
const messageOf = ({ body }: { body: unknown }): string => String((body as { message?: unknown }).message);

describe('a withdrawal', () => {
  it.each(['waiting', 'in review'] as const)(
    'takes a version out of the review that is %s, once Apple says that it is complete',
    async (state) => {
      const app = await newApp();
      const sent = await app.sendToReview('1.1', '42');
      if (state === 'in review') {
        app.review('1.1', 'begin');
        await app.seen(sent, 'in_review');
      }
      appleSite.connect.review.cancelReads = 3;
      const requested = await app.request(sent, 'withdraw');
      const again = await app.request(sent, 'withdraw');
      expect([requested.status, again.status]).toEqual([200, 200]);
      const { submission } = await app.change(requested);
      expect(submission.release).toMatchObject({ status: 'withdrawn', storeStatus: 'DEVELOPER_REJECTED' });
      expect(app.version('1.1')).toMatchObject({ state: 'DEVELOPER_REJECTED', reviews: ['COMPLETE'] });
      expect(await app.request(sent, 'withdraw')).toMatchObject({
        status: 200,
        body: { submission: { openAction: null } },
      });
      const release = await app.request(sent, 'release');
      expect([release.status, messageOf(release)]).toEqual([
        409,
        expect.stringContaining('taken out of the review'),
      ]);
      await app.expectNothingLeft();
    },
    PATIENCE,
  );

  it(
    'that comes too late fails, and says that the version is approved',
    async () => {
      const app = await newApp();
      const sent = await app.sendToReview('1.1', '42');
      appleSite.connect.review.approvesCanceled = true;
      const { job, submission } = await app.endChange(await app.request(sent, 'withdraw'));
      expect([job.status, job['statusMessage']]).toEqual(['failed', expect.stringContaining('approved')]);
      expect(submission.release).toMatchObject({ status: 'approved' });
      const refused = await app.request(sent, 'withdraw');
      expect([refused.status, messageOf(refused)]).toEqual([
        409,
        expect.stringContaining('Apple has approved it'),
      ]);
      await app.change(await app.request(sent, 'release'));
      expect(app.version('1.1')?.releases).toBe(1);
    },
    PATIENCE,
  );

  it(
    'of a version that was approved a moment ago is no loss of it',
    async () => {
      const app = await newApp();
      const sent = await app.sendToReview('1.1', '42');
      // Slipway does not know that yet.
      app.review('1.1', 'approve');
      const response = await app.request(sent, 'withdraw');
      if (response.status === 200) {
        const { job } = await app.endChange(response);
        expect([job.status, job['statusMessage']]).toEqual(['failed', expect.stringContaining('approved')]);
      } else
        expect([response.status, messageOf(response)]).toEqual([409, expect.stringContaining('approved')]);
      expect(app.version('1.1')?.state).toBe('PENDING_DEVELOPER_RELEASE');
    },
    PATIENCE,
  );

  it(
    'that Apple never completes is given up with a sentence, and leaves no turn',
    async () => {
      const app = await newApp();
      const sent = await app.sendToReview('1.1', '42');
      appleSite.connect.review.cancelReads = Infinity;
      const response = await app.request(sent, 'withdraw');
      await app.waitForYears(sent);
      const { job, submission } = await app.endChange(response);
      expect([job.status, String(job['statusMessage'])]).toEqual([
        'failed',
        expect.stringContaining('See in App Store Connect where the version is'),
      ]);
      expect(submission.release?.status).toBe('waiting_for_review');
      await app.expectNothingLeft();
    },
    PATIENCE,
  );
});

describe('after a rejection', () => {
  it.each([
    ['reject', 'REJECTED'],
    ['reject-metadata', 'METADATA_REJECTED'],
    ['invalid-binary', 'INVALID_BINARY'],
  ] as const)(
    '(%s), the release is a 409, and the next build of the version goes to review',
    async (decision, storeStatus) => {
      const app = await newApp();
      const first = await app.sendToReview('1.1', '42');
      app.review('1.1', decision);
      const rejected = await app.seen(first, 'rejected', { storeStatus });
      expect(rejected.message).toContain('App Store Connect');
      const release = await app.request(first, 'release');
      expect([release.status, messageOf(release)]).toEqual([409, expect.stringContaining('rejected')]);
      const second = await app.sendToReview('1.1', '43');
      expect(app.version('1.1')).toMatchObject({
        buildNumber: '43',
        reviews: ['COMPLETE', 'WAITING_FOR_REVIEW'],
      });
      app.review('1.1', 'approve');
      await app.seen(second, 'approved');
      await app.change(await app.request(second, 'release'));
      expect(app.apple.releases).toHaveLength(1);
    },
    PATIENCE,
  );

  it(
    'the same build goes to review again without force and without an upload',
    async () => {
      const app = await newApp();
      const build = await app.build('1.1', '42');
      const first = await app.end(await app.deploy(build, NOTES));
      expect(first.job.status).toBe('succeeded');
      app.review('1.1', 'reject');
      await app.seen(first, 'rejected');
      const second = await app.end(await app.deploy(build, NOTES));
      expect([second.job['statusMessage'], second.job.status]).toEqual([null, 'succeeded']);
      expect(app.apple.uploads).toHaveLength(1);
      expect(app.version('1.1')?.state).toBe('WAITING_FOR_REVIEW');
    },
    PATIENCE,
  );
});

describe('a hotfix while a review runs', () => {
  it.each(['waiting', 'in review'] as const)(
    'withdraws a version that is %s first with appleRejectIfPossible',
    async (state) => {
      const app = await newApp({ destination: { appleRejectIfPossible: true } });
      const first = await app.sendToReview('1.1', '42');
      if (state === 'in review') app.review('1.1', 'begin');
      appleSite.connect.review.cancelReads = 2;
      appleSite.connect.review.lockedEdits = 1;
      const second = await app.sendToReview('1.2', '43');
      expect(app.version('1.2')).toMatchObject({ buildNumber: '43' });
      expect(app.version('1.1')).toBeUndefined();
      expect(second.log).toContain('1.1');
      const { status } = await eventually(async () => {
        await app.hurryLooks();
        const { release } = (await app.deployment(first.id)).submission;
        expect(release?.status).not.toMatch(/review$/);
        return release as { status: string };
      });
      expect(['withdrawn', 'removed', 'replaced']).toContain(status);
      app.review('1.2', 'approve');
      await app.seen(second, 'approved');
      await app.change(await app.request(second, 'release'));
      expect(app.apple.releases.map(({ versionString }) => versionString)).toEqual(['1.2']);
    },
    PATIENCE,
  );

  it(
    'without it fails, and says which version is in review and what to do',
    async () => {
      const app = await newApp();
      await app.sendToReview('1.1', '42');
      const { job } = await app.release('1.2', '43');
      expect(job.status).toBe('failed');
      expect(job['statusMessage']).toContain('1.1');
      expect(job['statusMessage']).toContain('appleRejectIfPossible');
      expect(app.version('1.1')?.state).toBe('WAITING_FOR_REVIEW');
      await app.expectNothingLeft();
    },
    PATIENCE,
  );

  it(
    'never withdraws a version that is approved',
    async () => {
      const app = await newApp({ destination: { appleRejectIfPossible: true } });
      const first = await app.sendToReview('1.1', '42');
      app.review('1.1', 'approve');
      const { job } = await app.release('1.2', '43');
      expect(job.status).toBe('failed');
      expect(job['statusMessage']).toContain('1.1');
      expect(job['statusMessage']).toMatch(/release/i);
      expect(app.version('1.1')?.state).toBe('PENDING_DEVELOPER_RELEASE');
      await app.seen(first, 'approved');
      await app.change(await app.request(first, 'release'));
      expect(app.apple.releases).toHaveLength(1);
    },
    PATIENCE,
  );

  it(
    'whose withdrawal ends approved leaves the approved version alone',
    async () => {
      const app = await newApp({ destination: { appleRejectIfPossible: true } });
      await app.sendToReview('1.1', '42');
      appleSite.connect.review.approvesCanceled = true;
      const { job } = await app.release('1.2', '43');
      expect([job.status, job['statusMessage']]).toEqual(['failed', expect.stringContaining('1.1')]);
      expect(app.version('1.1')?.state).toBe('PENDING_DEVELOPER_RELEASE');
      await app.expectNothingLeft();
    },
    PATIENCE,
  );
});

test(
  'two submissions of an app for review take turns: one gets its review, and the other says why not',
  async () => {
    const app = await newApp();
    const builds = [await app.build('1.1', '42'), await app.build('1.2', '43')];
    const sent = await Promise.all(builds.map((build) => app.deploy(build, NOTES)));
    const ended = await Promise.all(sent.map((one) => app.end(one)));
    const statuses = ended.map(({ job }) => job.status).toSorted();
    expect(statuses).toEqual(['failed', 'succeeded']);
    expect(app.apple.reviews).toHaveLength(1);
    const failed = ended.find(({ job }) => job.status === 'failed');
    expect(failed?.job['statusMessage']).toContain('review');
    await app.expectNothingLeft();
  },
  PATIENCE,
);

test(
  'a version is submitted once: again is a 409, unless it is forced, or was rejected or withdrawn',
  async () => {
    const app = await newApp();
    const build = await app.build('1.1', '42');
    const first = await app.end(await app.deploy(build, NOTES));
    expect(first.job.status).toBe('succeeded');
    const post = (values: object = {}) =>
      app.app.api.post(`${app.app.path}/deployments`, {
        appBuildId: build,
        appDestinationId: app.destinationId,
        ...NOTES,
        ...values,
      });
    expect(await post()).toMatchObject({ status: 409, body: { code: 'already_submitted' } });
    const forced = await post({ force: true });
    expect(forced.status).toBe(201);
    // It is in review already.
    const ended = await app.end(forced.body as typeof first);
    expect(app.apple.reviews).toHaveLength(1);
    expect(app.version('1.1')?.state).toBe('WAITING_FOR_REVIEW');
    expect(['succeeded', 'failed']).toContain(ended.job.status);
    await app.change(await app.request(first, 'withdraw'));
    await app.seen(first, 'withdrawn');
  },
  PATIENCE,
);

test(
  'a draft of a review submission is used, and one that was rejected before is canceled',
  async () => {
    const app = await newApp();
    const draft = addReviewSubmission(app.apple, 'IOS');
    const sent = await app.sendToReview('1.1', '42');
    expect(draft.state).toBe('WAITING_FOR_REVIEW');
    app.review('1.1', 'reject');
    await app.seen(sent, 'rejected');
    appleSite.connect.review.cancelReads = 2;
    await app.sendToReview('1.1', '43');
    expect(draft.state).toBe('COMPLETE');
    expect(app.apple.reviewSubmissions.map(({ state }) => state)).toEqual(['COMPLETE', 'WAITING_FOR_REVIEW']);
  },
  PATIENCE,
);

test(
  'a version that is live, approved or lower than one that is live does not go to review again',
  async () => {
    const app = await newApp();
    app.addVersion('2.0', 'READY_FOR_DISTRIBUTION');
    for (const version of ['1.0', '2.0', '1.5']) {
      const { job } = await app.release(version, '42');
      expect([version, job.status]).toEqual([version, 'failed']);
      expect(String(job['statusMessage'])).toMatch(/raise|higher/i);
    }
    expect(app.apple.reviews).toEqual([]);
  },
  PATIENCE,
);

test(
  'a release whose key was revoked keeps what is known, and a change of it says what to do',
  async () => {
    const app = await newApp();
    const sent = await app.sendToReview('1.1', '42');
    app.review('1.1', 'approve');
    await app.seen(sent, 'approved');
    appleSite.connect.keys.revoke(app.key.keyId);
    const { job, submission } = await app.endChange(await app.request(sent, 'release'));
    expect([job.status, job['statusMessage']]).toEqual(['failed', expect.stringContaining('key')]);
    expect(submission.release).toMatchObject({ status: 'approved' });
    expect(app.version('1.1')).toMatchObject({ state: 'PENDING_DEVELOPER_RELEASE', releases: 0 });
    await app.expectNothingLeft();
  },
  PATIENCE,
);

test(
  'a review that never ends keeps its status, without a failure and without ever more questions',
  async () => {
    const app = await newApp();
    const sent = await app.sendToReview('1.1', '42');
    app.review('1.1', 'begin');
    await app.seen(sent, 'in_review');
    const shift = (days: number) =>
      appleSite.site.query(
        `UPDATE store_releases SET status_since = status_since - $2 * interval '1 day' WHERE id = $1`,
        [sent.id, days],
      );
    await shift(30);
    await app.hurryLooks();
    await app.seen(sent, 'in_review');
    expect((await app.job(sent)).status).toBe('succeeded');
    await shift(70);
    await eventually(async () => {
      await app.hurryLooks();
      const { release } = (await app.deployment(sent.id)).submission;
      expect(release).toMatchObject({ status: 'in_review', nextLookAt: null });
    });
    // A request starts it again.
    await app.change(await app.request(sent, 'withdraw'));
    await app.seen(sent, 'withdrawn');
  },
  PATIENCE,
);
