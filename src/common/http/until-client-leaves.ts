import type { Response } from 'express';

/** Does work for a response, with a signal that is aborted when the client leaves first: that ends the work, and is no error. */
export async function untilClientLeaves(
  response: Response,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  response.once('close', leave);
  if (response.closed) leave();
  try {
    await work(gone.signal);
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    response.off('close', leave);
  }
}
