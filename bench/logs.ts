import { mkdir, readFile, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ahead } from './cores.ts';
import { type Instance, withInstance } from './instance.ts';
import { LoadGenerator } from './load/load.ts';
import { archive, rewriteAsOlderVersion, type SeededLog, seedRunning, type Shape } from './logs/logs.ts';
import { median, rounded } from './measure.ts';
import { type Row, Results } from './results.ts';

/**
 * `npm run bench:logs`: how long requests for logs hold the event loop of the server, and what update checks wait for at the same time.
 * docs/performance.md has the figures. With a part of the name of a log as its argument, only that log.
 */

const SHAPES: readonly Shape[] = [
  { name: '500,000 lines of 125 bytes', lines: 500_000, lineBytes: 125 },
  { name: '3,900 lines of 16 KiB', lines: 3900, lineBytes: 16_384 },
];
/** Update checks per second, and how long they are sent for each kind of request, in seconds. */
const RATE = 200;
const SECONDS = 3;
/** Where the server writes how long its event loop was held. */
const DELAYS = join(import.meta.dirname, 'results/loop-delay.json');

const results = new Results('logs');
await mkdir(dirname(DELAYS), { recursive: true });
const generator = new LoadGenerator(ahead());
try {
  await withInstance(measure, {
    env: { JOB_LOG_BYTES: '64000000', LOOP_DELAY_FILE: DELAYS, QUEUE_POLL_SECONDS: '1' },
    nodeOptions: ['--import', join(import.meta.dirname, 'logs/loop-delay.ts')],
  });
} finally {
  generator.stop();
}
await results.write();

async function measure(instance: Instance): Promise<void> {
  const { id: appId } = await instance.call<{ id: string }>('POST', '/v1/apps', { name: 'Benchmark' });
  const name = process.argv[2] ?? '';
  for (const shape of SHAPES.filter((each) => each.name.includes(name))) {
    const rows: Row[] = [await besides(instance, appId, 'none', 'no request', () => sleep(100))];
    let log = await seedRunning(instance, appId, shape);
    rows.push(...(await requests(instance, appId, shape, log)));
    rows.push(
      await once(instance, 'running', 'it is moved to storage', async () => {
        log = await archive(instance, log);
      }),
    );
    rows.push(...(await requests(instance, appId, shape, log)));
    log = await rewriteAsOlderVersion(instance, log);
    rows.push(...(await requests(instance, appId, shape, log)));
    results.add(shape.name, rows);
  }
}

/** Each kind of request for a log: the first one, which finds out where lines are, and further ones beside update checks. */
async function requests(
  instance: Instance,
  appId: string,
  shape: Shape,
  { jobId, form }: SeededLog,
): Promise<Row[]> {
  const path = `/v1/jobs/${jobId}/logs`;
  const read = (parameters: string) => () => receive(instance, `${path}${parameters}`);
  let page = 0;
  const somewhere = (): Promise<void> =>
    receive(instance, `${path}?after=${(page++ * 7919) % shape.lines}&limit=2000`);
  let word = 0;
  return [
    await once(instance, form, 'first page', read('?limit=2000')),
    await besides(instance, appId, form, 'pages', somewhere),
    // Another text each time: the numbers of its lines are not known yet.
    await besides(instance, appId, form, 'searches', () => receive(instance, `${path}?search=${word++}+ok`)),
    await besides(instance, appId, form, 'hits of one search', read('?search=needle&limit=500')),
    await besides(instance, appId, form, 'steps', read('/steps')),
    await besides(instance, appId, form, 'all of it', read('')),
  ];
}

/** Repeats a request beside update checks. */
async function besides(
  instance: Instance,
  appId: string,
  form: string,
  what: string,
  request: () => Promise<unknown>,
): Promise<Row> {
  await delays(instance);
  const times: number[] = [];
  let isOver = false;
  const repeat = async (): Promise<void> => {
    while (!isOver) times.push(await timeOf(request));
  };
  const repeated = repeat();
  const checks = await generator.run({
    origins: [instance.origin],
    appId,
    apps: 1,
    devices: 1000,
    anonymous: true,
    connections: 8,
    rate: RATE,
    seconds: SECONDS,
  });
  isOver = true;
  await repeated;
  return {
    log: form,
    request: what,
    'median (ms)': rounded(median(times)),
    ...(await delays(instance)),
    'check p99 (ms)': rounded(checks.p99, 1),
    'check max (ms)': rounded(checks.max, 1),
  };
}

async function once(
  instance: Instance,
  form: string,
  what: string,
  request: () => Promise<unknown>,
): Promise<Row> {
  await delays(instance);
  const time = await timeOf(request);
  return { log: form, request: what, 'median (ms)': rounded(time), ...(await delays(instance)) };
}

/** How long the event loop was held since the last call. */
async function delays({ server }: Instance): Promise<Row> {
  await rm(DELAYS, { force: true });
  server.process.kill('SIGUSR2');
  for (;;) {
    const text = await readFile(DELAYS, 'utf8').catch(() => '');
    if (text !== '') {
      const { p99, max } = JSON.parse(text) as { p99: number; max: number };
      return { 'loop p99 (ms)': rounded(p99, 1), 'loop max (ms)': rounded(max, 1) };
    }
    await sleep(10);
  }
}

async function timeOf(request: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await request();
  return performance.now() - begin;
}

/** Receives a response without looking at it. @throws Error for a status that is not 200 */
function receive({ origin, token }: Instance, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(`${origin}${path}`, { headers: { Authorization: `Bearer ${token}` } }, (response) => {
      response.resume();
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`GET ${path}: ${response.statusCode}`));
      });
    }).once('error', reject);
  });
}
