import type { Instance } from '../instance.ts';
import type { Load } from '../load/load.ts';
import { type Bench, send } from './bench.ts';
import { type SteadyCase, casesOf } from './steady/cases.ts';
import { type Line, Lines } from './steady/lines.ts';
import { seedCases, type Side, startSide } from './steady/sides.ts';
import { comparison, costs, type Measured, saturation } from './steady/tables.ts';
import { takeTurns } from './turns.ts';

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
  const lines = new Lines(bench);
  const sides = await startSides(bench, cases, against);
  try {
    for (const tested of cases) await lines.add(tested, sides);
    if (bench.settings.steady.rounds === 0) await checkResponses(bench, lines.all);
    else if (against.length === 0) await measure(bench, lines.all);
    else await compare(bench, lines.all, against);
  } finally {
    lines.stop();
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

async function checkResponses(bench: Bench, lines: readonly Line[]): Promise<void> {
  for (const { contestants } of lines) {
    for (const { load, expected } of contestants) await send(bench, saturated(load), expected);
  }
}

async function measure(bench: Bench, lines: readonly Line[]): Promise<void> {
  const { rate, rounds } = bench.settings.steady;
  const most = await turnsOf(bench, lines.map(atSaturation), { rounds: SATURATED_ROUNDS });
  const paced = await turnsOf(bench, lines, { rounds, warmUp: false });
  bench.results.add(`Processor time of a check at ${rate} checks per second`, costs(paced));
  bench.results.add('The same at saturation', saturation(most));
}

async function compare(
  bench: Bench,
  lines: readonly Line[],
  against: SteadyOptions['against'],
): Promise<void> {
  const { rate, rounds } = bench.settings.steady;
  const commits = against.map(({ commit }) => commit);
  await turnsOf(bench, lines.map(briefly), { rounds: 0 });
  const paced = await turnsOf(bench, lines, { rounds, warmUp: false });
  bench.results.add(`Processor time of a check at ${rate} checks per second`, comparison(paced, commits));
}

async function turnsOf(
  bench: Bench,
  lines: readonly Line[],
  settings: Parameters<typeof takeTurns>[2],
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const line of lines)
    measured.push({ line, rounds: await takeTurns(bench, line.contestants, settings) });
  return measured;
}

const saturated = (load: Load): Load => ({ ...load, rate: undefined });

/** Check-ins may be dropped then. */
function atSaturation(line: Line): Line {
  const contestants = line.contestants.map((one) => ({
    ...one,
    load: saturated(one.load),
    verify: undefined,
  }));
  return { ...line, contestants };
}

function briefly(line: Line): Line {
  const { contestants } = atSaturation(line);
  return {
    ...line,
    contestants: contestants.map((one) => ({ ...one, load: { ...one.load, seconds: WARM_UP_SECONDS } })),
  };
}
