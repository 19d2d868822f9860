import { rm, truncate } from 'node:fs/promises';
import { eventually } from '../../support/eventually.js';
import { AppleSite, type TestFlightApp } from '../../support/stores/apple-submissions.js';

let appleSite: AppleSite;
let count = 0;

beforeAll(async () => {
  appleSite = await AppleSite.start({ SUBMISSION_WAIT_HOURS: '1' });
});
afterAll(() => appleSite.dispose());
beforeEach(() => appleSite.connect.faults.clear());

const newApp = (): Promise<TestFlightApp> => appleSite.app(`com.example.hostile${++count}`);

describe('notes for testers', () => {
  it.each(['News\n', 'One\r\ntwo', 'One\u0085two', ' \tNews'])('are taken as %j', async (text) => {
    const app = await newApp();
    const ended = await app.release('1.0', '1', { releaseNotes: { 'en-US': text } });
    expect(ended.job.status).toBe('succeeded');
    expect(app.builds[0]?.notes).toEqual({ 'en-US': text.replace('\r\n', '\n').trim() });
    expect(appleSite.connect.callsOf('updateLocalization').length).toBeLessThanOrEqual(1);
    appleSite.connect.calls.length = 0;
  });
});

describe('a file that the storage has', () => {
  it.each(['lost', 'cut'])('%s is never announced to Apple, and the message says what to do', async (how) => {
    const app = await newApp();
    const build = await app.build('1.0', '1');
    const [artifact] = await appleSite.site.query<{ id: string }>(
      'SELECT blob_id AS id FROM build_artifacts WHERE build_id = $1',
      [build],
    );
    const path = appleSite.site.pathOf(artifact?.id ?? '');
    await (how === 'lost' ? rm(path) : truncate(path, 100));
    const ended = await app.end(await app.deploy(build));
    expect(ended.submission.message).toContain('Build or import it again');
    expect([app.apple.uploads, ended.job.status]).toEqual([[], 'failed']);
  });
});

it('waits for its turn and for calls of the key together no longer than the operator allows', async () => {
  const app = await newApp();
  const hold = appleSite.connect.storage.faults.hold({}, 'before');
  const first = await app.deploy(await app.build('1.0', '1'));
  await hold.arrived;
  const second = await app.deploy(await app.build('1.0', '1'));
  await eventually(async () =>
    expect((await app.deployment(second.id)).submission.message).toContain('Waits for'),
  );
  // As if it had waited for calls of its key until now.
  await appleSite.site.query(
    `UPDATE submissions SET waits_for = 'apple-key other', waiting_since = now() - interval '61 minutes' WHERE id = $1`,
    [second.id],
  );
  const waitAfterResumption = (ago: string) =>
    appleSite.site.query('UPDATE organizations SET resumed_at = now() - $2::interval WHERE id = $1', [
      app.app.tenant.organizationId,
      ago,
    ]);
  // It could not continue before.
  await waitAfterResumption('1 minute');
  await appleSite.hurry();
  await eventually(async () => {
    const waits = await appleSite.site.query('SELECT waits_for FROM submissions WHERE id = $1', [second.id]);
    expect(waits).not.toEqual([{ waits_for: 'apple-key other' }]);
  });
  expect(await app.job(second)).toMatchObject({ status: 'queued' });
  await waitAfterResumption('61 minutes');
  const ended = await app.end(second);
  expect(ended.submission.message).toContain('It has waited for an hour, which is the limit.');
  hold.release();
  expect((await app.end(first)).job.status).toBe('succeeded');
});
