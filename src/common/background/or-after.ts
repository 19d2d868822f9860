import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for work, but not for long. Work that is late continues, and how it ends does not matter then.
 *
 * @param milliseconds how long to wait
 * @param otherwise the result when the work is late
 */
export async function orAfter<T, O>(work: Promise<T>, milliseconds: number, otherwise: O): Promise<T | O> {
  const timer = new AbortController();
  const late = sleep(milliseconds, otherwise, { signal: timer.signal }).catch(() => otherwise);
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
  }
}
