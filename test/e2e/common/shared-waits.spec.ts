import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant } from '../../builders/identities.js';
import { eventually } from '../../support/eventually.js';
import { LocalServer } from '../../support/git/local-server.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { linesOf, readJob } from '../../support/jobs/leases.js';
import { zipOf } from '../../support/live-updates/archives.js';
import { makeApk } from '../../support/native-builds/apk-writer.js';
import { startImport, uploadImport } from '../../support/native-builds/imports.js';
import type { TestSource } from '../../support/native-builds/sources.js';
import { OwnSite } from '../../support/servers/own-site.js';
import { runProgram } from '../../support/processes/programs.js';
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

it('a source that arrives slowly lets others pass, and continues where it was', async () => {
  const slow = await SlowServer.start(
    await zipOf({ 'package.json': '{}', 'noise.bin': randomBytes(9_000_000) }),
  );
  const holding = await HoldingServer.start();
  try {
    const [greedy, ...others] = await Promise.all([newApp(), newApp(), newApp()]);
    const id = await createSource(greedy!, slow.url);
    await eventually(() => expect(slow.ranges).toEqual([undefined]));
    holding.hold('');
    // More than all places, so that some always wait: those that are held are tried again.
    const held = others.flatMap((app) =>
      Array.from({ length: 10 }, (_, n) => createSource(app, `${holding.origin}/${n}.zip`)),
    );
    await Promise.all(held);
    await eventually(() => expect(slow.interrupted).toBe(1), 100_000);
    expect((await statusOf(greedy!, id)).status).toBe('pending');
    holding.release();
    await eventually(async () => expect((await statusOf(greedy!, id)).status).toBe('ready'), 60_000);
    expect(slow.ranges).toEqual([undefined, expect.stringMatching(/^bytes=\d{7}-$/)]);
  } finally {
    await Promise.all([slow.stop(), holding.stop()]);
  }
}, 180_000);

it('says after a minute that a job waits for its turn, and ends it after an hour', async () => {
  const app = await newApp();
  const account = app.tenant.owner.userId;
  // The account has as many imports as it may.
  await site.query(
    `INSERT INTO queue.job (name, data, state, group_id, started_on, expire_seconds)
     SELECT 'imports', '{}', 'active', $1, now(), 3600 FROM generate_series(1, 2)`,
    [account],
  );
  const apk = await makeApk({ packageName: 'com.example.shop', signed: 'v2' });
  const started = await startImport(app, apk);
  const { jobId } = started;
  await uploadImport(app, started, apk);
  const shown = await runProgram('accounts', site);
  expect(shown.out).toMatch(new RegExp(`${app.tenant.owner.email} +1 +imports +2 +1 +\\d+ s`));
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
  await site.query(`DELETE FROM queue.job WHERE group_id = $1`, [account]);
}, 240_000);
