/**
 * Work that a server does besides requests, or after them. `BackgroundTasks` finds every provider of this class; only
 * `slipway start` starts and stops them, so commands build the same application without any.
 */
export abstract class BackgroundTask {
  /** Begins to work; by default there is nothing to begin. @throws Error when the server cannot run without it */
  start(): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Ends the work, and writes what waits, after the last request; the database is still connected. Also called when
   * `start` has failed.
   */
  abstract stop(): Promise<void>;
}
