import { onCore } from '../cores.ts';
import type { Load, LoadResult } from '../load/load.ts';
import { median, rounded } from '../measure.ts';
import { processorTime, settled } from '../processes.ts';
import { startProgram } from '../program.ts';
import { answerOf } from './answer.ts';
import { type Bench, loadOf, seedApp, send } from './bench.ts';

/** Somebody who answers checks, with the load that is sent. */
interface Contestant {
  readonly name: string;
  readonly load: Load;
  readonly expected: '200' | '404';
  readonly pid: number;
}

/** A turn of a contestant, with the processor time that its server took for an answer, in seconds. */
type Turn = LoadResult & { readonly processor: number };

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

/** There is nothing for the device. */
export async function none(bench: Bench): Promise<void> {
  const reference = await seedApp(bench, {});
  const appId = await seedApp(bench, { deployments: 0 });
  await compare(bench, 'Checks without an update', reference, [
    { name: 'no update (404)', load: loadOf(bench, appId), expected: '404' },
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

/** Half of the most that Slipway answers, sent at a steady pace. */
export async function latency(bench: Bench): Promise<void> {
  const { instance, settings } = bench;
  const appId = await seedApp(bench, { bundles: 50, deployments: 50, devices: settings.devices });
  await send(bench, loadOf(bench, appId), '200');
  const rates: number[] = [];
  for (let round = 0; round < settings.rounds; round++) {
    rates.push((await send(bench, loadOf(bench, appId), '200')).perSecond);
  }
  await settled(instance.server.process.pid ?? 0);
  const rate = Math.max(1, Math.floor(median(rates) / 2));
  const seconds = settings.seconds * settings.rounds;
  const result = await send(bench, loadOf(bench, appId, { rate, seconds }), '200');
  bench.results.add('Latency at half of the most', [
    {
      'asked per second': rate,
      'answered per second': rounded(result.perSecond),
      'p50 (ms)': rounded(result.p50, 2),
      'p99 (ms)': rounded(result.p99, 2),
      'generator busy': rounded(result.busy, 2),
    },
  ]);
}

/**
 * Lets the constant servers and them take turns, each warmed up before and given the time to finish what it does afterwards. The ratios are
 * those of one round, and the median of them is told.
 *
 * @param appId whose answer the two constant servers give
 */
async function compare(
  bench: Bench,
  title: string,
  appId: string,
  variants: readonly Variant[],
): Promise<void> {
  const { instance, settings, results } = bench;
  const answer = await answerOf(instance.origin, appId);
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
    const rounds: Turn[][] = [];
    for (let round = -1; round < settings.rounds; round++) {
      const turns: Turn[] = [];
      for (const { load, expected, pid } of contestants) {
        const before = await processorTime(pid);
        const result = await send(bench, load, expected);
        await settled(pid);
        turns.push({ ...result, processor: ((await processorTime(pid)) - before) / result.answers });
      }
      if (round >= 0) rounds.push(turns);
    }
    const middle = (value: (round: readonly Turn[]) => number): number => median(rounds.map(value));
    const perSecond = (round: readonly Turn[], index: number): number => round[index]?.perSecond ?? 0;
    results.add(
      title,
      contestants.map(({ name }, index) => ({
        what: name,
        'checks per second': rounded(middle((round) => perSecond(round, index))),
        'of bare': rounded(
          middle((round) => perSecond(round, index) / perSecond(round, 0)),
          3,
        ),
        'of NestJS': rounded(
          middle((round) => perSecond(round, index) / perSecond(round, 1)),
          3,
        ),
        'processor (µs)': rounded(
          middle((round) => (round[index]?.processor ?? 0) * 1e6),
          1,
        ),
        'generator busy': rounded(
          middle((round) => round[index]?.busy ?? 0),
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
