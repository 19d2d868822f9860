import type { Load, LoadResult } from '../load/load.ts';
import { processorTime, settled } from '../processes.ts';
import { type Bench, send } from './bench.ts';

/** A server that is measured, with the load that it gets. */
export interface Contestant {
  readonly name: string;
  readonly load: Load;
  readonly expected: '200' | '404';
  readonly pid: number;
}

/** A turn of a contestant, with the processor time that its server took for an answer, in seconds. */
export type Turn = LoadResult & { readonly processor: number };

/** A turn of each contestant. */
export type Round = readonly Turn[];

/** Lets contestants take turns, each once to warm up, and each with the time to finish what it does afterwards. */
export async function takeTurns(bench: Bench, contestants: readonly Contestant[]): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let round = -1; round < bench.settings.rounds; round++) {
    const turns: Turn[] = [];
    for (const { load, expected, pid } of contestants) {
      const before = await processorTime(pid);
      const result = await send(bench, load, expected);
      await settled(pid);
      turns.push({ ...result, processor: ((await processorTime(pid)) - before) / result.answers });
    }
    if (round >= 0) rounds.push(turns);
  }
  return rounds;
}

export const turnOf = (round: Round, index: number): Turn => round[index] as Turn;

export const perSecond =
  (index: number) =>
  (round: Round): number =>
    turnOf(round, index).perSecond;
