/** What the server asks of runners. They get these numbers with their session, so that a later version can change them. */
export const runnerProtocol = {
  /** How long a claim waits for a job, in seconds. */
  claimSeconds: 20,
  /** How long a lease lasts unless it is renewed, in seconds. */
  leaseSeconds: 60,
  /** How often runners renew it, in seconds. */
  beatSeconds: 10,
  /** Longest part of a log in one request, in bytes. */
  maxLogChunkBytes: 65_536,
  /** Bytes of a log that are kept. */
  maxLogBytes: 4_000_000,
  /** How often runners send new lines, in seconds. */
  logSeconds: 1,
} as const;
