import { randomUUID } from 'node:crypto';
import { query } from '../test/setup/databases.ts';
import { type Instance, withInstance } from './instance.ts';
import { median } from './measure.ts';

/**
 * `npm run bench:audit`: what the audit log costs a write. PATCHes channels of one organization through the built
 * server, with the triggers of channels and without them, in turns. docs/performance.md has the figures.
 */

/** Many short turns: what else the machine does then meets both alike. */
const TURNS = 40;
/** In each turn. */
const REQUESTS = 40;
const WRITERS = [1, 8];

await withInstance(async (instance) => {
  for (const writers of WRITERS) await measure(instance, writers);
});

/** Prints the median time of a request, with and without triggers. */
async function measure(instance: Instance, writers: number): Promise<void> {
  const paths = await Promise.all(Array.from({ length: writers }, () => createChannel(instance)));
  await patchAll(instance, paths);
  const times = { with: [] as number[], without: [] as number[] };
  for (let turn = 0; turn < TURNS; turn++) {
    times.with.push(...(await patchAll(instance, paths)));
    await query(instance.databaseUrl, 'ALTER TABLE channels DISABLE TRIGGER USER');
    times.without.push(...(await patchAll(instance, paths)));
    await query(instance.databaseUrl, 'ALTER TABLE channels ENABLE TRIGGER USER');
  }
  const [audited, plain] = [median(times.with), median(times.without)];
  console.log(
    `${writers} at once: ${audited.toFixed(2)} ms with, ${plain.toFixed(2)} ms without, ratio ${(audited / plain).toFixed(2)}`,
  );
}

async function createChannel(instance: Instance): Promise<string> {
  const { id } = await instance.call<{ id: string }>('POST', '/v1/apps', { name: 'Benchmark' });
  const path = `/v1/apps/${id}/channels`;
  return `${path}/${(await instance.call<{ id: string }>('POST', path, { name: 'bench' })).id}`;
}

/** Renames the channels, each by one writer that sends one request after the other. @returns milliseconds of each */
async function patchAll(instance: Instance, paths: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  await Promise.all(
    paths.map(async (path) => {
      for (let i = 0; i < REQUESTS / paths.length; i++) {
        const start = performance.now();
        await instance.call('PATCH', path, { name: `bench ${randomUUID()}` });
        times.push(performance.now() - start);
      }
    }),
  );
  return times;
}
