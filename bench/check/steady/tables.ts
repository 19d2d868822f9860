import { median, rounded } from '../../measure.ts';
import type { Row } from '../../results.ts';
import { perSecond, type Round, type Turn, turnOf } from '../turns.ts';
import type { Line } from './lines.ts';

/** The turns of the contestants of a line. */
export interface Measured {
  readonly line: Line;
  readonly rounds: readonly Round[];
}

/** Index of the bare server in each line. */
const BARE = 0;

const micros = (index: number) => (round: Round) => turnOf(round, index).processor * 1e6;
const middle = (rounds: readonly Round[], value: (round: Round) => number): number =>
  median(rounds.map(value));

/** The middle of the ratios within each round. */
function ratio(rounds: readonly Round[], one: number, other: number): number {
  return middle(rounds, (round) => micros(one)(round) / micros(other)(round));
}

/** All of a kind of check-ins in the measured turns. */
function sumOf(rounds: readonly Round[], index: number, kind: 'written' | 'dropped'): number | string {
  const counts = rounds.map((round): Turn['checkIns'] => turnOf(round, index).checkIns);
  if (counts.includes(null)) return 'unknown';
  return counts.reduce((sum, checkIns) => sum + (checkIns?.[kind] ?? 0), 0);
}

const nameOf = ({ name, isRecorded }: Line): Row => ({
  what: name,
  devices: isRecorded ? 'recorded' : 'not recorded',
});

const overBare = (rounds: readonly Round[], index: number): number => ratio(rounds, index, BARE);

/** What the cases cost. @param measured the first lines are those of an update */
export function costs(measured: readonly Measured[]): Row[] {
  return measured.map(({ line, rounds }) => {
    const index = line.sides[0] as number;
    const update = measured.find((other) => other.line.isRecorded === line.isRecorded) as Measured;
    const bare = middle(rounds, micros(BARE));
    const more = overBare(rounds, index) - overBare(update.rounds, update.line.sides[0] as number);
    return {
      ...nameOf(line),
      'processor (µs)': rounded(middle(rounds, micros(index)), 1),
      '÷ bare': rounded(overBare(rounds, index), 2),
      // In units of the bare server, because the machine is not as fast as it was for the update.
      'more than an update (µs)': rounded(more * bare, 1),
      'bare (µs)': rounded(bare, 1),
      written: sumOf(rounds, index, 'written'),
      dropped: sumOf(rounds, index, 'dropped'),
    };
  });
}

/** The same at as many checks per second as the server can answer. */
export function saturation(measured: readonly Measured[]): Row[] {
  return measured.map(({ line, rounds }) => {
    const index = line.sides[0] as number;
    return {
      ...nameOf(line),
      'checks per second': rounded(middle(rounds, perSecond(index))),
      'of bare': rounded(
        middle(rounds, (round) => perSecond(index)(round) / perSecond(BARE)(round)),
        2,
      ),
      'processor (µs)': rounded(middle(rounds, micros(index)), 1),
      '÷ bare': rounded(overBare(rounds, index), 2),
    };
  });
}

/** Two processes of the current commit and one of each other commit. */
export function comparison(measured: readonly Measured[], commits: readonly string[]): Row[] {
  return measured.map(({ line, rounds }) => {
    const [current, again, ...others] = line.sides as [number, number, ...(number | null)[]];
    const spread = middle(rounds, (round) => Math.abs(micros(current)(round) / micros(again)(round) - 1));
    const ofOthers = (title: string, value: (index: number) => number | string): Row =>
      Object.fromEntries(
        others.map((index, n) => {
          const name = title.replace('commit', commits[n] ?? '');
          return [name, index === null ? 'other status' : value(index)];
        }),
      );
    const share = (index: number): number => rounded(overBare(rounds, index), 2);
    return {
      ...nameOf(line),
      'current (µs)': rounded(middle(rounds, micros(current)), 1),
      'again (µs)': rounded(middle(rounds, micros(again)), 1),
      ...ofOthers('commit (µs)', (index) => rounded(middle(rounds, micros(index)), 1)),
      'current ÷ bare': share(current),
      'again ÷ bare': share(again),
      ...ofOthers('commit ÷ bare', share),
      ...ofOthers('current ÷ commit', (index) => rounded(ratio(rounds, current, index), 2)),
      'spread (%)': rounded(spread * 100, 1),
      written: sumOf(rounds, current, 'written'),
      dropped: sumOf(rounds, current, 'dropped'),
      ...ofOthers('dropped by commit', (index) => sumOf(rounds, index, 'dropped')),
    };
  });
}
