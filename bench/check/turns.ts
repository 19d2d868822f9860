import { setTimeout as sleep } from 'node:timers/promises';
import type { Load, LoadResult } from '../load/load.ts';
import { processorTime, settled } from '../processes.ts';
import { type Bench, send } from './bench.ts';
import { type CheckInCounts, checkInCounts } from './check-in-counts.ts';

/** Milliseconds after which a server writes its last check-ins, with some to spare. */
const WRITTEN_AFTER = 700;

/** A server that is measured, with the load that it gets. */
export interface Contestant {
  readonly name: string;
  readonly load: Load;
  readonly expected: '200' | '404';
  readonly pid: number;
  /** Where its check-ins are counted; a turn then lasts until all of them are written. */
  readonly metricsPort?: number;
  /** Looks at each turn. @throws Error when it does not count */
  verify?(turn: Turn): void;
}

/** A turn of a contestant. */
export type Turn = LoadResult & {
  /** Processor time that its server took for an answer, in seconds. */
  readonly processor: number;
  /** Those of the turn; `null` without a port, or when the server does not count them. */
  readonly checkIns: CheckInCounts | null;
};

/** A turn of each contestant. */
export type Round = readonly Turn[];

/**
 * Lets contestants take turns, each with the time to finish what it does afterwards.
 *
 * @param rounds how many are measured
 * @param warmUp whether each takes a turn before that does not count
 */
export async function takeTurns(
  bench: Bench,
  contestants: readonly Contestant[],
  { rounds: count = bench.settings.rounds, warmUp = true }: { rounds?: number; warmUp?: boolean } = {},
): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let round = warmUp ? -1 : 0; round < count; round++) {
    const turns: Turn[] = [];
    for (const contestant of contestants) turns.push(await takeTurn(bench, contestant));
    if (round >= 0) rounds.push(turns);
  }
  return rounds;
}

async function takeTurn(bench: Bench, contestant: Contestant): Promise<Turn> {
  const { load, expected, pid, metricsPort } = contestant;
  const counts = () => (metricsPort === undefined ? null : checkInCounts(metricsPort));
  const counted = await counts();
  const before = await processorTime(pid);
  const result = await send(bench, load, expected);
  let processor: number;
  let after: CheckInCounts | null;
  do {
    if (metricsPort !== undefined) await sleep(WRITTEN_AFTER);
    await settled(pid);
    // Counting takes processor time, too.
    processor = ((await processorTime(pid)) - before) / result.answers;
    after = await counts();
  } while (after !== null && after.waiting > 0);
  const checkIns = counted && after && differenceOf(after, counted);
  const turn = { ...result, processor, checkIns };
  contestant.verify?.(turn);
  return turn;
}

function differenceOf(after: CheckInCounts, before: CheckInCounts): CheckInCounts {
  return {
    written: after.written - before.written,
    dropped: after.dropped - before.dropped,
    waiting: after.waiting,
  };
}

export const turnOf = (round: Round, index: number): Turn => round[index] as Turn;

export const perSecond =
  (index: number) =>
  (round: Round): number =>
    turnOf(round, index).perSecond;
