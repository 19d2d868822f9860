import type { Config } from '../../config/config.js';

/** What the server asks of runners. They get these numbers with their session, so that they can change. */
export interface RunnerProtocol {
  /** How long a claim waits for a job, in seconds. */
  readonly claimSeconds: number;
  /** How long a lease lasts unless it is renewed, in seconds. */
  readonly leaseSeconds: number;
  /** How often runners renew it, in seconds. */
  readonly beatSeconds: number;
  /** Longest part of a log in one request, in bytes. */
  readonly maxLogChunkBytes: number;
  /** Bytes of a log that are kept. */
  readonly maxLogBytes: number;
  /** How often runners send new lines, in seconds. */
  readonly logSeconds: number;
}

/** Longest part of a log in one request, in bytes, before and after compression. */
export const MAX_LOG_PART = 65_536;
/** How long a claim waits for a job, in seconds. */
export const CLAIM_SECONDS = 20;

/** What this installation asks of runners. */
export function runnerProtocol({ jobs }: Config): RunnerProtocol {
  return {
    claimSeconds: CLAIM_SECONDS,
    leaseSeconds: jobs.leaseSeconds,
    beatSeconds: Math.max(1, Math.floor(jobs.leaseSeconds / 6)),
    maxLogChunkBytes: MAX_LOG_PART,
    maxLogBytes: jobs.logBytes,
    logSeconds: 1,
  };
}
