/**
 * The highest build number of a list; `null`: there is none. Of numbers with dots, such as 42.1.3, the part before the first
 * dot counts: the next whole number is above all of them. Texts that are no build numbers do not count. Numbers above 2^53
 * are not exact.
 */
export function highestNumberOf(texts: readonly string[]): number | null {
  const numbers = texts.flatMap((text) => {
    const [, digits] = /^(\d{1,18})(?:\.\d+)*$/.exec(text.trim()) ?? [];
    return digits === undefined ? [] : [Number(digits)];
  });
  return numbers.reduce<number | null>((highest, number) => Math.max(highest ?? 0, number), null);
}
