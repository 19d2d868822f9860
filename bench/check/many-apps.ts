import { onCore } from '../cores.ts';
import { rounded } from '../measure.ts';
import { familyMemory, settled } from '../processes.ts';
import { type Bench, loadOf, seedApp, send } from './bench.ts';

/** As many as a load balancer may open at once. */
const CONNECTIONS = 500;

/** A server that has just started gets checks for every app at once; then it has all of them in memory. */
export async function apps(bench: Bench): Promise<void> {
  const { instance, settings, results } = bench;
  const appId = await seedApp(bench, { apps: settings.apps });
  const server = await instance.startReplica({}, onCore(0));
  try {
    const pid = server.process.pid ?? 0;
    await settled(pid);
    const idle = await familyMemory(pid);
    const all = loadOf(bench, appId, {
      origins: [server.origin],
      apps: settings.apps,
      devices: settings.apps,
      connections: Math.min(CONNECTIONS, settings.apps),
      requests: settings.apps,
      seconds: 300,
    });
    const cold = await send(bench, all, '200');
    await settled(pid);
    const filled = await familyMemory(pid);
    const warm = await send(bench, all, '200');
    await settled(pid);
    const again = await familyMemory(pid);
    results.add(`${settings.apps} apps`, [
      {
        what: 'cold',
        seconds: rounded(cold.seconds, 1),
        'p50 (ms)': rounded(cold.p50, 1),
        'p99 (ms)': rounded(cold.p99, 1),
        'MiB idle': idle,
        'MiB with the apps': filled,
        'MiB more': filled - idle,
      },
      {
        what: 'warm',
        seconds: rounded(warm.seconds, 1),
        'p50 (ms)': rounded(warm.p50, 1),
        'p99 (ms)': rounded(warm.p99, 1),
        'MiB idle': idle,
        'MiB with the apps': again,
        'MiB more': again - idle,
      },
    ]);
  } finally {
    await server.stop();
  }
}
