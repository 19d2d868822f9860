import { type RefusalRow, retryOf } from '../../src/app-submissions/calls/refusals/refusal-row.ts';

/** A sentence of a refusal without what the store says in it. Bars would end a cell of a table. */
export function sentenceOf(sentence: string | ((said: string) => string)): string {
  return (typeof sentence === 'string' ? sentence : sentence('')).replaceAll('|', '\\|');
}

const REPEATS: Readonly<Record<NonNullable<RefusalRow['retry']>, string>> = {
  again: 'yes',
  never: 'no',
  'after-action': 'no',
};

/** Whether Slipway repeats what a row refuses. */
export function repeatsOf(row: Pick<RefusalRow, 'retry'>): string {
  return REPEATS[retryOf(row)];
}
