import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '../../test/setup/databases.ts';
import { onCore } from '../cores.ts';
import { median, rounded, time } from '../measure.ts';
import type { Row } from '../results.ts';
import { type Bench, loadOf, seedApp, send } from './bench.ts';

/** Milliseconds until the rows are counted again, which PostgreSQL has to do, too. */
const POLLED_AFTER = 200;
/** Seconds after which no row is waited for any longer. */
const PATIENCE = 60;

/**
 * Devices that ask for the first time, and then again: how many rows are written in a second, from the first check to the
 * last row; of another app each time. The server has room for all of them, because they come faster than PostgreSQL
 * writes.
 *
 * @throws Error when one is missing in the end
 */
export async function recorded(bench: Bench): Promise<void> {
  const { settings, instance, results } = bench;
  const { devices } = settings;
  const server = await instance.startReplica({ DEVICE_BUFFER_SIZE: String(3 * devices + 1000) }, onCore(0));
  const seconds: { first: number[]; again: number[] } = { first: [], again: [] };
  try {
    for (let round = -1; round < settings.rounds; round++) {
      const appId = await seedApp(bench, {});
      const load = loadOf(bench, appId, { origins: [server.origin], requests: devices, seconds: PATIENCE });
      for (const times of [seconds.first, seconds.again]) {
        // The clock of the database, on the same machine.
        const since = new Date();
        const taken = await time(async () => {
          await send(bench, load, '200');
          await untilSeen(bench, appId, since);
        });
        if (round >= 0) times.push(taken);
      }
    }
  } finally {
    await server.stop();
  }
  const row = (what: string, times: readonly number[]): Row => ({
    devices,
    what,
    seconds: rounded(median(times), 1),
    'rows per second': rounded(devices / median(times)),
  });
  results.add('Recorded devices', [row('first check', seconds.first), row('next check', seconds.again)]);
}

/** @throws Error when not all devices of the app were seen since then, for too long */
async function untilSeen({ instance, settings }: Bench, appId: string, since: Date): Promise<void> {
  const until = performance.now() + PATIENCE * 1000;
  for (;;) {
    const [row] = await query<{ devices: number }>(
      instance.databaseUrl,
      'SELECT count(*)::int AS devices FROM devices WHERE app_id = $1 AND last_seen_at >= $2',
      [appId, since],
    );
    if (row?.devices === settings.devices) return;
    if (performance.now() > until)
      throw new Error(`${row?.devices} of ${settings.devices} devices were written.`);
    await sleep(POLLED_AFTER);
  }
}
