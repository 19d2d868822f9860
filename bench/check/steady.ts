import type { Instance } from '../instance.ts';
import type { Load } from '../load/load.ts';
import { type Bench, send } from './bench.ts';
import { type SteadyCase, casesOf } from './steady/cases.ts';
import { Contestants } from './steady/contestants.ts';
import { seedCases, type Side, startSide } from './steady/sides.ts';
import { comparison, costs, saturation } from './steady/tables.ts';
import { type Contestant, takeTurns } from './turns.ts';

/** The server of another commit, with a database of its own. */
export interface OtherCommit {
  readonly commit: string;
  readonly instance: Instance;
}

/** What of the scenario is measured. */
export interface SteadyOptions {
  /** Part of the names of the cases; empty: all. */
  readonly cases: string;
  /** The servers of other commits that are compared. */
  readonly against: readonly OtherCommit[];
}

/** Rounds at as many checks as possible: they warm up the others. */
const SATURATED_ROUNDS = 2;
const WARM_UP_SECONDS = 1;

/**
 * What a check costs, by what has to be decided and recorded: processor time at a rate at which no check-in is dropped,
 * compared with a bare server that sends the same bytes, and with another commit.
 *
 * @throws Error when a check-in is dropped, or not written
 */
export async function steady(bench: Bench, { cases: part, against }: SteadyOptions): Promise<void> {
  const cases = choose(casesOf(bench.settings.steady), part);
  const contestants = new Contestants(bench);
  const sides = await startSides(bench, cases, against);
  try {
    for (const tested of cases) await contestants.add(tested, sides);
    if (bench.settings.steady.rounds === 0) await checkResponses(bench, contestants.all);
    else if (against.length === 0) await measure(bench, contestants);
    else await compare(bench, contestants, against);
  } finally {
    contestants.stop();
    await Promise.all(sides.map((side) => side.stop()));
  }
}

/** The cases of that name, and the one that they are compared with. */
function choose(cases: readonly SteadyCase[], part: string): SteadyCase[] {
  const chosen = cases.filter(({ name }) => name.includes(part));
  if (chosen.length === 0)
    throw new Error(`No case has "${part}" in its name: ${cases.map(({ name }) => name).join('; ')}.`);
  return cases.filter((tested, n) => n === 0 || chosen.includes(tested));
}

async function startSides(
  { instance }: Bench,
  cases: readonly SteadyCase[],
  against: SteadyOptions['against'],
): Promise<[Side, ...Side[]]> {
  const seeds = await seedCases(instance, cases);
  const current = await startSide('current', true, instance, seeds);
  if (against.length === 0) return [current];
  const sides: [Side, ...Side[]] = [current, await startSide('current again', true, instance, seeds)];
  for (const other of against) {
    const seedsOfOther = await seedCases(other.instance, cases);
    sides.push(await startSide(other.commit, false, other.instance, seedsOfOther));
  }
  return sides;
}

async function checkResponses(bench: Bench, contestants: readonly Contestant[]): Promise<void> {
  for (const { load, expected } of contestants) await send(bench, saturated(load), expected);
}

async function measure(bench: Bench, { all, lines }: Contestants): Promise<void> {
  const { rate, rounds } = bench.settings.steady;
  const fast = all.map((one) => ({ ...one, load: saturated(one.load), verify: undefined }));
  const most = await takeTurns(bench, fast, { rounds: SATURATED_ROUNDS });
  const paced = await takeTurns(bench, all, { rounds, warmUp: false });
  bench.results.add(`Processor time of a check at ${rate} checks per second`, costs(paced, lines));
  bench.results.add('The same at saturation', saturation(most, lines));
}

async function compare(
  bench: Bench,
  { all, lines }: Contestants,
  against: SteadyOptions['against'],
): Promise<void> {
  const { rate, rounds } = bench.settings.steady;
  const warmUp = all.map((one) => {
    return { ...one, load: { ...saturated(one.load), seconds: WARM_UP_SECONDS }, verify: undefined };
  });
  await takeTurns(bench, warmUp, { rounds: 0 });
  const paced = await takeTurns(bench, all, { rounds, warmUp: false });
  bench.results.add(
    `Processor time of a check at ${rate} checks per second`,
    comparison(
      paced,
      lines,
      against.map(({ commit }) => commit),
    ),
  );
}

const saturated = (load: Load): Load => ({ ...load, rate: undefined });
