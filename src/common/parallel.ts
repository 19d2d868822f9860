/**
 * Runs `work` on every item, on at most `limit` of them at once. The first failure ends it: no further item is begun,
 * and the promise is rejected when those under way have ended.
 */
export async function forEachParallel<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  let failed = false;
  const run = async (): Promise<void> => {
    // All runners take from the same iterator.
    for (const item of rest) {
      if (failed) return;
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, run));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
