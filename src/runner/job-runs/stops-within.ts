import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for work that a signal stops, and when it does not stop, continues without it.
 *
 * @param work gets the signal, too
 * @param milliseconds how long it may take to stop
 * @param onLate called when it has not stopped in time
 * @returns what the work returns
 * @throws what the work throws; the reason of the signal, when the work continues regardless
 */
export async function stopsWithin<R>(
  work: Promise<R>,
  signal: AbortSignal,
  milliseconds: number,
  onLate: () => void,
): Promise<R> {
  const done = new AbortController();
  const late = (async (): Promise<never> => {
    await aborted(signal, done.signal);
    await sleep(milliseconds, undefined, { signal: done.signal });
    onLate();
    throw signal.reason;
  })();
  // It also ends, without a meaning, when the work has ended.
  late.catch(() => undefined);
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}

/** Waits for a signal. @throws when another one comes first */
function aborted(signal: AbortSignal, instead: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true, signal: instead });
    instead.addEventListener('abort', () => reject(new Error('It has ended.')), { once: true });
  });
}
