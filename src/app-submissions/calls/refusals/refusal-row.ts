import type { Refusal } from './refusal.js';

/** How a refusal of a store is recognized, and what it means. */
export interface RefusalRow extends Omit<Refusal, 'sentence' | 'retry' | 'link'> {
  /** Absent: `never`. */
  readonly retry?: Refusal['retry'];
  /** Absent: that of the table (`linkedTo`), if it has one; `null`: none. */
  readonly link?: string | null;
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

/** Rows that link to a page, unless they have a link of their own, or `null`, or nothing is left to do. */
export function linkedTo<R extends Pick<RefusalRow, 'code' | 'link' | 'does'>>(
  link: string,
  rows: readonly R[],
): readonly R[] {
  return rows.map((row) => (row.link === undefined && row.does !== 'done' ? { ...row, link } : row));
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
    ...(typeof link === 'string' && { link }),
    ...(does !== undefined && { does }),
    ...(afterSeconds !== undefined && { afterSeconds }),
  };
}
