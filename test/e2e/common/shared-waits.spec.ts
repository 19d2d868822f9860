import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount, createApp, type TestApp } from '../../builders/app.js';
import { createTenant } from '../../builders/identities.js';
import { eventually } from '../../support/eventually.js';
import { LocalServer } from '../../support/git/local-server.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { linesOf, readJob } from '../../support/jobs/leases.js';
import { zipOf } from '../../support/live-updates/archives.js';
import { beginUpload, completeUpload, putPart } from '../../support/live-updates/uploads.js';
import { makeAab } from '../../support/native-builds/aab-writer.js';
import { makeApk } from '../../support/native-builds/apk-writer.js';
import { longProtoTable } from '../../support/native-builds/hostile-files.js';
import { endOfImport, pathOfImport, startImport, uploadImport } from '../../support/native-builds/imports.js';
import { startBuild } from '../../support/native-builds/leases.js';
import type { TestSource } from '../../support/native-builds/sources.js';
import { OwnSite } from '../../support/servers/own-site.js';
import { runProgram } from '../../support/processes/programs.js';
import { holdQueue, releaseQueue } from '../../support/servers/held-queue.js';
import { HoldingServer } from '../../support/servers/holding-server.js';

/* What waits for its turn in the queue: what its log says, that it ends, and that slow work lets others pass. */

let site: OwnSite;
beforeAll(async () => {
  site = await OwnSite.start({ OUTBOUND_ALLOW: 'source=127.0.0.1' });
});
afterAll(() => site.dispose());

const newApp = async (): Promise<TestApp> => createApp(await createTenant(site));

const createSource = async (app: TestApp, fileUrl: string): Promise<string> =>
  expectCreated<TestSource>(await app.api.post(`${app.path}/build-sources`, { fileUrl })).id;

/** A source that has paused so often, and is to be continued now. @returns its id */
async function createPausedSource(app: TestApp, fileUrl: string, pauses: number): Promise<string> {
  const account = app.tenant.owner.userId;
  await holdQueue(site, 'build-sources', account);
  const id = await createSource(app, fileUrl);
  await site.query(
    `UPDATE queue.job SET data = data || jsonb_build_object('pauses', $2::int) WHERE data ->> 'sourceId' = $1`,
    [id, pauses],
  );
  await releaseQueue(site, account);
  return id;
}

const statusOf = async (app: TestApp, id: string): Promise<TestSource> =>
  (await app.api.get(`${app.path}/build-sources/${id}`)).body as TestSource;

/** A zip that is sent at 100 KiB a second, unless a range asks for its end. */
class SlowServer {
  readonly ranges: (string | undefined)[] = [];
  /** Responses whose client left before their end. */
  interrupted = 0;

  private constructor(
    private readonly server: LocalServer,
    private readonly zip: Buffer,
  ) {}

  static async start(zip: Buffer): Promise<SlowServer> {
    const server = await LocalServer.start((request, response) => void slow.answer(request, response));
    const slow = new SlowServer(server, zip);
    return slow;
  }

  get url(): string {
    return `${this.server.origin.replace('127.0.0.1', 'localhost')}/slow.zip`;
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  private async answer({ headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    this.ranges.push(headers.range);
    const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    const common = { etag: '"one"', 'accept-ranges': 'bytes' };
    if (start > 0) {
      const range = `bytes ${start}-${this.zip.length - 1}/${this.zip.length}`;
      response.writeHead(206, { ...common, 'content-range': range }).end(this.zip.subarray(start));
      return;
    }
    response.writeHead(200, { ...common, 'content-length': this.zip.length });
    for (let sent = 0; sent < this.zip.length && !response.destroyed; sent += 51_200) {
      response.write(this.zip.subarray(sent, sent + 51_200));
      await sleep(500);
    }
    if (response.destroyed) this.interrupted++;
    else response.end();
  }
}

it('a source that arrives slowly lets others pass, and continues where it was, but not again and again', async () => {
  const zip = await zipOf({ 'package.json': '{}', 'noise.bin': randomBytes(9_000_000) });
  const [slow, slower] = [await SlowServer.start(zip), await SlowServer.start(zip)];
  const holding = await HoldingServer.start();
  try {
    const [greedy, tired, ...others] = await Promise.all([newApp(), newApp(), newApp(), newApp()]);
    const id = await createSource(greedy!, slow.url);
    const last = await createPausedSource(tired!, slower.url, 20);
    const { jobId } = await startBuild(tired!, { appBuildSourceId: last });
    await eventually(() => expect([slow.ranges, slower.ranges]).toEqual([[undefined], [undefined]]));
    holding.hold('');
    // More than all places, so that some always wait: those that are held are tried again.
    const held = others.flatMap((app) =>
      Array.from({ length: 10 }, (_, n) => createSource(app, `${holding.origin}/${n}.zip`)),
    );
    await Promise.all(held);
    await eventually(() => expect(slow.interrupted).toBe(1), 100_000);
    await eventually(() => expect(slower.interrupted).toBe(1));
    const statusMessage = 'Its server sends too slowly while others wait. Try again later.';
    await eventually(async () =>
      expect(await statusOf(tired!, last)).toMatchObject({ status: 'pending', statusMessage }),
    );
    expect(await readJob(tired!, jobId)).toMatchObject({
      status: 'failed',
      statusMessage: `The source could not be fetched: ${statusMessage}`,
    });
    holding.release();
    await eventually(async () => expect((await statusOf(greedy!, id)).status).toBe('ready'), 60_000);
    expect(slow.ranges).toEqual([undefined, expect.stringMatching(/^bytes=\d{7}-$/)]);
    expect(slower.ranges).toEqual([undefined]);
    // Nothing is kept of what has arrived of the other one.
    await eventually(async () => expect(await site.incoming()).toEqual([]));
  } finally {
    await Promise.all([slow.stop(), slower.stop(), holding.stop()]);
  }
}, 180_000);

it('sources of thirty organizations of an account have one share of two servers', async () => {
  const holding = await HoldingServer.start();
  const second = await OwnSite.beside(site);
  try {
    const [greedy, other] = [await createAccount(30, site), await newApp()];
    holding.hold('greedy');
    await Promise.all(greedy.map((app, n) => createSource(app, `${holding.origin}/greedy-${n}.zip`)));
    await eventually(() => expect(holding.heldRequests).toBe(4));
    const id = await createSource(other, `${holding.origin}/other.zip`);
    await eventually(async () => expect((await statusOf(other, id)).status).toBe('ready'));
    expect(holding.mostHeld).toBe(4);
    holding.release();
  } finally {
    await Promise.all([second.kill(), holding.stop()]);
  }
}, 240_000);

it('forty imports of an account that take long to read let another account pass', async () => {
  const [greedy, other] = [await createAccount(2, site), await newApp()];
  const account = greedy[0]?.tenant.owner.userId ?? '';
  const entries = { 'base/resources.pb': longProtoTable('Läden', 300_000) };
  const [hostile, apk] = [await makeAab({ entries }), await makeApk({ packageName: 'com.example.shop' })];
  await holdQueue(site, 'imports', account);
  const theirs = await Promise.all(
    greedy.flatMap((app) =>
      Array.from({ length: 20 }, async () => {
        const artifact = { type: 'aab', fileName: 'app.aab' };
        const started = await startImport(app, hostile, { artifact });
        expect((await uploadImport(app, started, hostile)).status).toBe(200);
        return started.jobId;
      }),
    ),
  );
  const started = await startImport(other, apk);
  const path = pathOfImport(other, started);
  const uploadId = await beginUpload(other.api, path);
  const part = await putPart(other.api, path, uploadId, 1, apk);
  const statuses = async (): Promise<unknown[]> =>
    (await site.query('SELECT status FROM jobs WHERE id = ANY($1)', [theirs])).map(({ status }) => status);
  expect(await statuses()).toEqual(theirs.map(() => 'queued'));
  await releaseQueue(site, account);
  await eventually(async () => expect(await statuses()).toContain('in_progress'));
  expect((await completeUpload(other.api, path, uploadId, [part.body])).status).toBe(200);
  expect(await endOfImport(other, started)).toMatchObject({ status: 'succeeded' });
  const ended = (await statuses()).filter((status) => status !== 'queued' && status !== 'in_progress');
  expect(ended.length).toBeLessThan(5);
}, 240_000);

it('says after a minute that a job waits for its turn, and ends it after an hour', async () => {
  const app = await newApp();
  const account = app.tenant.owner.userId;
  await holdQueue(site, 'imports', account);
  const apk = await makeApk({ packageName: 'com.example.shop', signed: 'v2' });
  const started = await startImport(app, apk);
  const { jobId } = started;
  await uploadImport(app, started, apk);
  const shown = await runProgram('accounts', site);
  expect(shown.out).toMatch(new RegExp(`${app.tenant.owner.email} +1 +imports +2 +1 +\\d+ s`));
  const json = await runProgram('accounts', site, { args: ['--json'] });
  const waitSeconds = expect.any(Number) as number;
  expect(JSON.parse(json.out)).toContainEqual({
    account,
    email: app.tenant.owner.email,
    organizations: 1,
    limit: 'imports',
    running: 2,
    waiting: 1,
    waitSeconds,
  });
  await site.query(`UPDATE queue.job SET data = data || '{"waits": 1}' WHERE data ->> 'jobId' = $1`, [jobId]);
  const waits =
    'Waits for its turn: other work takes what one account, or all together, may do at the same time.';
  await eventually(async () => expect(linesOf(await readJob(app, jobId))).toContain(waits), 90_000);
  expect(await readJob(app, jobId)).toMatchObject({ status: 'queued' });
  await site.query(`UPDATE queue.job SET data = data || '{"waits": 60}' WHERE data ->> 'jobId' = $1`, [
    jobId,
  ]);
  await eventually(async () => {
    expect(await readJob(app, jobId)).toMatchObject({
      status: 'failed',
      statusMessage:
        'It has waited an hour for its turn, because other work took what one account, or all together, may do at the same time. Try again when that has ended.',
    });
  }, 90_000);
  await releaseQueue(site, account);
}, 240_000);
