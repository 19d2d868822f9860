import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '../../test/setup/databases.ts';
import type { ServerProcess } from '../../test/setup/server.ts';
import { seededId } from '../../scripts/seed/ids.ts';
import { percentile, rounded } from '../measure.ts';
import { type Bench, loadOf, seedApp } from './bench.ts';

const REPLICAS = 4;
/** Checks per second that all replicas together answer meanwhile. */
const RATE = 200;
/** Milliseconds until a replica is asked again: asking without a pause would be most of what the machine does. */
const POLLED_AFTER = 2;
/** Seconds after which a change counts as lost. */
const PATIENCE = 60;

/** `application_name` of the connection on which a server receives changes. */
const LISTENER = 'slipway-listen';

/** Changes a deployment and asks every replica until it answers accordingly. */
export async function propagation(bench: Bench): Promise<void> {
  await measure(bench, 'Change to seen by every replica', async () => undefined);
}

/** As `propagation`, with the connections cut on which the replicas receive changes, right before each change. */
export async function propagationCut(bench: Bench): Promise<void> {
  let cut = 0;
  await measure(bench, 'Change to seen, notifications cut', async () => {
    const rows = await query(
      bench.instance.databaseUrl,
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1',
      [LISTENER],
    );
    cut += rows.length;
  });
  console.log(`${cut} connections were cut.`);
}

async function measure(bench: Bench, title: string, before: () => Promise<void>): Promise<void> {
  const { instance, settings, results, generator } = bench;
  const appId = await seedApp(bench, {});
  const replicas: ServerProcess[] = [instance.server];
  while (replicas.length < REPLICAS) replicas.push(await instance.startReplica());
  const origins = replicas.map(({ origin }) => origin);
  const deployment = `/v1/apps/${appId}/deployments/${seededId(appId, 'deployment', 1)}`;
  const times: number[] = [];
  let running = true;
  const load = (async () => {
    while (running) await generator.run(loadOf(bench, appId, { origins, rate: RATE, seconds: 1 }));
  })();
  try {
    for (let change = 0; change < settings.changes; change++) {
      const isOffered = change % 2 === 1;
      await before();
      await instance.call('PATCH', deployment, { rolloutPercentage: isOffered ? 1 : 0 });
      const changed = performance.now();
      const seen = origins.map(async (origin) => {
        await untilAnswers(origin, appId, isOffered ? 200 : 404);
        times.push(performance.now() - changed);
      });
      await Promise.all(seen);
    }
  } finally {
    running = false;
    await load;
    await Promise.all(replicas.slice(1).map((replica) => replica.stop()));
  }
  results.add(title, [
    {
      replicas: REPLICAS,
      changes: settings.changes,
      'p50 (ms)': rounded(percentile(times, 0.5), 1),
      'p99 (ms)': rounded(percentile(times, 0.99), 1),
      'at most (ms)': rounded(Math.max(...times), 1),
    },
  ]);
}

/** @throws Error when it does not in time */
async function untilAnswers(origin: string, appId: string, status: number): Promise<void> {
  const url = `${origin}/v1/apps/${appId}/bundles/latest?platform=0&appVersionCode=10&pluginVersion=8.4.3`;
  const until = performance.now() + PATIENCE * 1000;
  while (performance.now() < until) {
    const response = await fetch(url);
    await response.arrayBuffer();
    if (response.status === status) return;
    await sleep(POLLED_AFTER);
  }
  throw new Error(`${origin} did not answer ${status} within ${PATIENCE} seconds.`);
}
