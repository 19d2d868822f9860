import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateApiToken } from '../src/common/access/api-token.ts';
import { builtDatabase } from '../test/setup/built.ts';
import { query } from '../test/setup/databases.ts';
import { startServer } from '../test/setup/server.ts';

/**
 * `npm run bench:audit`: what the audit log costs a write. PATCHes channels of one organization through the built
 * server, with the triggers of channels and without them, in turns. docs/performance.md has the figures.
 */

/** Many short turns: what else the machine does then meets both alike. */
const TURNS = 40;
/** In each turn. */
const REQUESTS = 40;
const WRITERS = [1, 8];

const { removeEmbeddedPostgresData, migrate, startEmbeddedPostgres } = await builtDatabase();
const folder = await mkdtemp(join(tmpdir(), 'slipway-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir: folder });
const token = generateApiToken();
try {
  await migrate(postgres.url);
  const server = await startServer({
    DATABASE_URL: postgres.url,
    DATA_DIR: folder,
    BOOTSTRAP_EMAIL: 'bench@example.com',
    BOOTSTRAP_TOKEN: token,
  });
  try {
    for (const writers of WRITERS) await measure(server.origin, writers);
  } finally {
    await server.stop();
  }
} finally {
  await postgres.stop();
  await removeEmbeddedPostgresData(folder);
  await rm(folder, { recursive: true, force: true });
}

/** Prints the median time of a request, with and without triggers. */
async function measure(origin: string, writers: number): Promise<void> {
  const paths = await Promise.all(Array.from({ length: writers }, () => createChannel(origin)));
  await patchAll(origin, paths);
  const times = { with: [] as number[], without: [] as number[] };
  for (let turn = 0; turn < TURNS; turn++) {
    times.with.push(...(await patchAll(origin, paths)));
    await query(postgres.url, 'ALTER TABLE channels DISABLE TRIGGER USER');
    times.without.push(...(await patchAll(origin, paths)));
    await query(postgres.url, 'ALTER TABLE channels ENABLE TRIGGER USER');
  }
  const [audited, plain] = [median(times.with), median(times.without)];
  console.log(
    `${writers} at once: ${audited.toFixed(2)} ms with, ${plain.toFixed(2)} ms without, ratio ${(audited / plain).toFixed(2)}`,
  );
}

async function createChannel(origin: string): Promise<string> {
  const { id } = await call<{ id: string }>(origin, 'POST', '/v1/apps', { name: 'Benchmark' });
  const path = `/v1/apps/${id}/channels`;
  return `${path}/${(await call<{ id: string }>(origin, 'POST', path, { name: 'bench' })).id}`;
}

/** Renames the channels, each by one writer that sends one request after the other. @returns milliseconds of each */
async function patchAll(origin: string, paths: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  await Promise.all(
    paths.map(async (path) => {
      for (let i = 0; i < REQUESTS / paths.length; i++) {
        const start = performance.now();
        await call(origin, 'PATCH', path, { name: `bench ${generateApiToken()}` });
        times.push(performance.now() - start);
      }
    }),
  );
  return times;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function call<T>(origin: string, method: string, path: string, body: object): Promise<T> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await fetch(origin + path, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
