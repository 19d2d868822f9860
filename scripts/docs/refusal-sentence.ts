/** A sentence of a refusal without what the store says in it. Bars would end a cell of a table. */
export function sentenceOf(sentence: string | ((said: string) => string)): string {
  return (typeof sentence === 'string' ? sentence : sentence('')).replaceAll('|', '\\|');
}

/** Whether Slipway repeats what was refused, by `retry` of the refusal. */
export const REPEATS: Readonly<Record<'again' | 'never' | 'after-action', string>> = {
  again: 'yes',
  never: 'no',
  'after-action': 'no',
};
