import { eventually } from '../../support/eventually.js';
import { PlaySite, type PublishedApp } from '../../support/stores/play-submissions.js';

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
  playSite.app(`com.example.hostile${++count}`, options);

const waits = (app: PublishedApp, id: string): Promise<void> =>
  eventually(async () => expect((await app.deployment(id)).submission.message).toContain('Waits for'));

describe('a submission with an edit', () => {
  it('keeps its turn when it begins with another edit, while others wait', async () => {
    const app = await newApp();
    const hold = playSite.play.hold('validate');
    const first = await app.deploy(await app.build(1));
    await hold.arrived;
    const second = await app.deploy(await app.build(2));
    await waits(app, second.id);
    playSite.play.changeInConsole(app.packageName);
    hold.release();
    expect((await app.end(first)).job.status).toBe('succeeded');
    expect((await app.end(second)).job.status).toBe('succeeded');
    expect(app.released).toEqual(['production 1 completed', 'production 2 completed']);
  });

  it('of another program that shares it begins with another one when that has committed it', async () => {
    const app = await newApp();
    playSite.play.refuse('already committed', { call: 'updateTrack' });
    const ended = await app.release(1);
    expect([ended.job.status, ended.submission.state]).toEqual(['succeeded', 'prepared']);
    expect(app.released).toEqual(['production 1 completed']);
  });
});

describe('a destination that is changed', () => {
  it('still lets a submission be marked as done, with another key', async () => {
    const app = await newApp({ play: { isRejected: true } });
    const ended = await app.release(1);
    expect(ended.submission.state).toBe('failed_with_action_required');
    const { packageName, key } = app;
    const other = playSite.play.addServiceAccount({ packages: [packageName] });
    const appGoogleServiceAccountKeyId = await app.uploadKey(other.json);
    const destination = `${app.app.path}/destinations/${app.destinationId}`;
    expect((await app.app.api.patch(destination, { appGoogleServiceAccountKeyId })).status).toBe(200);
    playSite.play.accounts.revoke(key.email);
    for (const release of [...playSite.play.app(packageName).tracks.values()].flat()) {
      release.lifecycle = 'PUBLISHED';
    }
    const { status, body } = await app.app.api.post(`${app.app.path}/deployments/${ended.id}/done`);
    expect([status, body]).toEqual([200, expect.objectContaining({ state: 'finished_manually' })]);
  });

  it('does not keep a submission from asking whether its commit took effect', async () => {
    const app = await newApp();
    const hold = playSite.play.hold('commit', 'after');
    const deployment = await app.deploy(await app.build(1));
    await hold.arrived;
    const destination = `${app.app.path}/destinations/${app.destinationId}`;
    expect((await app.app.api.patch(destination, { googlePlayTrack: 'beta' })).status).toBe(200);
    playSite.play.fail('cut', { call: 'releases' });
    await playSite.site.restart();
    hold.release();
    await playSite.repeatLost();
    const ended = await app.end(deployment, 120_000);
    expect([ended.job.status, ended.submission.state]).toEqual(['succeeded', 'prepared']);
    expect(app.released).toEqual(['production 1 completed']);
  });
});

describe('a store that says the same thing for ever', () => {
  it.each([
    ['that a new edit was deleted', 'edit deleted', 'insert'],
    ['that the edit was deleted', 'edit deleted', 'updateTrack'],
    ['that the version code was used, at the commit', 'version code used', 'commit'],
    ['that the version code was used, at the track', 'version code used', 'updateTrack'],
    ['that an edit was deleted, before there is one', 'edit deleted', 'releases'],
  ] as const)('ends the submission: %s', async (_, refusal, call) => {
    const app = await newApp();
    playSite.play.refuse(refusal, { call, times: Infinity });
    const ended = await app.end(await app.deploy(await app.build(1)), 60_000);
    expect([ended.job.status, ended.submission.state]).toEqual(['failed', 'failed']);
    expect(app.released).toEqual([]);
  });
});
