import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { errorOf } from '../../common/errors/app-error.js';
import { Shutdown } from '../../health/shutdown.js';
import { type GrantedJob, JobLeasesQueries } from '../job-leases/job-leases.queries.js';
import { LeaseTokens } from '../job-leases/lease-token.js';
import { CLAIM_SECONDS } from '../runner-jobs/protocol.js';
import { JobMatcher } from '../job-queues/job-matcher.js';
import { type ClaimResult, type WaitingClaim, WaitingClaims } from '../job-queues/waiting-claims.js';
import { type ClaimDto, type ClaimResponseDto, toClaimResponseDto } from './runner-session.dto.js';
import { type CallingRunner, RunnerSessionsQueries } from './runner-sessions.queries.js';

/** How long a claim waits while the process stops, in milliseconds, so that runners do not hammer on it. */
const STOPPING_WAIT = 1000;

/** Requests of runners for jobs, which wait without a connection of the database. */
@Injectable()
export class ClaimsService implements OnModuleInit {
  constructor(
    private readonly queries: RunnerSessionsQueries,
    private readonly leases: JobLeasesQueries,
    private readonly matcher: JobMatcher,
    private readonly claims: WaitingClaims,
    private readonly tokens: LeaseTokens,
    private readonly shutdown: Shutdown,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.shutdown.signal.addEventListener('abort', () => this.claims.endAll());
  }

  /**
   * Waits for a job. A repeated claim gets the job that it has already.
   *
   * @param gone aborted when the client leaves: it gets no job
   * @returns `null`: there was none in time, or the process stops
   * @throws ConflictError when the session is no longer the runner's
   */
  async claim(runner: CallingRunner, claim: ClaimDto, gone: AbortSignal): Promise<ClaimResponseDto | null> {
    if (!(await this.queries.touch(claim.sessionId, runner.id))) throw errorOf('session_ended');
    const granted = await this.leases.renew(runner.id, claim, this.config.jobs.leaseSeconds);
    if (granted !== null) {
      await this.leases.setToken(granted.leaseId, this.tokens.make(granted).hash);
      return this.respond(granted);
    }
    if (this.shutdown.hasBegun) {
      await sleep(STOPPING_WAIT, undefined, { signal: gone }).catch(() => undefined);
      return null;
    }
    const result = await this.wait(runner, claim, gone);
    if (result === 'ended') throw errorOf('session_ended');
    return result === 'none' ? null : this.respond(result);
  }

  private wait(runner: CallingRunner, claim: ClaimDto, gone: AbortSignal): Promise<ClaimResult> {
    return new Promise((resolve) => {
      let isSettled = false;
      const waiting: WaitingClaim = {
        runnerId: runner.id,
        organizationId: runner.organizationId,
        sessionId: claim.sessionId,
        claimId: claim.claimId,
        free: claim.free ?? 1,
        gone,
        settle: (result) => {
          if (isSettled) return false;
          isSettled = true;
          clearTimeout(timer);
          gone.removeEventListener('abort', leave);
          this.claims.remove(waiting);
          resolve(result);
          return true;
        },
      };
      const leave = (): void => void waiting.settle('none');
      const timer = setTimeout(leave, CLAIM_SECONDS * 1000);
      gone.addEventListener('abort', leave);
      if (gone.aborted) leave();
      else this.matcher.add(waiting);
    });
  }

  private respond(granted: GrantedJob): ClaimResponseDto {
    return toClaimResponseDto(granted, this.tokens.make(granted).token, this.config.jobs);
  }
}
