import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '../../test/setup/databases.ts';
import { rounded } from '../measure.ts';
import { type Bench, loadOf, seedApp, send } from './bench.ts';

/** Seconds after which no row is waited for any longer. */
const PATIENCE = 60;

/**
 * Devices that were never seen before: how many reach the database in a second, from the first check to the last row.
 *
 * @throws Error when one is missing in the end
 */
export async function recorded(bench: Bench): Promise<void> {
  const { settings, instance, results } = bench;
  const appId = await seedApp(bench, {});
  const seconds = settings.seconds * settings.rounds;
  const start = performance.now();
  const load = loadOf(bench, appId, { seconds, devices: settings.devices, requests: settings.devices });
  const { answers, perSecond } = await send(bench, load, '200');
  const count = async (): Promise<number> => {
    const [row] = await query<{ devices: number }>(
      instance.databaseUrl,
      'SELECT count(*)::int AS devices FROM devices WHERE app_id = $1',
      [appId],
    );
    return row?.devices ?? 0;
  };
  const until = performance.now() + PATIENCE * 1000;
  let devices = await count();
  while (devices < answers && performance.now() < until) {
    await sleep(100);
    devices = await count();
  }
  // Those whose answer came after the end may be there, too.
  if (devices < answers) throw new Error(`Of ${answers} devices only ${devices} were recorded.`);
  const taken = (performance.now() - start) / 1000;
  results.add('Recorded devices', [
    {
      'checks per second': rounded(perSecond),
      'new devices': devices,
      'seconds until all are recorded': rounded(taken, 1),
      'rows per second': rounded(devices / taken),
    },
  ]);
}
