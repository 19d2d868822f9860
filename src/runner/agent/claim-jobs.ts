import { randomUUID } from 'node:crypto';
import type { ClaimResponseDto, RunnerSessionDto } from '../../jobs/runner-sessions/runner-session.dto.js';
import { ApiAwayError, NotUnderstoodError, RefusedError } from '../api/api-errors.js';
import { sleepUntil } from '../api/backoff.js';
import { type RunnerApi, VersionError } from '../api/runner-api.js';
import { exitCodes, RunnerEnd } from './runner-end.js';

/** Claims that are answered faster than this wait a moment, in milliseconds: a server may be stopping. */
const QUICK = 1000;

/** A runner's session, and a way to open another one. */
export interface ClaimSession {
  readonly api: RunnerApi;
  current: RunnerSessionDto;
  reopen(): Promise<RunnerSessionDto>;
}

/**
 * Waits for the next job, as long as it takes. After an outage it opens a new session, because the server may have another
 * version.
 *
 * @param free how many jobs the runner can take
 * @throws the reason of the signal
 * @throws RunnerEnd when the server gives this runner no more jobs
 */
export async function claimJob(
  session: ClaimSession,
  free: number,
  signal: AbortSignal,
): Promise<ClaimResponseDto> {
  let claimId = randomUUID();
  for (;;) {
    const start = Date.now();
    try {
      const claim = await session.api.claim(session.current, claimId, free, signal);
      if (claim !== null) return requireClaim(claim);
      claimId = randomUUID();
      if (Date.now() - start < QUICK) await sleepUntil(QUICK * (1 + Math.random()), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ApiAwayError)) throw endOf(await withTokenChecked(session, error));
      // The same claim: the server may have given this runner a job, and its response was lost.
      session.current = await session.reopen();
    }
  }
}

function requireClaim(claim: ClaimResponseDto): ClaimResponseDto {
  const { job, jobToken } = claim as Partial<ClaimResponseDto>;
  // Both name a folder.
  const isNamed = /^[0-9a-f-]{36}$/.test(String(job?.id)) && Number.isInteger(job?.attempt);
  if (!isNamed || typeof jobToken !== 'string') {
    throw new RunnerEnd(
      exitCodes.version,
      'The server does not understand this runner: their versions do not fit.',
    );
  }
  return claim;
}

/** The session also ends with its runner: then the token is refused. @returns the error to report */
async function withTokenChecked({ api, current }: ClaimSession, error: unknown): Promise<unknown> {
  if (!isSessionEnded(error)) return error;
  try {
    await api.endSession(current.id);
    return error;
  } catch (refused) {
    return refused instanceof RefusedError ? refused : error;
  }
}

function isSessionEnded(error: unknown): boolean {
  return error instanceof RefusedError && error.code === 'session_ended';
}

/** Why the runner ends, as the operator reads it. */
export function endOf(error: unknown): unknown {
  if (error instanceof VersionError || error instanceof NotUnderstoodError) {
    return new RunnerEnd(exitCodes.version, error.message);
  }
  if (!(error instanceof RefusedError)) return error;
  if (error.status === 401) {
    return new RunnerEnd(
      exitCodes.token,
      'The API does not accept the token of this runner: it was replaced, has expired, or the runner was deleted.',
    );
  }
  return isSessionEnded(error)
    ? new RunnerEnd(
        exitCodes.tokenInUse,
        'Another process uses the token of this runner: each process needs its own.',
      )
    : new RunnerEnd(exitCodes.failed, `The API refuses the runner: ${error.message}`);
}
