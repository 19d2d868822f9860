import { median, rounded } from '../../measure.ts';
import type { Row } from '../../results.ts';
import { perSecond, type Round, type Turn, turnOf } from '../turns.ts';
import type { Line } from './contestants.ts';

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

/** What the cases cost. @param lines the first ones are those of an update */
export function costs(rounds: readonly Round[], lines: readonly Line[]): Row[] {
  return lines.map((line) => {
    const index = line.sides[0] as number;
    const update = lines.find(({ isRecorded }) => isRecorded === line.isRecorded)?.sides[0] as number;
    const more = middle(rounds, (round) => micros(index)(round) - micros(update)(round));
    return {
      ...nameOf(line),
      'processor (µs)': rounded(middle(rounds, micros(index)), 1),
      '÷ bare': rounded(ratio(rounds, index, line.bare), 2),
      'more than an update (µs)': rounded(more, 1),
      'bare (µs)': rounded(middle(rounds, micros(line.bare)), 1),
      written: sumOf(rounds, index, 'written'),
      dropped: sumOf(rounds, index, 'dropped'),
    };
  });
}

/** The same at as many checks per second as the server can answer. */
export function saturation(rounds: readonly Round[], lines: readonly Line[]): Row[] {
  return lines.map((line) => {
    const index = line.sides[0] as number;
    return {
      ...nameOf(line),
      'checks per second': rounded(middle(rounds, perSecond(index))),
      'of bare': rounded(
        middle(rounds, (round) => perSecond(index)(round) / perSecond(line.bare)(round)),
        2,
      ),
      'processor (µs)': rounded(middle(rounds, micros(index)), 1),
      '÷ bare': rounded(ratio(rounds, index, line.bare), 2),
    };
  });
}

/** Two processes of the current commit and one of each other commit. */
export function comparison(
  rounds: readonly Round[],
  lines: readonly Line[],
  commits: readonly string[],
): Row[] {
  return lines.map((line) => {
    const [current, again, ...others] = line.sides as [number, number, ...(number | null)[]];
    const spread = middle(rounds, (round) => Math.abs(micros(current)(round) / micros(again)(round) - 1));
    const ofOthers = (title: string, value: (index: number) => number | string): Row =>
      Object.fromEntries(
        others.map((index, n) => {
          const name = title.replace('commit', commits[n] ?? '');
          return [name, index === null ? 'other status' : value(index)];
        }),
      );
    const overBare = (index: number): number => rounded(ratio(rounds, index, line.bare), 2);
    return {
      ...nameOf(line),
      'current (µs)': rounded(middle(rounds, micros(current)), 1),
      'again (µs)': rounded(middle(rounds, micros(again)), 1),
      ...ofOthers('commit (µs)', (index) => rounded(middle(rounds, micros(index)), 1)),
      'current ÷ bare': overBare(current),
      'again ÷ bare': overBare(again),
      ...ofOthers('commit ÷ bare', overBare),
      ...ofOthers('current ÷ commit', (index) => rounded(ratio(rounds, current, index), 2)),
      'spread (%)': rounded(spread * 100, 1),
      written: sumOf(rounds, current, 'written'),
      dropped: sumOf(rounds, current, 'dropped'),
      ...ofOthers('dropped by commit', (index) => sumOf(rounds, index, 'dropped')),
    };
  });
}
