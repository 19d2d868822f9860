import { recordedEvents } from '../../support/events/recorded-events.js';
import { expectRelease } from '../../support/stores/followed-releases.js';
import { PlaySite, type PublishedApp } from '../../support/stores/play-submissions.js';

let site: PlaySite;

beforeAll(async () => {
  site = await PlaySite.start({ RELEASE_WATCH_SECONDS: '1', QUEUE_POLL_SECONDS: '1' });
});
beforeEach(() => site.play.faults.clear());
afterAll(() => site.dispose());

let packages = 0;
const newApp = (play: object = {}, destination: object = {}): Promise<PublishedApp> =>
  site.app(`com.example.events${++packages}`, { play, destination });

/** Of submissions and releases: the type without `app_`, with the data. */
async function eventsOf({ app }: PublishedApp): Promise<{ type: string; [field: string]: unknown }[]> {
  const events = await recordedEvents({ organizationId: app.tenant.organizationId }, site.site);
  return events
    .filter(({ type }) => /^app_(submission|release)/.test(type))
    .map(({ type, data }) => ({ type: type.replace('app_', ''), ...data }));
}

/** The states, and the statuses, that have been events, in their order. */
async function courseOf(app: PublishedApp): Promise<unknown[]> {
  return (await eventsOf(app)).map(({ state, status, reason }) => state ?? status ?? `requires ${reason}`);
}

it('follows a submission from its request to all users', async () => {
  const app = await newApp({ hasReviews: true });
  const { id, jobId } = await app.release(42);
  site.play.finishReview(app.packageName, 'approved');
  await expectRelease(app, id, { status: 'released' });
  expect(await courseOf(app)).toEqual([
    'created',
    'preprocessing',
    'preparing',
    'prepared',
    'in_review',
    'released',
  ]);
  const about = {
    appDeploymentId: id,
    appDestinationId: app.destinationId,
    destinationName: expect.stringContaining('Google Play') as string,
    destinationType: 'google-play',
    packageName: app.packageName,
    versionCode: '42',
    track: 'production',
  };
  const events = await eventsOf(app);
  expect(events[0]).toMatchObject({
    ...about,
    type: 'submission_state_changed',
    submissionId: id,
    jobId,
    action: 'submit',
    previousState: null,
  });
  expect(events[3]).toMatchObject({ previousState: 'preparing', message: expect.any(String) as string });
  expect(events.at(-1)).toMatchObject({
    ...about,
    type: 'release_status_changed',
    previousStatus: 'in_review',
    rolloutPercentage: 1,
    message: 'All users of the track production get the release.',
  });
});

it('says that a person has to send a release for review, once, and that it was done', async () => {
  const app = await newApp({ isRejected: true });
  const { id } = await app.release(42);
  await expectRelease(app, id, { status: 'not_sent_for_review' });
  expect((await courseOf(app)).slice(3)).toEqual([
    'failed_with_action_required',
    'requires not_sent_for_review',
    'not_sent_for_review',
  ]);
  site.play.app(app.packageName).isRejected = false;
  for (const release of [...site.play.app(app.packageName).tracks.values()].flat()) {
    release.lifecycle = 'PUBLISHED';
  }
  const { owner } = app.app.tenant;
  expect((await app.app.api.post(`${app.app.path}/deployments/${id}/done`)).status).toBe(200);
  await expectRelease(app, id, { status: 'released' });
  expect((await courseOf(app)).slice(6)).toEqual(['finished_manually', 'released']);
  const events = await recordedEvents({ objectId: id }, site.site);
  expect(events.find(({ data }) => data['state'] === 'finished_manually')?.userId).toBe(owner.userId);
});

it('says that a person has to finish a draft', async () => {
  const app = await newApp({}, { androidReleaseStatus: 'draft' });
  const { id } = await app.release(42);
  await expectRelease(app, id, { status: 'draft' });
  expect((await courseOf(app)).slice(3)).toEqual(['prepared', 'draft', 'requires draft']);
  expect((await eventsOf(app)).at(-1)).toMatchObject({
    type: 'release_action_required',
    appDeploymentId: id,
    message: expect.stringContaining('Play Console') as string,
    link: expect.stringContaining('https://play.google.com') as string,
  });
});

it('says what the store has refused, and that a review has rejected a release', async () => {
  const refused = await newApp();
  site.play.refuse('target sdk', { packageName: refused.packageName });
  const { submission } = await refused.release(42);
  const events = await eventsOf(refused);
  const failed = events.find(({ state }) => state === 'failed');
  expect(failed).toMatchObject({ message: submission.message, storeMessage: expect.any(String) as string });
  expect(await courseOf(refused)).not.toContain('requires refused');
  const denied = await newApp();
  site.play.refuse('no permission', { packageName: denied.packageName });
  await denied.release(42);
  expect((await courseOf(denied)).slice(-2)).toEqual(['failed', 'requires refused']);
  expect((await eventsOf(denied)).at(-1)).toMatchObject({
    message: expect.stringContaining('Users and permissions') as string,
    link: expect.stringContaining('https://play.google.com') as string,
  });
  const rejected = await newApp({ hasReviews: true });
  const { id } = await rejected.release(42);
  site.play.finishReview(rejected.packageName, 'rejected');
  await expectRelease(rejected, id, { status: 'rejected' });
  expect((await courseOf(rejected)).slice(-2)).toEqual(['rejected', 'requires rejected']);
});

it('says which share of users a release has', async () => {
  const app = await newApp({ tracks: { production: [{ status: 'completed', versionCodes: ['1'] }] } });
  const { id } = await app.release(42, { rolloutPercentage: 0.1 });
  const { body } = await app.patchShare(id, 0.5);
  const { jobId } = (body as { submission: { openAction: { jobId: string } } }).submission.openAction;
  await expectRelease(app, id, { rolloutPercentage: 0.5 });
  const events = await eventsOf(app);
  const changes = events.filter(({ action }) => action === 'set-rollout');
  expect(changes.map(({ state }) => state)).toEqual(['created', 'preprocessing', 'preparing', 'prepared']);
  expect(changes[0]).toMatchObject({ jobId, appDeploymentId: id });
  expect(changes[0]?.['submissionId']).not.toBe(id);
  const shares = events.filter(({ type }) => type === 'release_status_changed');
  expect(shares.map(({ rolloutPercentage }) => rolloutPercentage)).toEqual([0.1, 0.5]);
  const all = await recordedEvents({ objectId: id }, site.site);
  expect(all.at(-1)?.userId).toBe(app.app.tenant.owner.userId);
});
