import { onCore } from '../cores.ts';
import type { Load } from '../load/load.ts';
import { median, rounded } from '../measure.ts';
import { startProgram } from '../program.ts';
import { responseOf } from './wire-response.ts';
import { type Bench, loadOf, seedApp } from './bench.ts';
import { type Contestant, perSecond, type Round, takeTurns, turnOf } from './turns.ts';

/** A load on Slipway that is compared. */
interface Variant {
  readonly name: string;
  readonly load: Load;
  readonly expected?: '404';
}

/** A warm check with an update, with its device recorded and without. */
export async function hit(bench: Bench): Promise<void> {
  const appId = await seedApp(bench, { bundles: 50, deployments: 50, devices: bench.settings.devices });
  await compare(bench, 'Checks with an update', appId, [
    { name: 'Slipway', load: loadOf(bench, appId) },
    { name: 'Slipway, no device recorded', load: loadOf(bench, appId, { anonymous: true }) },
  ]);
}

/** Ids that no app has, another one each time. */
export async function unknown(bench: Bench): Promise<void> {
  const appId = await seedApp(bench, {});
  await compare(bench, 'Checks of unknown apps', appId, [
    { name: 'unknown apps (404)', load: loadOf(bench, appId, { apps: 'unknown' }), expected: '404' },
  ]);
}

/** More bundles, more channels. */
export async function releases(bench: Bench): Promise<void> {
  const variants: Variant[] = [];
  for (const bundles of bench.settings.bundles) {
    const appId = await seedApp(bench, { bundles, deployments: bundles });
    variants.push({ name: `${bundles} bundles`, load: loadOf(bench, appId) });
  }
  for (const channels of bench.settings.channels) {
    const appId = await seedApp(bench, { channels, bundles: 50, deployments: channels * 5 });
    variants.push({
      name: `${channels} channels`,
      load: loadOf(bench, appId, { channelName: `channel-${channels}` }),
    });
  }
  await compare(bench, 'Checks by bundles and channels', variants[0]?.load.appId ?? '', variants);
}

/** More known devices, more that are forced to a channel. */
export async function devices(bench: Bench): Promise<void> {
  const { knownDevices, forcedDevices } = bench.settings;
  const variants: Variant[] = [];
  for (const known of knownDevices) {
    const appId = await seedApp(bench, { devices: known });
    variants.push({ name: `${known} devices`, load: loadOf(bench, appId) });
  }
  const appId = await seedApp(bench, { devices: forcedDevices, forcedDevices });
  variants.push({ name: `${forcedDevices} forced devices`, load: loadOf(bench, appId) });
  await compare(bench, 'Checks by known and forced devices', variants[0]?.load.appId ?? '', variants);
}

/**
 * Compares loads on Slipway with constant servers. A ratio is computed within each round; the table has the medians.
 *
 * @param appId whose answer the constant servers give
 */
async function compare(
  bench: Bench,
  title: string,
  appId: string,
  variants: readonly Variant[],
): Promise<void> {
  const { instance, results } = bench;
  const answer = await responseOf(instance.origin, appId);
  const bare = await startProgram('check/bare.ts', answer, onCore(0));
  const nest = await startProgram('check/nest.ts', { ...answer, lean: false }, onCore(0));
  const lean = await startProgram('check/nest.ts', { ...answer, lean: true }, onCore(0));
  try {
    const constant = (name: string, origin: string, pid: number): Contestant => {
      return { name, load: loadOf(bench, appId, { origins: [origin] }), expected: '200', pid };
    };
    const pid = instance.server.process.pid ?? 0;
    const contestants = [
      constant('bare node:http', bare.origin, bare.pid),
      constant('constant NestJS handler', nest.origin, nest.pid),
      constant('the same without defaults', lean.origin, lean.pid),
      ...variants.map((variant): Contestant => ({ expected: '200', pid, ...variant })),
    ];
    const rounds = await takeTurns(bench, contestants);
    const middle = (value: (round: Round) => number): number => median(rounds.map(value));
    const ratio =
      (one: number, other: number) =>
      (round: Round): number =>
        perSecond(one)(round) / perSecond(other)(round);
    results.add(
      title,
      contestants.map(({ name }, index) => ({
        what: name,
        'checks per second': rounded(middle(perSecond(index))),
        'of bare': rounded(middle(ratio(index, 0)), 3),
        'of NestJS': rounded(middle(ratio(index, 1)), 3),
        'processor (µs)': rounded(
          middle((round) => turnOf(round, index).processor * 1e6),
          1,
        ),
        'p99 (ms)': rounded(
          middle((round) => turnOf(round, index).p99),
          1,
        ),
        'generator busy': rounded(
          middle((round) => turnOf(round, index).busy),
          2,
        ),
      })),
    );
  } finally {
    bare.stop();
    nest.stop();
    lean.stop();
  }
}
