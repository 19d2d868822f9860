import { PlayCaller } from '../../support/stores/google-play/play-caller.js';
import { PlaySite, type PublishedApp } from '../../support/stores/play-submissions.js';
import type { EndedSubmission } from '../../support/stores/store-submissions.js';

let playSite: PlaySite;

beforeAll(async () => {
  playSite = await PlaySite.start();
});
afterAll(() => playSite.dispose());

describe('what Google Play refuses by its own rules', () => {
  const submit = async (app: PublishedApp, values?: object): Promise<EndedSubmission> =>
    app.end(await app.deploy(await app.build(42), values));

  test('a share of what all users have is done', async () => {
    const app = await playSite.app('com.example.rules.released');
    const build = await app.build(42);
    await app.end(await app.deploy(build));
    const { job, log } = await app.end(await app.deploy(build, { rolloutPercentage: 0.5, force: true }));
    expect([job.status, app.released]).toEqual(['succeeded', ['production 42 completed']]);
    expect(log).toContain('Fully released can not be staged');
  });

  test('a large bundle is uploaded again, with the confirmation of the warning', async () => {
    const app = await playSite.app('com.example.rules.large', { play: { warnsOfSize: true } });
    expect((await submit(app)).job.status).toBe('succeeded');
    expect(app.released).toEqual(['production 42 completed']);
  });

  test('changes after a rejection are committed without being sent', async () => {
    const app = await playSite.app('com.example.rules.rejected', { play: { isRejected: true } });
    const { job, submission, log } = await submit(app);
    expect([job.status, submission.state]).toEqual(['succeeded', 'failed_with_action_required']);
    expect(log).toContain('changesNotSentForReview to true');
    expect(app.released).toEqual(['production 42 completed']);
  });

  test('an edit that another program got, too, and committed is begun again', async () => {
    const app = await playSite.app('com.example.rules.shared', { play: { sharesEdits: true } });
    const { play } = playSite;
    const held = play.hold('updateTrack', 'before', { packageName: app.packageName });
    const deployment = await app.deploy(await app.build(42));
    await held.arrived;
    const edits = [...play.state.edits.values()];
    const shared = edits.find((edit) => edit.app.packageName === app.packageName);
    const other = await PlayCaller.of(play, app.key);
    await other.call('POST', `edits/${shared?.id}:commit`, undefined, app.packageName);
    held.release();
    expect((await app.end(deployment)).job.status).toBe('succeeded');
    expect(app.released).toEqual(['production 42 completed']);
  });

  test('a version code that an edit used up which was never committed goes on without an upload', async () => {
    const app = await playSite.app('com.example.rules.burned', { play: { burnsUploads: true } });
    playSite.play.refuse('edit deleted', { call: 'validate', packageName: app.packageName });
    const { job, log } = await submit(app);
    expect([job.status, app.released]).toEqual(['succeeded', ['production 42 completed']]);
    expect(log).toContain('has this very file already');
  });
});
