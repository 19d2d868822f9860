import { oneOf } from '../../setup/depth.js';
import type { RefusalName } from '../../support/stores/app-store-connect/refusals.js';
import type { Call } from '../../support/stores/app-store-connect/resources/routes.js';
import type { AppleSite } from '../../support/stores/apple-submissions.js';
import {
  AppStoreApp,
  type EndedChange,
  startAppStore,
  type TestStoreRelease,
} from '../../support/stores/app-store-releases.js';
import { type FaultKind } from '../../support/stores/stand-in/faults.js';

const PATIENCE = 120_000;
const KINDS = ['cut', 'lost-response', 'html', 'truncated', 'wrong-types', 'empty'] as const;

let appleSite: AppleSite;
let count = 0;

beforeAll(async () => {
  appleSite = await startAppStore();
});
afterAll(() => appleSite.dispose());
beforeEach(() => appleSite.connect.faults.clear());

interface Release {
  readonly app: AppStoreApp;
  readonly sent: TestStoreRelease;
}

async function inReview(destination: object = {}): Promise<Release> {
  const app = await AppStoreApp.of(appleSite, `com.example.change${++count}`, { destination });
  return { app, sent: await app.sendToReview('1.1', '1') };
}

async function approved(): Promise<Release> {
  const { app, sent } = await inReview();
  app.review('1.1', 'approve');
  await app.seen(sent, 'approved');
  return { app, sent };
}

async function rollingOut(): Promise<Release> {
  const { app, sent } = await inReview({ appleReleaseType: 'after-approval', applePhasedRelease: true });
  app.review('1.1', 'approve');
  await app.seen(sent, 'rolling_out');
  return { app, sent };
}

/** A change, the call that makes it, and how the version is when it was made. */
interface Change {
  readonly name: string;
  readonly begin: () => Promise<Release>;
  readonly request: (release: Release) => Promise<{ status: number; body: unknown }>;
  readonly call: Call;
  readonly status: string;
  readonly refusal: RefusalName;
  /** What a refusal for ever says. */
  readonly says: string;
}

const CHANGES: readonly Change[] = [
  {
    name: 'release',
    begin: approved,
    request: ({ app, sent }) => app.request(sent, 'release'),
    call: 'releaseVersion',
    status: 'released',
    refusal: 'not releasable',
    says: 'does not release the version now',
  },
  {
    name: 'withdrawal',
    begin: inReview,
    request: ({ app, sent }) => app.request(sent, 'withdraw'),
    call: 'updateReviewSubmission',
    status: 'withdrawn',
    refusal: 'not cancelable',
    says: 'Apple has not ended the review',
  },
  {
    name: 'pause',
    begin: rollingOut,
    request: ({ app, sent }) => app.setShare(sent, 0),
    call: 'updatePhasedRelease',
    status: 'paused',
    refusal: 'unknown code',
    says: 'App Store Connect',
  },
  {
    name: 'completion',
    begin: rollingOut,
    request: ({ app, sent }) => app.setShare(sent, 1),
    call: 'updatePhasedRelease',
    status: 'released',
    refusal: 'unknown code',
    says: 'App Store Connect',
  },
];

async function expectDone({ app }: Release, { job, submission }: EndedChange, status: string): Promise<void> {
  expect([job['statusMessage'], job.status, submission.openAction]).toEqual([null, 'succeeded', null]);
  expect(submission.release?.status).toBe(status);
  expect(app.apple.releases.length).toBe(status === 'withdrawn' ? 0 : 1);
  await app.expectNothingLeft();
}

describe.each(oneOf(CHANGES))('a $name', ({ begin, request, call, status, refusal, says }) => {
  test.each(KINDS.map((kind): [FaultKind] => [kind]))(
    'goes on after %s',
    async (kind) => {
      const release = await begin();
      appleSite.connect.fail(kind, { call });
      await expectDone(release, await release.app.endChange(await request(release)), status);
    },
    PATIENCE,
  );

  test.each<[RefusalName]>([['RATE_LIMIT_EXCEEDED'], ['UNEXPECTED_ERROR 500'], ['NOT_AUTHORIZED']])(
    'goes on after %s',
    async (name) => {
      const release = await begin();
      appleSite.connect.refuse(name, { call });
      await expectDone(release, await release.app.endChange(await request(release)), status);
    },
    PATIENCE,
  );

  test(
    'that Apple refuses fails with what to do, and can be requested again',
    async () => {
      const release = await begin();
      appleSite.connect.refuse(refusal, { call, times: Infinity });
      const response = await request(release);
      // What Apple says is read again and again: the review may have ended.
      if (status === 'withdrawn') await release.app.waitForYears(release.sent);
      const { job, submission } = await release.app.endChange(response);
      expect([job.status, job['statusMessage']]).toEqual(['failed', expect.stringContaining(says)]);
      expect(submission.openAction).toBeNull();
      appleSite.connect.faults.clear();
      await expectDone(release, await release.app.endChange(await request(release)), status);
    },
    PATIENCE,
  );

  test(
    'is canceled before Apple gets it, and can be requested again',
    async () => {
      const release = await begin();
      const { app } = release;
      appleSite.connect.refuse('UNEXPECTED_ERROR 500', { call: 'appStoreVersion', times: Infinity });
      appleSite.connect.refuse('UNEXPECTED_ERROR 500', { call: 'reviewSubmissions', times: Infinity });
      const response = await request(release);
      const { openAction } = (response.body as TestStoreRelease).submission;
      const canceled = await app.app.api.patch(`/v1/jobs/${openAction?.jobId}`, { status: 'canceled' });
      appleSite.connect.faults.clear();
      expect([canceled.status, canceled.status === 200 || canceled.body]).toEqual([200, true]);
      expect((await app.deployment(release.sent.id)).submission.openAction).toBeNull();
      await expectDone(release, await app.endChange(await request(release)), status);
    },
    PATIENCE,
  );
});

test.each<[RefusalName, number, string]>([
  ['phased release has the value', 0, 'PAUSED'],
  ['phased release is complete', 1, 'COMPLETE'],
])(
  '%s: it is as wanted',
  async (name, share, state) => {
    const { app, sent } = await rollingOut();
    const { phasedRelease } = appleSite.connect.version(app.bundleId, '1.1');
    const hold = appleSite.connect.hold('updatePhasedRelease');
    const response = await app.setShare(sent, share);
    await hold.arrived;
    // A person was faster.
    Object.assign(phasedRelease ?? {}, { state });
    appleSite.connect.refuse(name);
    hold.release();
    const { job, submission } = await app.endChange(response);
    expect([job['statusMessage'], job.status]).toEqual([null, 'succeeded']);
    expect(submission.release?.status).toBe(share === 0 ? 'paused' : 'released');
  },
  PATIENCE,
);

test(
  'another change is a 409 while one is open, and the same one is the same',
  async () => {
    const { app, sent } = await rollingOut();
    const hold = appleSite.connect.hold('updatePhasedRelease');
    const first = await app.setShare(sent, 0);
    const [same, other] = [await app.setShare(sent, 0), await app.setShare(sent, 1)];
    const actionOf = ({ body }: { body: unknown }): unknown =>
      (body as TestStoreRelease).submission.openAction;
    expect(actionOf(same)).toMatchObject({ id: (actionOf(first) as { id: string }).id });
    expect(other).toMatchObject({ status: 409, body: { code: 'release_busy' } });
    hold.release();
    await app.change(first);
    expect(appleSite.connect.version(app.bundleId, '1.1').phasedRelease?.state).toBe('PAUSED');
  },
  PATIENCE,
);

test(
  'who did what when is in the history',
  async () => {
    const { app, sent } = await approved();
    await app.change(await app.request(sent, 'release'));
    const { status, body } = await app.app.api.get(`${app.app.path}/deployments/${sent.id}/history`);
    expect(status).toBe(200);
    const text = JSON.stringify(body);
    for (const word of ['waiting_for_review', 'approved', 'release', 'released'])
      expect(text).toContain(word);
  },
  PATIENCE,
);
