import { Agent, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { type Bench, FULL, loadOf, QUICK, seedApp, send } from './check/bench.ts';
import { withBuildOf } from './build-of-commit.ts';
import { onCore, stayOnCore } from './cores.ts';
import { type Instance, withInstance } from './instance.ts';
import { LoadGenerator } from './load/load.ts';
import { median, memory, resetPeak, rounded, time } from './measure.ts';
import { settled } from './processes.ts';
import { type Program, startProgram } from './program.ts';
import { Results } from './results.ts';
import type { ServerProcess } from '../test/setup/server.ts';
import { s3Env } from '../test/setup/object-storage.ts';
import { compareDownloads } from './transfer-speed/compare-downloads.ts';
import { Client } from './uploads/client.ts';
import { type Content, content, zipped } from './uploads/content.ts';
import { Scenarios } from './uploads/scenarios.ts';

/**
 * `npm run bench:transfer-speed`: a large bundle up and down, against a server that does nothing but copy streams; then
 * what update checks notice of many slow downloads of it. docs/performance.md has the figures. Linux only.
 *
 * With `--against <commit>`, only downloads of files up to 8 MB, in turns with the server of that commit.
 *
 * With `S3_ENDPOINT` and the other `S3_` variables, the same on a second server with `STORAGE=s3`, in the same turns. The bucket
 * must exist.
 */
const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, against: { type: 'string' } },
});
const BYTES = options.quick ? 50_000_000 : 500_000_000;
const ROUNDS = options.quick ? 1 : 3;
const READERS = options.quick ? 50 : 1000;
const BYTES_PER_SECOND = 10_000;

/** Resident memory, in MiB, that the server must stay below. */
const LIMIT = 300;

/** Whether there is a store to compare with. */
const isWithS3 = process.env['S3_ENDPOINT'] !== undefined;

/** The variables of the server with `STORAGE=s3`, whose objects have a prefix of their own. */
function onS3(): Record<string, string> {
  return { ...s3Env(), STORAGE: 's3', S3_PREFIX: `bench-${process.pid}` };
}

/** Seconds and the highest memory of a piece of work. */
interface Measured {
  readonly seconds: number;
  readonly peak: number;
}

async function measured(pid: number, work: () => Promise<unknown>): Promise<Measured> {
  await resetPeak(pid);
  const seconds = await time(work);
  return { seconds, peak: await memory(pid, 'VmHWM') };
}

const agent = new Agent({ keepAlive: true });

/** Sends a file to the copying server as one request. */
function put(origin: string, file: Content): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Length': file.size };
    const sending = request(origin, { method: 'PUT', agent, headers }, (response) =>
      response.resume().on('end', resolve),
    );
    pipeline(Readable.from(file.chunks(), { objectMode: false }), sending).catch(reject);
  });
}

/** Reads a download to its end. @throws Error when it has another length */
async function read(client: Client, path: string, bytes: number): Promise<void> {
  let received = 0;
  for await (const chunk of await client.open(path)) received += (chunk as Buffer).length;
  if (received !== bytes) throw new Error(`Of ${bytes} bytes ${received} came.`);
}

/** A transfer, once. */
interface Turn {
  readonly copied: number;
  readonly slipway: Measured;
  /** With `STORAGE=s3`; absent: there is no store. */
  readonly s3?: Measured;
}

/** One of the servers, with what it transfers. */
class Transfers {
  private readonly scenarios: Scenarios;
  private path = '';

  private readonly client: Client;
  private readonly pid: number;

  private constructor(client: Client, pid: number) {
    this.client = client;
    this.pid = pid;
    this.scenarios = new Scenarios(client);
  }

  static async of(server: ServerProcess, token: string): Promise<Transfers> {
    const transfers = new Transfers(new Client(server.origin, token), server.process.pid ?? 0);
    await transfers.scenarios.prepare();
    return transfers;
  }

  up(file: Content): Promise<Measured> {
    return measured(this.pid, async () => (this.path = await this.scenarios.upload(file)));
  }

  publish(): Promise<Measured> {
    return measured(this.pid, () => this.scenarios.publish(this.path));
  }

  down(file: Content): Promise<Measured> {
    return measured(this.pid, () => read(this.client, this.download, file.size));
  }

  /** Where the last bundle can be downloaded. */
  get download(): string {
    return `${this.path}/download`;
  }
}

/** @returns where a bundle can be downloaded */
async function upAndDown(instance: Instance, copy: Program, results: Results): Promise<string> {
  const { server, token } = instance;
  const slipway = await Transfers.of(server, token);
  const s3 = isWithS3 ? await Transfers.of(await instance.startReplica(onS3(), onCore(0)), token) : null;
  const copies = new Client(copy.origin, token);
  const turns: [Turn[], Turn[], Turn[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    const file = zipped(content(BYTES, round));
    // Other content: both servers share a database, in which equal files are one.
    const other = zipped(content(BYTES, round + ROUNDS));
    const beside = async (work: (on: Transfers) => Promise<Measured>) =>
      s3 === null ? {} : { s3: await work(s3) };
    const copiedUp = await time(() => put(copy.origin, file));
    turns[0].push({
      copied: copiedUp,
      slipway: await slipway.up(file),
      ...(await beside((on) => on.up(other))),
    });
    turns[1].push({
      copied: copiedUp,
      slipway: await slipway.publish(),
      ...(await beside((on) => on.publish())),
    });
    const copiedDown = await time(() => read(copies, '/', file.size));
    turns[2].push({
      copied: copiedDown,
      slipway: await slipway.down(file),
      ...(await beside((on) => on.down(other))),
    });
  }
  const peak = Math.max(...turns.flat().map((turn) => turn.slipway.peak));
  const names = ['up, in parts', 'verified and published', 'down'];
  results.add(
    `A bundle of ${BYTES / 1e6} MB`,
    turns.map((each, index) => ({ what: names[index] ?? '', ...summaryOf(each) })),
  );
  if (peak > LIMIT) {
    console.error(`${peak} MiB of resident memory are more than ${LIMIT} MiB.`);
    process.exitCode = 1;
  }
  return slipway.download;
}

function summaryOf(turns: readonly Turn[]): Record<string, number> {
  const megabytes = (seconds: readonly number[]): number => rounded(BYTES / 1e6 / median(seconds));
  const onStore = turns.flatMap(({ s3, slipway }) => (s3 === undefined ? [] : [{ s3, slipway }]));
  return {
    'MB/s': megabytes(turns.map(({ slipway }) => slipway.seconds)),
    'MB/s of a copy': megabytes(turns.map(({ copied }) => copied)),
    'times a copy': rounded(median(turns.map(({ slipway, copied }) => slipway.seconds / copied)), 2),
    'MiB peak': Math.max(...turns.map(({ slipway }) => slipway.peak)),
    ...(onStore.length === 0
      ? {}
      : {
          'MB/s on S3': megabytes(onStore.map(({ s3 }) => s3.seconds)),
          'times disk': rounded(median(onStore.map(({ s3, slipway }) => s3.seconds / slipway.seconds)), 2),
          'MiB peak on S3': Math.max(...onStore.map(({ s3 }) => s3.peak)),
        }),
  };
}

/** Checks as fast as they are answered, in turns without and with slow downloads. */
async function besideSlowReaders(bench: Bench, path: string): Promise<void> {
  const { instance, results } = bench;
  const appId = await seedApp(bench, { bundles: 50, deployments: 50 });
  const checks = async (): Promise<number> => (await send(bench, loadOf(bench, appId), '200')).perSecond;
  await checks();
  const pairs: { without: number; beside: number }[] = [];
  for (let round = 0; round < bench.settings.rounds; round++) {
    const without = await checks();
    const settings = { origin: instance.origin, path, readers: READERS, bytesPerSecond: BYTES_PER_SECOND };
    const readers = await startProgram('transfer-speed/slow-readers.ts', settings, []);
    try {
      // At first as much is sent at once as the buffers of the operating system take.
      await settled(instance.server.process.pid ?? 0);
      pairs.push({ without, beside: await checks() });
    } finally {
      readers.stop();
    }
  }
  results.add(`${READERS} downloads of ${BYTES_PER_SECOND / 1000} kB/s`, [
    {
      'checks per second without': rounded(median(pairs.map(({ without }) => without))),
      'checks per second beside': rounded(median(pairs.map(({ beside }) => beside))),
      ratio: rounded(median(pairs.map(({ without, beside }) => beside / without)), 2),
      MiB: await memory(instance.server.process.pid ?? 0, 'VmRSS'),
    },
  ]);
}

/** @param commit what the downloads are compared with; absent: everything else is measured */
async function run(commit: string | undefined): Promise<void> {
  const results = new Results(commit === undefined ? 'transfer-speed' : 'transfer-speed-against');
  if (commit === undefined) await everything(results);
  else {
    await withBuildOf(commit, (build) => {
      stayOnCore(1);
      const work = (other: Instance) =>
        withInstance((instance) => compareDownloads(instance, other, results, options.quick), {
          under: onCore(0),
        });
      return withInstance(work, { under: onCore(0), build });
    });
  }
  await results.write();
}

async function everything(results: Results): Promise<void> {
  stayOnCore(1);
  const generator = new LoadGenerator([]);
  try {
    await withInstance(
      async (instance) => {
        const copy = await startProgram(
          'transfer-speed/copy-server.ts',
          { folder: instance.folder },
          onCore(0),
        );
        const path = await upAndDown(instance, copy, results).finally(() => copy.stop());
        const bench = { instance, generator, results, settings: options.quick ? QUICK : FULL };
        await besideSlowReaders(bench, path);
      },
      { under: onCore(0) },
    );
  } finally {
    generator.stop();
    agent.destroy();
  }
}

await run(options.against);
