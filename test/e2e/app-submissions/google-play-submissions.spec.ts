import { randomBytes } from 'node:crypto';
import { createMember } from '../../builders/identities.js';
import { createToken } from '../../builders/token.js';
import { eventually } from '../../support/eventually.js';
import { Api } from '../../support/http/api.js';
import { expectError } from '../../support/http/expect-error.js';
import { PlaySite, type PublishedApp } from '../../support/stores/play-submissions.js';
import type { TestStoreDeployment } from '../../support/stores/store-submissions.js';

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

/** An app with a package of its own. */
const newApp = (options: Parameters<PlaySite['app']>[1] = {}): Promise<PublishedApp> =>
  playSite.app(`com.example.app${++count}`, options);

/** A release that the track has. */
const completed = (code: number) => ({ status: 'completed' as const, versionCodes: [String(code)] });

const cancel = (app: PublishedApp, { jobId }: TestStoreDeployment) =>
  app.app.api.patch(`/v1/jobs/${jobId}`, { status: 'canceled' });

const openEdits = (packageName: string): string[] =>
  [...playSite.play.state.edits.values()]
    .filter((edit) => edit.app.packageName === packageName && edit.state === 'open')
    .map(({ id }) => id);

/** Nothing is left of an app's submissions: neither an edit nor the right to one. */
const expectNothingLeft = (app: PublishedApp): Promise<void> =>
  eventually(async () => {
    expect(openEdits(app.packageName)).toEqual([]);
    const locks = await playSite.site.query(
      `SELECT FROM store_turns JOIN submissions ON submissions.id = submission_id WHERE package_name = $1`,
      [app.packageName],
    );
    expect(locks).toEqual([]);
  });

describe('a release', () => {
  it('is uploaded with its notes and priority, and committed once', async () => {
    const app = await newApp({ play: { languages: ['de-DE', 'fr-FR'] } });
    const releaseNotes = { default: 'Faster.', 'de-DE': 'Schneller.' };
    const ended = await app.release(42, { releaseNotes, inAppUpdatePriority: 3 });
    expect(ended.job).toMatchObject({
      status: 'succeeded',
      platform: 'android',
      stack: 'macos-tahoe',
      appBuildId: null,
      appDeploymentId: ended.id,
    });
    expect(ended.submission).toMatchObject({
      state: 'prepared',
      track: 'production',
      versionCode: '42',
      rolloutPercentage: 1,
      link: null,
      storeIds: { packageName: app.packageName, editId: expect.stringMatching(/^0\d+$/) as string },
    });
    expect(app.released).toEqual(['production 42 completed']);
    expect(playSite.play.committed.at(-1)?.release).toMatchObject({
      inAppUpdatePriority: 3,
      releaseNotes: [
        { language: 'de-DE', text: 'Schneller.' },
        { language: 'en-US', text: 'Faster.' },
      ],
    });
    expect(ended.log).toContain('Languages of the store listing without release notes: fr-FR.');
    expect(ended.log).toMatch(/Uploaded [\d,]+ of [\d,]+ bytes \(100 %\)\./);
    expect(ended.log).toContain('Changes that wait in the Play Console');
    expect(playSite.play.callsOf('commit').map(({ query }) => query)).toEqual([
      expect.stringContaining('changesInReviewBehavior=ERROR_IF_IN_REVIEW'),
    ]);
    await expectNothingLeft(app);
  });

  it('is a draft when the destination wants one, which has no share and blocks nothing', async () => {
    const app = await newApp({ destination: { androidReleaseStatus: 'draft' } });
    const ended = await app.release(1);
    expect([ended.job.status, ended.submission.state]).toEqual(['succeeded', 'prepared']);
    expect(playSite.play.committed.at(-1)?.release).toMatchObject({ status: 'draft' });
    expect(playSite.play.committed.at(-1)?.release).not.toHaveProperty('userFraction');
    expect((await app.release(2)).job.status).toBe('succeeded');
  });

  it('is staged with a share below 1', async () => {
    const app = await newApp({ play: { tracks: { production: [completed(1)] } } });
    const ended = await app.release(2, { rolloutPercentage: 0.25 });
    expect(ended.submission).toMatchObject({ state: 'prepared', rolloutPercentage: 0.25 });
    expect(playSite.play.committed.at(-1)?.release).toMatchObject({
      status: 'inProgress',
      userFraction: 0.25,
    });
  });

  it('goes in parts, of which some are lost, and goes on where it was', async () => {
    const app = await newApp();
    playSite.play.interrupt({ keepBytes: 300_000 });
    playSite.play.interrupt({ cutAfterBytes: 500_000 }, { after: 1 });
    const entries = { 'base/assets/film.bin': randomBytes(9_000_000) };
    const ended = await app.end(await app.deploy(await app.build(7, { entries })), 60_000);
    expect([ended.job.status, app.released]).toEqual(['succeeded', ['production 7 completed']]);
    expect(playSite.play.callsOf('startUpload')).toHaveLength(1);
  });

  it('needs no second upload of the same file, and none at all when the track has it', async () => {
    const app = await newApp();
    const build = await app.build(5);
    await app.end(await app.deploy(build));
    const again = await app.end(await app.deploy(build, { force: true }));
    expect(again.submission).toMatchObject({ state: 'prepared' });
    expect(again.log).toContain('has this release already');
    await app.addDestination({ googlePlayTrack: 'beta' });
    const promoted = await app.end(await app.deploy(build));
    expect(promoted.log).toContain('it is not uploaded again');
    expect(app.released).toEqual(['production 5 completed', 'beta 5 completed']);
    expect(playSite.play.callsOf('startUpload')).toHaveLength(1);
    await expectNothingLeft(app);
  });
});

describe('a refused release', () => {
  it('fails with what to do and the words of Google Play, also in the summary, and leaves no edit', async () => {
    const app = await newApp();
    await app.release(5);
    const other = await app.build(5, { label: 'Other' });
    const ended = await app.end(await app.deploy(other, { force: true }));
    expect([ended.job.status, ended.submission.state]).toEqual(['failed', 'failed']);
    expect(ended.submission.message).toContain('Raise versionCode');
    expect(ended.job['statusMessage']).toBe(ended.submission.message);
    const { body } = await app.app.api.post(`/v1/jobs/${ended.jobId}/failure-summary`);
    expect((body as { summary: string }).summary).toContain('Raise versionCode');
    expect(app.released).toEqual(['production 5 completed']);
    await expectNothingLeft(app);
  });

  it.each([
    [
      'notes in a language that the listing does not have',
      { releaseNotes: { 'it-IT': 'Più veloce.' } },
      'it-IT',
    ],
  ])('names before the upload: %s', async (_, values, named) => {
    const app = await newApp();
    const ended = await app.release(1, values);
    expect([ended.job.status, ended.submission.message]).toEqual(['failed', expect.stringContaining(named)]);
    expect(playSite.play.callsOf('startUpload')).toEqual([]);
    await expectNothingLeft(app);
  });

  it('names the tracks when there is none of this name, and a higher version code on the track', async () => {
    const app = await newApp({ play: { tracks: { production: [completed(9)] } } });
    const lower = await app.release(3);
    expect(lower.submission.message).toContain('has the version code 9');
    await app.addDestination({ googlePlayTrack: 'nightly' });
    const ended = await app.release(10);
    expect(ended.submission.message).toContain('internal, alpha, beta, production');
    await app.addDestination({ googlePlayTrack: 'Internal' });
    expect((await app.release(11)).submission.message).toContain(
      'no track "Internal" in Google Play: the store has "internal" in another case. Correct googlePlayTrack',
    );
    expect(playSite.play.callsOf('startUpload')).toEqual([]);
  });

  it('fails when the key is revoked in the middle of the upload', async () => {
    const app = await newApp();
    const hold = playSite.play.hold('putChunk');
    const deployment = await app.deploy(await app.build(1));
    await hold.arrived;
    playSite.play.accounts.revoke(app.key.email);
    hold.release();
    const ended = await app.end(deployment);
    expect([ended.job.status, ended.submission.message]).toEqual([
      'failed',
      expect.stringContaining('service account'),
    ]);
    expect(ended.log).not.toContain(app.key.email);
    expect(app.released).toEqual([]);
  });

  it('is tried again for a while, and then fails, when the store says the same thing for ever', async () => {
    const app = await newApp();
    playSite.play.fail('html', { call: 'validate', times: Infinity });
    const ended = await app.end(await app.deploy(await app.build(1)), 60_000);
    expect(ended.job.status).toBe('failed');
    expect(ended.log).toContain('Trying again in');
    expect(app.released).toEqual([]);
    await expectNothingLeft(app);
  });
});

describe('an edit', () => {
  it('that something else has ended is begun again', async () => {
    const app = await newApp();
    const hold = playSite.play.hold('validate');
    const deployment = await app.deploy(await app.build(1));
    await hold.arrived;
    playSite.play.changeInConsole(app.packageName);
    hold.release();
    expect((await app.end(deployment)).job.status).toBe('succeeded');
    expect(app.released).toEqual(['production 1 completed']);
  });

  it('that is begun again keeps its turn before those that wait', async () => {
    const app = await newApp();
    const hold = playSite.play.hold('validate');
    const first = await app.deploy(await app.build(1));
    await hold.arrived;
    const second = await app.deploy(await app.build(2));
    await eventually(async () =>
      expect((await app.deployment(second.id)).submission.message).toContain('Waits for'),
    );
    playSite.play.changeInConsole(app.packageName);
    hold.release();
    expect((await app.end(first)).job.status).toBe('succeeded');
    expect((await app.end(second)).job.status).toBe('succeeded');
    expect(app.released).toEqual(['production 1 completed', 'production 2 completed']);
    await expectNothingLeft(app);
  });

  it('is for one submission at a time; the others wait in their order, and say for what', async () => {
    const app = await newApp();
    const builds = [await app.build(1), await app.build(2), await app.build(3)];
    const hold = playSite.play.hold('validate');
    const deployments: TestStoreDeployment[] = [];
    deployments.push(await app.deploy(builds[0] ?? ''));
    await hold.arrived;
    for (const build of builds.slice(1)) {
      const deployment = await app.deploy(build);
      deployments.push(deployment);
      await eventually(async () => expect((await app.job(deployment)).status).toBe('queued'));
      await eventually(async () => {
        const { message } = (await app.deployment(deployment.id)).submission;
        expect(message).toContain('Waits for the deployment');
      });
    }
    hold.release();
    for (const deployment of deployments) {
      await eventually(async () => expect((await app.job(deployment)).status).toBe('succeeded'));
    }
    expect(app.released).toEqual([1, 2, 3].map((code) => `production ${code} completed`));
    await expectNothingLeft(app);
  });

  it('of another organization is only called another submission, and another package waits for nothing', async () => {
    const app = await newApp();
    const hold = playSite.play.hold('validate');
    const first = await app.deploy(await app.build(1));
    await hold.arrived;
    const rival = await playSite.app(app.packageName, { key: app.key });
    const second = await rival.deploy(await rival.build(2));
    await eventually(async () => {
      const { message } = (await rival.deployment(second.id)).submission;
      expect(message).toContain('Waits for another submission');
      expect(message).not.toContain(first.id);
    });
    expect((await (await newApp()).release(1)).job.status).toBe('succeeded');
    hold.release();
    expect((await app.end(first)).job.status).toBe('succeeded');
    expect((await rival.end(second)).job.status).toBe('succeeded');
  });

  it('is not delayed by a forged key that names the same account', async () => {
    const app = await newApp();
    const strangers = playSite.play.addServiceAccount();
    const forged = JSON.stringify({
      ...(JSON.parse(strangers.json) as object),
      client_email: app.key.email,
    });
    const attacker = await playSite.app(app.packageName, { key: { email: app.key.email, json: forged } });
    // Google does not answer the stranger.
    const attack = await attacker.deploy(await attacker.build(9));
    const refused = await attacker.end(attack);
    expect([refused.job.status, refused.submission.message]).toEqual([
      'failed',
      expect.stringContaining('does not accept the key'),
    ]);
    const ended = await app.release(1);
    expect(ended.job.status).toBe('succeeded');
    expect(ended.log).not.toContain('Waits for');
  });

  it('is not waited for longer than the operator says', async () => {
    const app = await newApp();
    const hold = playSite.play.hold('validate');
    const first = await app.deploy(await app.build(1));
    await hold.arrived;
    const second = await app.deploy(await app.build(2));
    await eventually(async () =>
      expect((await app.deployment(second.id)).submission.message).toContain('Waits for'),
    );
    await playSite.site.query(
      `UPDATE submissions SET waiting_since = waiting_since - interval '25 hours' WHERE id = $1`,
      [second.id],
    );
    const ended = await app.end(second);
    expect([ended.job.status, ended.submission.message]).toEqual([
      'failed',
      expect.stringContaining('It has waited for 24 hours'),
    ]);
    hold.release();
    expect((await app.end(first)).job.status).toBe('succeeded');
  });
});

describe('a review', () => {
  it('that a person must begin ends the job, and keeps the next release of the track until it is done', async () => {
    const app = await newApp({ play: { isRejected: true } });
    const first = await app.release(1);
    expect([first.job.status, first.submission]).toEqual([
      'succeeded',
      expect.objectContaining({
        state: 'failed_with_action_required',
        link: 'https://play.google.com/console',
        message: expect.stringContaining('Publishing overview') as string,
      }),
    ]);
    const done = `${app.app.path}/deployments/${first.id}/done`;
    expectError(await app.app.api.post(done), 409, 'submission_state');
    const second = await app.deploy(await app.build(2));
    await eventually(async () =>
      expect((await app.deployment(second.id)).submission.message).toContain(
        `Waits for the deployment ${first.id}`,
      ),
    );
    await app.addDestination({ googlePlayTrack: 'internal' });
    playSite.play.app(app.packageName).isRejected = false;
    expect((await app.release(3)).job.status).toBe('succeeded');
    for (const release of [...playSite.play.app(app.packageName).tracks.values()].flat()) {
      release.lifecycle = 'PUBLISHED';
    }
    const { status, body } = await app.app.api.post(done);
    expect([status, body]).toEqual([200, expect.objectContaining({ state: 'finished_manually' })]);
    expectError(await app.app.api.post(done), 409, 'submission_state');
    await app.end(second);
    expect(app.released).toContain('production 2 completed');
  });

  it('is not asked of a person for a draft, which is final', async () => {
    const app = await newApp({
      play: { isRejected: true },
      destination: { androidReleaseStatus: 'draft' },
    });
    expect((await app.release(1)).submission).toMatchObject({ state: 'prepared', link: null });
    expect((await app.release(2)).job.status).toBe('succeeded');
  });

  it('that runs is not canceled, unless the user wants it', async () => {
    const app = await newApp({ play: { hasReviews: true } });
    await app.release(1);
    const refused = await app.release(2);
    expect([refused.job.status, refused.submission.message]).toEqual([
      'failed',
      expect.stringContaining('cancelRunningReview'),
    ]);
    const ended = await app.release(3, { cancelRunningReview: true });
    expect(ended.job.status).toBe('succeeded');
    expect(app.released).toEqual(['production 1 completed', 'production 3 completed']);
  });
});

describe('an end in the middle', () => {
  it('by the user before the commit deletes the edit, and lets others go on', async () => {
    const app = await newApp();
    const hold = playSite.play.hold('validate');
    const first = await app.deploy(await app.build(1));
    await hold.arrived;
    const second = await app.deploy(await app.build(2));
    await eventually(async () =>
      expect((await app.deployment(second.id)).submission.message).toContain('Waits for'),
    );
    const { token } = await createToken(app.app.api, { permissions: ['builds:read', 'builds:write'] });
    const builder = new Api(app.app.api.origin, token);
    expectError(await builder.patch(`/v1/jobs/${first.jobId}`, { status: 'canceled' }), 403);
    expect((await cancel(app, first)).status).toBe(200);
    hold.release();
    expect((await app.deployment(first.id)).submission).toMatchObject({
      state: 'failed',
      message: 'The submission was canceled.',
    });
    expect((await app.end(second)).job.status).toBe('succeeded');
    expect(app.released).toEqual(['production 2 completed']);
    await expectNothingLeft(app);
  });

  it('is a 409 from the moment the commit is sent', async () => {
    const app = await newApp();
    const hold = playSite.play.hold('commit');
    const deployment = await app.deploy(await app.build(1));
    await hold.arrived;
    expectError(await cancel(app, deployment), 409, 'submission_committed');
    hold.release();
    expect((await app.end(deployment)).job.status).toBe('succeeded');
    expect(app.released).toEqual(['production 1 completed']);
  });

  it('of the connection at the commit asks the store, and releases once', async () => {
    const app = await newApp();
    playSite.play.fail('lost-response', { call: 'commit' });
    const after = await app.release(1);
    expect([after.job.status, after.submission.state]).toEqual(['succeeded', 'prepared']);
    playSite.play.fail('cut', { call: 'commit' });
    const before = await app.release(2);
    expect(before.job.status).toBe('succeeded');
    expect(app.released).toEqual(['production 1 completed', 'production 2 completed']);
    await expectNothingLeft(app);
  });

  it('of the server between commit and answer asks the store, and releases once', async () => {
    const app = await newApp();
    const hold = playSite.play.hold('commit', 'after');
    const deployment = await app.deploy(await app.build(1));
    await playSite.killDuring(hold);
    const ended = await app.end(deployment, 120_000);
    expect([ended.job.status, ended.log]).toEqual([
      'succeeded',
      expect.stringContaining('What it was doing is repeated.'),
    ]);
    expect(app.released).toEqual(['production 1 completed']);
  });

  it('by another key of the destination has a sentence', async () => {
    const app = await newApp();
    const hold = playSite.play.hold('validate');
    const deployment = await app.deploy(await app.build(1));
    await hold.arrived;
    const path = `${app.app.path}/destinations/${app.destinationId}`;
    const { json } = playSite.play.addServiceAccount({ packages: [app.packageName] });
    const changes = { appGoogleServiceAccountKeyId: await app.uploadKey(json) };
    expect((await app.app.api.patch(path, changes)).status).toBe(200);
    hold.release();
    const ended = await app.end(deployment);
    expect([ended.job.status, ended.submission.message]).toEqual([
      'failed',
      expect.stringContaining('The key of the destination was changed'),
    ]);
    expect(app.released).toEqual([]);
  });

  it('with the whole app releases nothing, and leaves no work', async () => {
    const app = await newApp();
    const hold = playSite.play.hold('validate');
    await app.deploy(await app.build(1));
    await hold.arrived;
    expect((await app.app.api.delete(app.app.path)).status).toBe(204);
    hold.release();
    await eventually(async () => {
      const left = await playSite.site.query(
        `SELECT state FROM queue.job WHERE name = 'submissions' AND state IN ('created', 'retry', 'active')`,
      );
      expect(left).toEqual([]);
    });
    playSite.site.expectAlive();
    expect(app.released).toEqual([]);
    const next = await playSite.app(app.packageName, { key: app.key });
    expect((await next.release(2)).job.status).toBe('succeeded');
  });
});

describe('a long wait', () => {
  it('that the store asks for leaves the edit to others', async () => {
    const app = await newApp();
    playSite.play.refuse('rate limit', { call: 'validate', times: 3 });
    const first = await app.deploy(await app.build(1));
    await eventually(async () => {
      const log = await app.log(first);
      if (!log.includes('The edit is left to others')) await playSite.hurry();
      expect(log).toContain('The edit is left to others');
    });
    await expectNothingLeft(app);
    expect((await app.job(first)).status).toBe('in_progress');
    const other = await app.deploy(await app.build(2));
    await eventually(async () => expect((await app.job(other)).status).toBe('succeeded'));
    expect((await app.end(first)).submission.message).toContain('Raise versionCode');
    expect(app.released).toEqual(['production 2 completed']);
  });
});

describe('who may mark a submission as done', () => {
  it('needs submissions:write, and sees the app', async () => {
    const app = await newApp({ play: { isRejected: true } });
    const { id } = await app.release(1);
    const path = `${app.app.path}/deployments/${id}/done`;
    const viewer = await createMember(app.app.tenant, 'viewer', playSite.site);
    expectError(await viewer.api.post(path), 403, 'not_authorized');
    const stranger = await newApp();
    expectError(await stranger.app.api.post(path), 404);
    const foreign = `${stranger.app.path}/deployments/${id}/done`;
    expectError(await stranger.app.api.post(foreign), 404, 'submission_not_found');
  });
});
