import { Agent, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { type Bench, FULL, loadOf, QUICK, seedApp, send } from './check/bench.ts';
import { onCore, stayOnCore } from './cores.ts';
import { type Instance, withInstance } from './instance.ts';
import { LoadGenerator } from './load/load.ts';
import { median, memory, resetPeak, rounded, time } from './measure.ts';
import { settled } from './processes.ts';
import { type Program, startProgram } from './program.ts';
import { Results } from './results.ts';
import { Client } from './uploads/client.ts';
import { type Content, content, zipped } from './uploads/content.ts';
import { Scenarios } from './uploads/scenarios.ts';

/**
 * `npm run bench:transfer-speed`: a large bundle up and down, against a server that does nothing but copy streams; then
 * what update checks notice of many slow downloads of it. docs/performance.md has the figures. Linux only.
 */
const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const BYTES = options.quick ? 50_000_000 : 500_000_000;
const ROUNDS = options.quick ? 1 : 3;
const READERS = options.quick ? 50 : 1000;
const BYTES_PER_SECOND = 10_000;

/** Resident memory, in MiB, that the server must stay below. */
const LIMIT = 300;

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

/** @returns where a bundle can be downloaded */
async function upAndDown(
  { server, origin, token }: Instance,
  copy: Program,
  results: Results,
): Promise<string> {
  const pid = server.process.pid ?? 0;
  const client = new Client(origin, token);
  const copies = new Client(copy.origin, token);
  const scenarios = new Scenarios(client);
  await scenarios.prepare();
  const rounds: { copied: number; slipway: Measured }[][] = [[], [], []];
  let path = '';
  for (let round = 0; round < ROUNDS; round++) {
    const file = zipped(content(BYTES, round));
    const copiedUp = await time(() => put(copy.origin, file));
    let bundle = '';
    const up = await measured(pid, async () => (bundle = await scenarios.upload(file)));
    const published = await measured(pid, () => scenarios.publish(bundle));
    path = `${bundle}/download`;
    const copiedDown = await time(() => read(copies, '/', file.size));
    const down = await measured(pid, () => read(client, path, file.size));
    rounds[0]?.push({ copied: copiedUp, slipway: up });
    rounds[1]?.push({ copied: copiedUp, slipway: published });
    rounds[2]?.push({ copied: copiedDown, slipway: down });
  }
  const peak = Math.max(...rounds.flat().map(({ slipway }) => slipway.peak));
  const megabytes = (values: readonly number[]): number => rounded(BYTES / 1e6 / median(values));
  results.add(
    `A bundle of ${BYTES / 1e6} MB`,
    rounds.map((each, index) => ({
      what: ['up, in parts', 'verified and published', 'down'][index] ?? '',
      'MB/s': megabytes(each.map(({ slipway }) => slipway.seconds)),
      'MB/s of a copy': megabytes(each.map(({ copied }) => copied)),
      'times a copy': rounded(median(each.map(({ slipway, copied }) => slipway.seconds / copied)), 2),
      'MiB peak': Math.max(...each.map(({ slipway }) => slipway.peak)),
    })),
  );
  if (peak > LIMIT) {
    console.error(`${peak} MiB of resident memory are more than ${LIMIT} MiB.`);
    process.exitCode = 1;
  }
  return path;
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

stayOnCore(1);
const generator = new LoadGenerator([]);
const results = new Results('transfer-speed');
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
  await results.write();
} finally {
  generator.stop();
  agent.destroy();
}
