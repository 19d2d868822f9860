import type { LimitedQueue } from '../../../src/common/background/shared-capacity.js';
import { createApp } from '../../builders/app.js';
import { createTenant } from '../../builders/identities.js';
import { eventually } from '../../support/eventually.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { linesBeforeSummary, linesOf, readJob } from '../../support/jobs/leases.js';
import { startBuild } from '../../support/native-builds/leases.js';
import { NumberedBuilds } from '../../support/native-builds/numbered-builds.js';
import type { TestSource } from '../../support/native-builds/sources.js';
import { holdQueue, releaseQueue } from '../../support/servers/held-queue.js';
import { HoldingServer } from '../../support/servers/holding-server.js';
import { runQueue } from '../../support/servers/run-queue.js';
import { PlaySite } from '../../support/stores/play-submissions.js';

/* What waits for its turn in a queue: its log says so after a minute, and it fails after an hour, with what to do. */

const WAITS =
  'Waits for its turn: other work takes what one account, or all together, may do at the same time.';
const NO_TURN =
  'It has waited an hour for its turn, because other work took what one account, or all together, may do at the same time. Try again when that has ended.';

let play: PlaySite;
let packages = 0;

beforeAll(async () => {
  play = await PlaySite.start({ OUTBOUND_ALLOW: 'source=127.0.0.1' });
});
afterAll(() => play.dispose());

/** The job of a queue that is due was found waiting once a minute, and is to be found once more. */
async function setWaited(queue: LimitedQueue, id: string, minutes: number): Promise<void> {
  await eventually(async () => {
    const waiting = await play.site.query(
      `UPDATE queue.job SET data = data || jsonb_build_object('waits', $3::int)
        WHERE name = $1 AND $2 IN (data ->> 'sourceId', data ->> 'buildId', data ->> 'jobId') AND state < 'active'
       RETURNING id`,
      [queue, id, minutes - 1],
    );
    expect(waiting).toHaveLength(1);
  });
}

async function waitFor(queue: LimitedQueue, id: string, minutes: number): Promise<void> {
  await setWaited(queue, id, minutes);
  await runQueue(play.site, 'queue-waits');
}

const countOf = (lines: readonly string[], line: string): number =>
  lines.filter((each) => each === line).length;

it('ends the wait of a source, and that of its build', async () => {
  const app = await createApp(await createTenant(play.site));
  const account = app.tenant.owner.userId;
  const server = await HoldingServer.start();
  try {
    server.hold('');
    await holdQueue(play.site, 'build-sources', account);
    const body = { fileUrl: `${server.origin}/app.zip` };
    const { id } = expectCreated<TestSource>(await app.api.post(`${app.path}/build-sources`, body));
    const { jobId } = await startBuild(app, { appBuildSourceId: id });
    await waitFor('build-sources', id, 2);
    expect(linesOf(await readJob(app, jobId))).toEqual([`Its source is to be fetched. ${WAITS}`]);
    await waitFor('build-sources', id, 61);
    const source = await app.api.get(`${app.path}/build-sources/${id}`);
    expect(source.body).toMatchObject({ status: 'pending', statusMessage: NO_TURN });
    const statusMessage = `The source could not be fetched: ${NO_TURN}`;
    const job = await readJob(app, jobId);
    expect(job).toMatchObject({ status: 'failed', statusMessage });
    expect(linesBeforeSummary(job).at(-1)).toBe(statusMessage);
    // It is given up: others of the account are fetched, it is not.
    await releaseQueue(play.site, account);
    const other = { fileUrl: `${server.origin}/other.zip` };
    expectCreated(await app.api.post(`${app.path}/build-sources`, other));
    await eventually(() => expect(server.heldRequests).toBe(1));
    expect(server.mostHeld).toBe(1);
  } finally {
    await server.stop();
  }
});

it('ends the wait of a build number', async () => {
  const { app } = await play.app(`com.example.waits${++packages}`);
  const builds = new NumberedBuilds(play.site, app);
  const account = app.tenant.owner.userId;
  await holdQueue(play.site, 'build-numbers', account);
  const calls = play.play.calls.length;
  const build = await builds.start();
  await waitFor('build-numbers', build.id, 2);
  expect((await builds.find(build)).log).toEqual([WAITS]);
  await waitFor('build-numbers', build.id, 61);
  const job = await readJob(app, build.jobId);
  expect(job).toMatchObject({ status: 'failed', statusMessage: NO_TURN });
  expect(linesBeforeSummary(job)).toEqual([WAITS, NO_TURN]);
  expect(play.play.calls).toHaveLength(calls);
  await releaseQueue(play.site, account);
  expect(await builds.number()).toBe(1);
});

it('ends the wait of a submission between two of its steps, of which nothing is left in the store', async () => {
  const app = await play.app(`com.example.waits${++packages}`);
  const account = app.app.tenant.owner.userId;
  const hold = play.play.hold('startUpload', 'before', { packageName: app.packageName });
  const build = await app.build(42);
  const deployment = await app.deploy(build);
  await hold.arrived;
  expect(app.openEdits).toHaveLength(1);
  await holdQueue(play.site, 'submissions', account);
  hold.release();
  await waitFor('submissions', deployment.jobId, 2);
  expect(countOf(linesOf(await app.job(deployment)), WAITS)).toBe(1);
  expect((await app.job(deployment)).status).toBe('in_progress');
  await waitFor('submissions', deployment.jobId, 61);
  const ended = await app.end(deployment);
  expect(ended.job).toMatchObject({ status: 'failed', statusMessage: NO_TURN });
  expect(ended.submission).toMatchObject({ state: 'failed', message: NO_TURN });
  expect(ended.log).toContain(NO_TURN);
  await app.expectNothingLeft();
  expect(app.released).toEqual([]);
  await releaseQueue(play.site, account);
  // As its sentence says.
  expect((await app.end(await app.deploy(build, { force: true }))).submission.state).toBe('prepared');
});

it('ends other waits when one cannot be ended, which is tried again', async () => {
  const apps = [
    await createApp(await createTenant(play.site)),
    await createApp(await createTenant(play.site)),
  ];
  const sources: string[] = [];
  for (const app of apps) {
    await holdQueue(play.site, 'build-sources', app.tenant.owner.userId);
    const body = { fileUrl: 'http://localhost:1/app.zip' };
    const { id } = expectCreated<TestSource>(await app.api.post(`${app.path}/build-sources`, body));
    sources.push(id);
  }
  const messages = (): Promise<unknown[]> =>
    Promise.all(
      apps.map(async ({ api, path }, n) => {
        const { body } = await api.get(`${path}/build-sources/${sources[n]}`);
        return (body as TestSource).statusMessage;
      }),
    );
  await play.site.query(
    `CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken by the test'; END $$;
     CREATE TRIGGER refuse BEFORE UPDATE ON build_sources FOR EACH ROW WHEN (NEW.id = '${sources[0]}') EXECUTE FUNCTION refuse()`,
  );
  for (const id of sources) await setWaited('build-sources', id, 61);
  await runQueue(play.site, 'queue-waits');
  expect(await messages()).toEqual([null, NO_TURN]);
  await play.site.query('DROP FUNCTION refuse CASCADE');
  await runQueue(play.site, 'queue-waits');
  expect(await messages()).toEqual([NO_TURN, NO_TURN]);
});
