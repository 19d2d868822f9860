import { onCore } from '../cores.ts';
import type { Load } from '../load/load.ts';
import { median, rounded } from '../measure.ts';
import { startProgram } from '../program.ts';
import { responseOf } from './answer.ts';
import { type Bench, loadOf, seedApp } from './bench.ts';
import { type Contestant, perSecond, takeTurns, type Turn, turnOf } from './turns.ts';

/** Half of the most that Slipway answers, sent at a steady pace, and the same to a bare server. */
export async function latency(bench: Bench): Promise<void> {
  const { instance, settings, results } = bench;
  const appId = await seedApp(bench, { bundles: 50, deployments: 50, devices: settings.devices });
  const pid = instance.server.process.pid ?? 0;
  const most: Contestant = { name: 'most', load: loadOf(bench, appId), expected: '200', pid };
  const rate = Math.max(1, Math.floor(median((await takeTurns(bench, [most])).map(perSecond(0))) / 2));
  const bare = await startProgram('check/bare.ts', await responseOf(instance.origin, appId), onCore(0));
  try {
    const paced = (name: string, pid: number, changes: Partial<Load>): Contestant => {
      return { name, load: loadOf(bench, appId, { rate, ...changes }), expected: '200', pid };
    };
    const contestants = [
      paced('bare node:http', bare.pid, { origins: [bare.origin] }),
      paced('Slipway', pid, {}),
      paced('Slipway, no device recorded', pid, { anonymous: true }),
    ];
    const rounds = await takeTurns(bench, contestants);
    results.add(
      `Latency at half of the most: ${rate} checks per second`,
      contestants.map(({ name }, index) => {
        const middle = (value: (turn: Turn) => number): number =>
          median(rounds.map((round) => value(turnOf(round, index))));
        return {
          what: name,
          'p50 (ms)': rounded(
            middle(({ p50 }) => p50),
            2,
          ),
          'p99 (ms)': rounded(
            middle(({ p99 }) => p99),
            2,
          ),
          'p99 of p50': rounded(
            middle(({ p50, p99 }) => p99 / p50),
            1,
          ),
          'generator busy': rounded(
            middle(({ busy }) => busy),
            2,
          ),
        };
      }),
    );
  } finally {
    bare.stop();
  }
}
