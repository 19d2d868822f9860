import pg from 'pg';
import { onCore } from '../cores.ts';
import type { LoadResult } from '../load/load.ts';
import { median, rounded } from '../measure.ts';
import { familyMemory, settled } from '../processes.ts';
import { type Bench, loadOf, seedApp, send } from './bench.ts';

/** Checks per second that are measured. */
const RATE = 2000;
/** Seconds of each measurement: long enough for the collector to run. */
const SECONDS = 15;

/**
 * Times of responses at a steady rate while many check-ins wait to be written, because the table of devices is locked;
 * then while the database catches up. Also the memory that the check-ins of the first round take in a server that has
 * just started.
 */
export async function waiting(bench: Bench): Promise<void> {
  const { settings, instance, results } = bench;
  const { devices } = settings;
  const server = await instance.startReplica({ DEVICE_BUFFER_SIZE: String(4 * devices) }, onCore(0));
  const database = new pg.Client({ connectionString: instance.databaseUrl });
  await database.connect();
  const blocked: LoadResult[] = [];
  const draining: LoadResult[] = [];
  try {
    const pid = server.process.pid ?? 0;
    await settled(pid);
    const idle = await familyMemory(pid);
    let filled = Number.NaN;
    for (let round = 0; round < settings.rounds; round++) {
      const appId = await seedApp(bench, {});
      const origins = [server.origin];
      await database.query('BEGIN; LOCK TABLE devices IN EXCLUSIVE MODE');
      await send(bench, loadOf(bench, appId, { origins, requests: devices, seconds: 60 }), '200');
      await settled(pid);
      if (round === 0) filled = await familyMemory(pid);
      const paced = loadOf(bench, appId, {
        origins,
        rate: RATE,
        seconds: SECONDS,
        requests: Math.min(settings.requests, RATE * SECONDS),
        firstDevice: devices + 1,
      });
      blocked.push(await send(bench, paced, '200'));
      await database.query('COMMIT');
      draining.push(await send(bench, paced, '200'));
      await settled(pid, 60);
    }
    results.add(`${devices} check-ins waiting`, [
      { 'MiB idle': idle, 'MiB waiting': filled, 'MiB more': filled - idle },
    ]);
    results.add(
      `${RATE} checks per second with ${devices} check-ins waiting`,
      [['none written', blocked] as const, ['being written', draining] as const].map(([what, rounds]) => ({
        what,
        'p50 (ms)': rounded(median(rounds.map(({ p50 }) => p50)), 2),
        'p99 (ms)': rounded(median(rounds.map(({ p99 }) => p99)), 2),
        'max (ms)': rounded(median(rounds.map(({ max }) => max)), 1),
      })),
    );
  } finally {
    await database.end();
    await server.stop();
  }
}
