import { someOf } from '../../setup/depth.js';
import { eventually } from '../../support/eventually.js';
import { expectError } from '../../support/http/expect-error.js';
import { freePort } from '../../setup/free-port.js';
import { OwnSite } from '../../support/servers/own-site.js';
import { runQueue } from '../../support/servers/run-queue.js';
import { expectRelease, historyOf, looksAt, releaseOf } from '../../support/stores/followed-releases.js';
import { PlaySite, type PublishedApp } from '../../support/stores/play-submissions.js';

let site: PlaySite;

beforeAll(async () => {
  site = await PlaySite.start({ RELEASE_WATCH_SECONDS: '1', QUEUE_POLL_SECONDS: '1' });
});
afterEach(() => {
  site.play.faults.clear();
  site.site.expectAlive();
});
afterAll(() => site.dispose());

let packages = 0;
const newApp = (values: object = {}): Promise<PublishedApp> =>
  site.app(`com.example.watched${++packages}`, values);

const reviewed = (): Promise<PublishedApp> => newApp({ play: { hasReviews: true } });

/** One whose next release can be staged. */
async function staged(): Promise<PublishedApp> {
  const app = await newApp();
  expect((await app.release(41)).job.status).toBe('succeeded');
  return app;
}

const patch = (app: PublishedApp, id: string, rolloutPercentage: number) =>
  app.app.api.patch(`${app.app.path}/deployments/${id}`, { rolloutPercentage });

/** Requests another share. @returns the deployment */
async function change(app: PublishedApp, id: string, share: number): Promise<Changed> {
  const { status, body } = await patch(app, id, share);
  expect(status).toBe(200);
  return body as Changed;
}

interface Changed {
  readonly submission: { readonly openAction: { readonly jobId: string } };
}

/** Waits until the store was asked so many times more. */
async function expectLooks(app: PublishedApp, more: number): Promise<void> {
  const before = looksAt(app);
  await eventually(() => expect(looksAt(app)).toBeGreaterThanOrEqual(before + more));
}

/** How often the store is asked in so many milliseconds. */
async function looksIn(app: PublishedApp, milliseconds: number): Promise<number> {
  const before = looksAt(app);
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return looksAt(app) - before;
}

describe('a release in a store', () => {
  it('is followed from its review to all users, and then no more', async () => {
    const app = await reviewed();
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
    expect((await historyOf(app, id)).filter(({ kind }) => kind === 'status')).toMatchObject([
      { actor: 'user', status: 'in_review', storeMessage: 'IN_REVIEW' },
      { actor: 'store', user: null, status: 'released', storeMessage: 'PUBLISHED' },
    ]);
  });

  it('says what to do after a review that has rejected it, and goes on looking', async () => {
    const app = await reviewed();
    const { id } = await app.release(42);
    site.play.finishReview(app.packageName, 'rejected');
    const rejected = await expectRelease(app, id, {
      status: 'rejected',
      storeStatus: 'NOT_APPROVED',
      message: expect.stringContaining('submit a build with a higher version code') as string,
    });
    expect(rejected.nextLookAt).not.toBeNull();
  });

  it('waits for its publication in the Play Console', async () => {
    const app = await newApp({ play: { hasReviews: true, hasManagedPublishing: true } });
    const { id } = await app.release(42);
    site.play.finishReview(app.packageName, 'approved');
    await expectRelease(app, id, { status: 'approved', storeStatus: 'APPROVED_NOT_PUBLISHED' });
    site.play.publish(app.packageName);
    await expectRelease(app, id, { status: 'released' });
  });

  it('keeps its share, which the store does not show', async () => {
    const app = await staged();
    const { id } = await app.release(42, { rolloutPercentage: 0.2 });
    await expectLooks(app, 2);
    expect(await releaseOf(app, id)).toMatchObject({ status: 'rolling_out', rolloutPercentage: 0.2 });
    expect((await historyOf(app, id)).filter(({ kind }) => kind === 'status')).toHaveLength(1);
  });

  it('is looked at again when a look was lost', async () => {
    const app = await staged();
    const { id } = await app.release(42, { rolloutPercentage: 0.2 });
    await expectLooks(app, 1);
    // No task of the queue is for this time.
    await site.site.query(
      `UPDATE store_releases SET next_look_at = now() - interval '2 hours' WHERE id = $1`,
      [id],
    );
    await eventually(async () => expect(await looksIn(app, 3000)).toBe(0));
    await runQueue(site.site, 'lost-release-looks');
    await expectLooks(app, 1);
  });

  it('is replaced by the next one, also long after the last look', async () => {
    const app = await newApp();
    const { id } = await app.release(42);
    await expectRelease(app, id, { status: 'released', nextLookAt: null });
    const next = await app.release(43);
    await expectRelease(app, id, { status: 'replaced', nextLookAt: null });
    await expectRelease(app, next.id, { status: 'released' });
  });

  it('is removed when the track does not show it any more', async () => {
    const app = await staged();
    const { id } = await app.release(42, { rolloutPercentage: 0.2 });
    site.play.setTrack(app.packageName, 'production', []);
    await expectRelease(app, id, { status: 'removed', nextLookAt: null });
  });

  it('was in review for too long, so the support of the store can help', async () => {
    const app = await reviewed();
    const { id } = await app.release(42);
    await site.site.query(
      `UPDATE store_releases SET status_since = now() - interval '30 days' WHERE id = $1`,
      [id],
    );
    const { nextLookAt } = await expectRelease(app, id, {
      status: 'in_review',
      message: expect.stringContaining('more than 7 days: ask the support of the store.') as string,
    });
    expect(nextLookAt).not.toBeNull();
    await site.site.query(
      `UPDATE store_releases SET status_since = now() - interval '91 days', next_look_at = next_look_at WHERE id = $1`,
      [id],
    );
    await site.site.query(`UPDATE queue.job SET start_after = now() WHERE name = 'release-looks'`);
    await expectRelease(app, id, {
      nextLookAt: null,
      message: expect.stringContaining('Slipway has stopped asking the store after 90 days') as string,
    });
  });
});

describe('a store that does not say where a release is', () => {
  it('leaves what is known, and is asked later each time', async () => {
    const app = await reviewed();
    const { id } = await app.release(42);
    site.play.accounts.revoke(app.key.email);
    const failed = await expectRelease(app, id, {
      status: 'in_review',
      storeStatus: 'IN_REVIEW',
      lookError: expect.stringMatching(/key/i) as string,
    });
    expect(failed.nextLookAt).not.toBeNull();
    const failures = await eventually(async () => {
      const [row] = await site.site.query<{ failed: number; wait: number }>(
        `SELECT failed_looks AS failed, extract(epoch FROM next_look_at - updated_at)::float8 AS wait
           FROM store_releases WHERE id = $1`,
        [id],
      );
      expect(row?.failed).toBeGreaterThanOrEqual(3);
      return row;
    });
    expect(failures?.wait).toBeGreaterThan(4);
  });

  it('is asked with the key that the destination has now', async () => {
    const app = await reviewed();
    const { id } = await app.release(42);
    site.play.accounts.revoke(app.key.email);
    await expectRelease(app, id, { lookError: expect.any(String) as string });
    const key = site.play.addServiceAccount({ packages: [app.packageName] });
    const { status } = await app.app.api.patch(`${app.app.path}/destinations/${app.destinationId}`, {
      appGoogleServiceAccountKeyId: await app.uploadKey(key.json),
    });
    expect(status).toBe(200);
    site.play.finishReview(app.packageName, 'approved');
    await expectRelease(app, id, { status: 'released', lookError: null });
  });

  it.each(someOf(['cut', 'html', 'redirect', 'truncated', 'wrong-types', 'empty', 'endless'] as const))(
    'harms nothing with an answer that is %s',
    async (kind) => {
      const app = await reviewed();
      const { id } = await app.release(42);
      site.play.fail(kind, { call: 'releases', packageName: app.packageName });
      await expectRelease(app, id, { status: 'in_review', lookError: expect.any(String) as string });
      await expectRelease(app, id, { status: 'in_review', lookError: null });
    },
  );

  it('is asked no more after a week', async () => {
    const app = await reviewed();
    const { id } = await app.release(42);
    await site.site.query('UPDATE store_releases SET failed_looks = 33 WHERE id = $1', [id]);
    site.play.fail('html', { call: 'releases', packageName: app.packageName, times: Infinity });
    await expectRelease(app, id, {
      status: 'in_review',
      lookError: expect.stringContaining('Slipway has stopped asking the store') as string,
      nextLookAt: null,
    });
  });
});

describe('what is kept of the calls', () => {
  it('are those that have found something, or have failed', async () => {
    const app = await reviewed();
    const { id } = await app.release(42);
    const requests = async (): Promise<unknown[]> =>
      (await app.app.api.get(`${app.app.path}/deployments/${id}/requests?limit=100`)).body as unknown[];
    await expectRelease(app, id, { lookedAt: expect.any(String) as string });
    const before = (await requests()).length;
    await expectLooks(app, 2);
    expect(await requests()).toHaveLength(before);
    site.play.finishReview(app.packageName, 'approved');
    await expectRelease(app, id, { status: 'released' });
    await eventually(async () => expect((await requests()).length).toBeGreaterThan(before));
  });
});

describe('during a look', () => {
  const hold = async (app: PublishedApp) => {
    const held = site.play.hold('releases', 'before', { packageName: app.packageName });
    await held.arrived;
    return held;
  };

  it('the destination can be deleted', async () => {
    const app = await reviewed();
    const { id } = await app.release(42);
    const held = await hold(app);
    expect((await app.app.api.delete(`${app.app.path}/destinations/${app.destinationId}`)).status).toBe(204);
    held.release();
    await eventually(async () => {
      const jobs = await site.site.query(
        `SELECT FROM queue.job WHERE name = 'release-looks' AND state <> 'completed' AND data->>'releaseId' = $1`,
        [id],
      );
      expect(jobs).toEqual([]);
    });
    expect((await app.app.api.get(`${app.app.path}/deployments/${id}`)).status).toBe(404);
  });

  it('the app can be deleted', async () => {
    const app = await reviewed();
    const { id } = await app.release(42);
    const held = await hold(app);
    expect((await app.app.api.delete(app.app.path)).status).toBe(204);
    held.release();
    await eventually(async () => {
      const jobs = await site.site.query(
        `SELECT FROM queue.job WHERE name = 'release-looks' AND state <> 'completed' AND data->>'releaseId' = $1`,
        [id],
      );
      expect(jobs).toEqual([]);
    });
  });

  it('no other server looks', async () => {
    // All that takes time comes before: a call that waits for too long fails, and is repeated.
    const other = await OwnSite.beside(site.site, { PORT: String(await freePort()) });
    try {
      const [app, neighbour] = [await reviewed(), await reviewed()];
      await app.release(42);
      await neighbour.release(7);
      const held = await hold(app);
      const before = looksAt(app);
      // Both look at the releases of others meanwhile.
      await expectLooks(neighbour, 3);
      expect(looksAt(app)).toBe(before);
      held.release();
      await expectLooks(app, 1);
    } finally {
      await other.stop();
    }
  });

  it('a change that ends wins against what the look has seen', async () => {
    const app = await staged();
    const { id } = await app.release(42, { rolloutPercentage: 0.2 });
    const held = site.play.hold('releases', 'after', { packageName: app.packageName });
    await held.arrived;
    await change(app, id, 0);
    await expectRelease(app, id, { status: 'halted', rolloutPercentage: 0, resumePercentage: 0.2 });
    held.release();
    await expectLooks(app, 2);
    expect(await releaseOf(app, id)).toMatchObject({ status: 'halted', rolloutPercentage: 0 });
    const moves = (await historyOf(app, id)).filter(({ kind }) => kind === 'status');
    expect(moves.map(({ status, rolloutPercentage }) => [status, rolloutPercentage])).toEqual([
      ['rolling_out', 0.2],
      ['halted', 0],
    ]);
  });
});

describe('a change of a release', () => {
  it('shows who has requested it until it has ended', async () => {
    const app = await staged();
    const { id } = await app.release(42, { rolloutPercentage: 0.2 });
    const held = site.play.hold('commit', 'before', { packageName: app.packageName });
    const { owner } = app.app.tenant;
    const openAction = {
      action: 'set-rollout',
      rolloutPercentage: 0.5,
      createdBy: { id: owner.userId, email: owner.email },
    };
    expect(await change(app, id, 0.5)).toMatchObject({
      rolloutPercentage: 0.2,
      submission: { action: 'submit', release: { status: 'rolling_out' }, openAction },
    });
    await held.arrived;
    const again = await change(app, id, 0.5);
    expect(again).toMatchObject({ submission: { openAction } });
    expectError(await patch(app, id, 1), 409, 'release_busy');
    held.release();
    await expectRelease(app, id, { status: 'rolling_out', rolloutPercentage: 0.5 });
    expect(await app.deployment(id)).toMatchObject({
      rolloutPercentage: 0.5,
      submission: { openAction: null },
    });
    const { body } = await app.app.api.get(`${app.app.path}/deployments/${id}/requests?limit=100`);
    const commits = (body as { url: string; appDeploymentId: string }[]).filter(({ url }) =>
      url.includes(':commit'),
    );
    expect(commits.map(({ appDeploymentId }) => appDeploymentId)).toEqual([id, id]);
    const { jobId } = again.submission.openAction;
    expect((await historyOf(app, id)).slice(-3)).toMatchObject([
      { kind: 'requested', actor: 'user', user: { id: owner.userId }, action: 'set-rollout', jobId },
      { kind: 'status', actor: 'user', status: null, rolloutPercentage: 0.5 },
      { kind: 'ended', actor: 'store', action: 'set-rollout', hasSucceeded: true, jobId },
    ]);
  });

  it('that is refused because of an old status asks the store at once', async () => {
    const app = await reviewed();
    const { id } = await app.release(42);
    await expectRelease(app, id, { status: 'in_review', lookedAt: expect.any(String) as string });
    // As if the next look came much later.
    await site.site.query(
      `UPDATE store_releases SET next_look_at = now() + interval '1 hour', looked_at = now() - interval '1 hour'
        WHERE id = $1`,
      [id],
    );
    site.play.finishReview(app.packageName, 'approved');
    expectError(await patch(app, id, 1), 409, 'release_state');
    await expectRelease(app, id, { status: 'released' });
    expect((await patch(app, id, 1)).status).toBe(200);
  });

  it('that the store refuses has its words in the history', async () => {
    const app = await staged();
    const { id } = await app.release(42, { rolloutPercentage: 0.2 });
    site.play.refuse('insufficient permissions', { call: 'insert', packageName: app.packageName });
    await change(app, id, 0.5);
    await eventually(async () =>
      expect((await historyOf(app, id)).at(-1)).toMatchObject({
        kind: 'ended',
        actor: 'store',
        action: 'set-rollout',
        hasSucceeded: false,
        storeMessage: expect.stringContaining('permission') as string,
      }),
    );
    expect(await releaseOf(app, id)).toMatchObject({ status: 'rolling_out', rolloutPercentage: 0.2 });
  });
});
