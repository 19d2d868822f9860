import type { ExtendedLeaseDto } from '../../jobs/runner-jobs/runner-jobs.dto.js';
import type {
  CreateRunnerSessionDto,
  RunnerSessionDto,
  ClaimResponseDto,
} from '../../jobs/runner-sessions/runner-session.dto.js';
import { type ApiClient, readJson } from '../api/api-client.js';
import { ApiAwayError, JobGoneError, RefusedError } from '../api/api-errors.js';
import { RunnerApi } from '../api/runner-api.js';

/** How long one try to renew a lease may take, in milliseconds. The next beat follows. */
const BEAT_TRY = 10_000;

/** What a lease is, as the manager sees it; `gone`: the job is no longer this runner's. */
export type LeaseStatus = 'pending' | 'in_progress' | 'gone';

/** The part of the runner protocol that the manager speaks. */
export class ManagerApi {
  private readonly runners: RunnerApi;

  /** @param client with the token of the runner */
  constructor(
    private readonly client: ApiClient,
    private readonly report: CreateRunnerSessionDto,
  ) {
    this.runners = new RunnerApi(client);
  }

  /** Opens a session. Waits as long as the API is away. */
  open(signal: AbortSignal): Promise<RunnerSessionDto> {
    return this.runners.openSession(this.report, signal);
  }

  /**
   * Waits for a job.
   *
   * @returns `null`: there was none in time, or the API is away
   * @throws RefusedError when the session has ended; the reason of the signal
   */
  async claim(
    session: RunnerSessionDto,
    claimId: string,
    free: number,
    signal: AbortSignal,
  ): Promise<ClaimResponseDto | null> {
    try {
      return await this.runners.claim(session, claimId, free, signal);
    } catch (error) {
      if (error instanceof ApiAwayError) return null;
      throw error;
    }
  }

  /** Renews the lease of a job, in whose name the pod has not spoken yet. While the API is away, it stays `pending`. */
  async extend(jobToken: string): Promise<LeaseStatus> {
    try {
      const { status } = await this.client
        .with(jobToken)
        .send(
          { method: 'PUT', path: '/v1/runner/job/lease', json: {}, tryFor: BEAT_TRY, patience: 0 },
          readJson<ExtendedLeaseDto>,
        );
      return status === 'in_progress' ? 'in_progress' : 'pending';
    } catch (error) {
      if (error instanceof JobGoneError || error instanceof RefusedError) return 'gone';
      return 'pending';
    }
  }

  end(session: RunnerSessionDto): Promise<void> {
    return this.runners.endSession(session.id);
  }
}
