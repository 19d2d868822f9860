import type { Refusal } from './refusal.js';

/** How a refusal of a store is recognized, and what it means. */
export interface RefusalRow extends Omit<Refusal, 'sentence' | 'retry'> {
  /** Absent: `never`. */
  readonly retry?: Refusal['retry'];
  /** Of HTTP; absent: any. */
  readonly status?: number;
  /** One of these is in the answer, ignoring case. Absent: the status is enough. */
  readonly fragments?: readonly string[];
  /** This is in the answer as well, ignoring case. */
  readonly also?: string;
  /** A function takes what the store said, and puts parts of it into the sentence. */
  readonly sentence: string | ((storeMessage: string) => string);
}

/** What the first group of the pattern finds, at most 80 characters of it. */
export function partOf(text: string, pattern: RegExp): string | null {
  return pattern.exec(text)?.[1]?.slice(0, 80) ?? null;
}

/** Whether a row repeats what it refuses. */
export function retryOf({ retry = 'never' }: Pick<RefusalRow, 'retry'>): Refusal['retry'] {
  return retry;
}

/** The refusal of a row. @param said what the store said */
export function refusalOfRow(row: Omit<RefusalRow, 'status' | 'fragments' | 'also'>, said: string): Refusal {
  const { code, sentence, link, does, afterSeconds } = row;
  return {
    code,
    sentence: typeof sentence === 'string' ? sentence : sentence(said),
    retry: retryOf(row),
    ...(link !== undefined && { link }),
    ...(does !== undefined && { does }),
    ...(afterSeconds !== undefined && { afterSeconds }),
  };
}
