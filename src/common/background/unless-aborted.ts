/**
 * Waits for work that cannot be interrupted itself, as long as a signal is not aborted.
 *
 * @throws the reason of the signal when it is aborted first; how the work ends does not matter then
 */
export function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
