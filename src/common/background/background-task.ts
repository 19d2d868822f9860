/**
 * Work that a server does besides requests. `BackgroundTasks` finds every provider of this class; only `server.ts` starts
 * them, so commands build the same application without any.
 */
export abstract class BackgroundTask {
  /** Begins to work. @throws Error when the server cannot run without it */
  abstract start(): Promise<void>;

  /** Ends the work after the last request; the database is still connected. Also called when `start` has failed. */
  abstract stop(): Promise<void>;
}
