import { passStep, putPlan } from '../../builders/rollout-plan.js';
import { eventually } from '../../support/eventually.js';
import { expectError } from '../../support/http/expect-error.js';
import { expectRelease, historyOf } from '../../support/stores/followed-releases.js';
import { PlaySite, type PublishedApp } from '../../support/stores/play-submissions.js';

let site: PlaySite;

beforeAll(async () => {
  site = await PlaySite.start({ RELEASE_WATCH_SECONDS: '1', QUEUE_POLL_SECONDS: '1' });
});
beforeEach(() => site.play.faults.clear());
afterAll(() => site.dispose());

let packages = 0;
const newApp = (play: object = {}): Promise<PublishedApp> =>
  site.app(`com.example.history${++packages}`, { play });

const text = (part: string): string => expect.stringContaining(part) as string;

it('says who submitted a build, what the store did, and where the release went', async () => {
  const app = await newApp({ hasReviews: true });
  const { owner } = app.app.tenant;
  const { id, jobId } = await app.release(42);
  site.play.finishReview(app.packageName, 'approved');
  await expectRelease(app, id, { status: 'released' });
  const user = expect.objectContaining({ id: owner.userId, email: owner.email }) as object;
  expect(await historyOf(app, id)).toEqual([
    expect.objectContaining({
      kind: 'requested',
      actor: 'user',
      user,
      action: 'submit',
      rolloutPercentage: 1,
      jobId,
    }),
    expect.objectContaining({ kind: 'status', status: 'in_review', storeMessage: 'IN_REVIEW' }),
    expect.objectContaining({
      kind: 'ended',
      actor: 'store',
      user: null,
      action: 'submit',
      hasSucceeded: true,
      jobId,
      message: text('The release is on the track production.'),
    }),
    expect.objectContaining({
      kind: 'status',
      actor: 'store',
      status: 'released',
      message: 'All users of the track production get the release.',
      storeMessage: 'PUBLISHED',
    }),
  ]);
});

it('quotes the store that refuses a release', async () => {
  const app = await newApp();
  site.play.refuse('target sdk', { packageName: app.packageName });
  const { id, submission } = await app.release(42);
  const ended = (await historyOf(app, id)).at(-1);
  expect(ended).toMatchObject({
    kind: 'ended',
    actor: 'store',
    hasSucceeded: false,
    message: submission.message,
    storeMessage: text('Target SDK'),
  });
});

it('says who canceled it', async () => {
  const app = await newApp();
  const held = site.play.hold('insert', 'before', { packageName: app.packageName });
  const { id, jobId } = await app.deploy(await app.build(42));
  await held.arrived;
  expect((await app.app.api.patch(`/v1/jobs/${jobId}`, { status: 'canceled' })).status).toBe(200);
  held.release();
  expect((await historyOf(app, id)).at(-1)).toMatchObject({
    kind: 'ended',
    actor: 'user',
    user: { id: app.app.tenant.owner.userId },
    hasSucceeded: false,
    message: 'The submission was canceled.',
    storeMessage: null,
  });
});

it('says who finished in the store what a person had to do, and looks at once', async () => {
  const app = await newApp({ isRejected: true });
  const { id } = await app.release(42);
  await expectRelease(app, id, { status: 'not_sent_for_review' });
  site.play.app(app.packageName).isRejected = false;
  for (const release of [...site.play.app(app.packageName).tracks.values()].flat()) {
    release.lifecycle = 'PUBLISHED';
  }
  expect((await app.app.api.post(`${app.app.path}/deployments/${id}/done`)).status).toBe(200);
  await expectRelease(app, id, { status: 'released' });
  const kinds = (await historyOf(app, id)).map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual(['ended', 'finished', 'requested', 'status', 'status']);
  expect((await historyOf(app, id)).find(({ kind }) => kind === 'finished')).toMatchObject({
    actor: 'user',
    user: { id: app.app.tenant.owner.userId },
  });
});

it('says what a plan has changed', async () => {
  const app = await newApp({ tracks: { production: [{ status: 'completed', versionCodes: ['1'] }] } });
  const { id } = await app.release(42, { rolloutPercentage: 0.1 });
  await putPlan(app.app, id, {}, 'start');
  await passStep(id, site.site);
  await eventually(async () => {
    await site.hurry();
    expect((await historyOf(app, id)).at(-1)).toMatchObject({ kind: 'ended', action: 'set-rollout' });
  });
  expect((await historyOf(app, id)).slice(-3)).toMatchObject([
    { kind: 'requested', actor: 'rollout-plan', action: 'set-rollout' },
    { kind: 'status', actor: 'rollout-plan', status: null },
    { kind: 'ended', actor: 'store', hasSucceeded: true },
  ]);
});

it('comes in pages, for members who may read deployments, and goes with the deployment', async () => {
  const app = await newApp();
  const { id } = await app.release(42);
  const path = `${app.app.path}/deployments/${id}/history`;
  const page = await app.app.api.get(`${path}?limit=1&offset=1`);
  expect([page.status, page.headers['x-total-count'], (page.body as unknown[]).length]).toEqual([
    200,
    '3',
    1,
  ]);
  const other = await newApp();
  expectError(await other.app.api.get(path), 404);
  const [change] = await site.site.query<{ id: string }>(
    `INSERT INTO submissions (id, app_id, destination_id, job_id, type, action, release_id, state, package_name, version_code,
       artifact_id, artifact_type, blob_id, size_in_bytes, sha256, step)
     SELECT gen_random_uuid(), app_id, destination_id, job_id, type, 'set-rollout', id, 'failed', package_name, version_code,
       artifact_id, artifact_type, blob_id, size_in_bytes, sha256, 'set-rollout' FROM submissions WHERE id = $1 RETURNING id`,
    [id],
  );
  const ofChange = `${app.app.path}/deployments/${change?.id}`;
  for (const list of ['history', 'requests']) {
    expectError(await app.app.api.get(`${ofChange}/${list}`), 404, 'submission_not_found');
  }
  const events = (): Promise<object[]> =>
    site.site.query('SELECT FROM release_events WHERE release_id = $1', [id]);
  expect(await events()).toHaveLength(3);
  await app.app.api.delete(`${app.app.path}/destinations/${app.destinationId}`);
  expect(await events()).toEqual([]);
});
