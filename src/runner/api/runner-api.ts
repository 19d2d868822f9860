import type {
  ClaimResponseDto,
  CreateRunnerSessionDto,
  RunnerSessionDto,
} from '../../jobs/runner-sessions/runner-session.dto.js';
import { type ApiClient, ignoreBody, readJson } from './api-client.js';
import { NotUnderstoodError, RefusedError } from './api-errors.js';

/** How long a claim may take longer than the server says, in milliseconds. */
const SLACK = 20_000;
/** How long leaving may take, in milliseconds: the server notices a runner that is gone, too. */
const LEAVE_FOR = 5000;
const NUMBERS = [
  'claimSeconds',
  'leaseSeconds',
  'beatSeconds',
  'maxLogChunkBytes',
  'maxLogBytes',
  'logSeconds',
] as const;

/** Runner and server do not speak the same version of the protocol. */
export class VersionError extends Error {}

/** The requests with the token of the runner. */
export class RunnerApi {
  constructor(private readonly client: ApiClient) {}

  /**
   * Opens a session, which ends that of another process with the same token. Waits as long as the API is away.
   *
   * @throws VersionError when the server does not know the request, or its response is not a session
   */
  async openSession(report: CreateRunnerSessionDto, signal: AbortSignal): Promise<RunnerSessionDto> {
    try {
      const session = await this.client.send<Partial<RunnerSessionDto> | null>(
        { method: 'POST', path: '/v1/runner/sessions', json: report, signal, patience: Infinity },
        readJson,
      );
      return requireSession(session, this.client.origin);
    } catch (error) {
      const isUnknown = error instanceof RefusedError && error.status === 404;
      throw isUnknown || error instanceof NotUnderstoodError ? versionError(this.client.origin) : error;
    }
  }

  /**
   * Waits for a job. Waits as long as the API is away, and repeats the claim with the same id until it has a response.
   *
   * @returns `null`: there was none in time
   */
  claim(
    session: RunnerSessionDto,
    claimId: string,
    free: number,
    signal: AbortSignal,
  ): Promise<ClaimResponseDto | null> {
    return this.client.send<ClaimResponseDto | null>(
      {
        method: 'POST',
        path: '/v1/runner/claims',
        json: { sessionId: session.id, claimId, free },
        signal,
        tryFor: session.claimSeconds * 1000 + SLACK,
        // The caller decides after an outage.
        patience: session.leaseSeconds * 1000,
      },
      async (response) => (response.status === 204 ? null : await readJson(response)),
    );
  }

  /** Ends the session: jobs that were not started go back. Also a way to check the token, with an id that is none. */
  async endSession(sessionId: string): Promise<void> {
    await this.client.send(
      {
        method: 'DELETE',
        path: `/v1/runner/sessions/${sessionId}`,
        tryFor: LEAVE_FOR,
        patience: LEAVE_FOR,
      },
      ignoreBody,
    );
  }
}

function requireSession(session: Partial<RunnerSessionDto> | null, origin: string): RunnerSessionDto {
  const isKnown =
    typeof session?.id === 'string' &&
    typeof session.sandboxRequired === 'boolean' &&
    NUMBERS.every((name) => Number.isFinite(session[name]) && Number(session[name]) > 0);
  if (!isKnown) throw versionError(origin);
  return session as RunnerSessionDto;
}

function versionError(origin: string): VersionError {
  return new VersionError(
    `The server at ${origin} does not understand this runner: their versions do not fit, or SLIPWAY_URL is not the address of the API.`,
  );
}
