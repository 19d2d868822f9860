import { eventually } from '../../support/eventually.js';
import { PlaySite, type PublishedApp } from '../../support/stores/play-submissions.js';

/** Where a release is, as responses show it. */
interface ReleaseView {
  readonly status: string;
  readonly since: string;
  readonly rolloutPercentage: number | null;
  readonly storeStatus: string | null;
  readonly message: string;
  readonly link: string | null;
  readonly lookedAt: string | null;
  readonly lookError: string | null;
  readonly nextLookAt: string | null;
}

let site: PlaySite;

beforeAll(async () => {
  site = await PlaySite.start({ RELEASE_WATCH_SECONDS: '1', QUEUE_POLL_SECONDS: '1' });
}, 60_000);
afterAll(() => site.dispose());

let packages = 0;
const newApp = (values: object = {}): Promise<PublishedApp> =>
  site.app(`com.example.watched${++packages}`, values);

async function releaseOf(published: PublishedApp, id: string): Promise<ReleaseView | null> {
  const { submission } = await published.deployment(id);
  return (submission as unknown as { release: ReleaseView | null }).release;
}

/** Waits until the release is as wanted. */
const expectRelease = (
  published: PublishedApp,
  id: string,
  wanted: Partial<ReleaseView>,
): Promise<ReleaseView> =>
  eventually(async () => {
    const release = await releaseOf(published, id);
    expect(release).toMatchObject(wanted);
    return release as ReleaseView;
  }, 20_000);

it('follows a release from its review to all users, and then stops', async () => {
  const app = await newApp({ play: { hasReviews: true } });
  const { id, job } = await app.release(42);
  expect(job.status).toBe('succeeded');
  const inReview = await expectRelease(app, id, { status: 'in_review', storeStatus: 'IN_REVIEW' });
  expect(inReview.nextLookAt).not.toBeNull();
  site.play.finishReview(app.packageName, 'approved');
  const released = await expectRelease(app, id, {
    status: 'released',
    rolloutPercentage: 1,
    storeStatus: 'PUBLISHED',
    message: 'All users of the track production get the release.',
    link: expect.stringContaining('https://play.google.com/console') as string,
    lookError: null,
    nextLookAt: null,
  });
  expect(released.lookedAt).not.toBeNull();
  expect(Date.parse(released.since)).toBeGreaterThan(Date.parse(inReview.since));
});
