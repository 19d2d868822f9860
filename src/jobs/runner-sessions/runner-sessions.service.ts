import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Config } from '../../config/config.js';
import { transaction } from '../../database/transactions/transaction.js';
import { JobLeasesQueries } from '../job-leases/job-leases.queries.js';
import { runnerProtocol } from '../runner-jobs/protocol.js';
import { WaitingClaims } from '../job-queues/waiting-claims.js';
import type { CreateRunnerSessionDto, RunnerSessionDto } from './runner-session.dto.js';
import { type CallingRunner, RunnerSessionsQueries } from './runner-sessions.queries.js';

/** The sessions of runners, one of each runner. */
@Injectable()
export class RunnerSessionsService {
  constructor(
    private readonly queries: RunnerSessionsQueries,
    private readonly leases: JobLeasesQueries,
    private readonly claims: WaitingClaims,
    private readonly config: Config,
  ) {}

  /**
   * Opens a session, which ends the former one of the runner: what that has not started goes back, and what it runs continues
   * until its leases end.
   */
  async open(runner: CallingRunner, session: CreateRunnerSessionDto): Promise<RunnerSessionDto> {
    const id = uuid();
    await transaction(async () => {
      await this.queries.open(id, runner.id, session);
      await this.leases.giveBack('lease.runner_id = $1 AND lease.session_id <> $2', [runner.id, id]);
    });
    this.claims.endOthers(runner.id, id);
    return {
      id,
      runnerId: runner.id,
      sandboxRequired: runner.organizationId === null,
      ...runnerProtocol(this.config),
    };
  }

  /** Ends a session of the runner: what it has not started goes back. Does nothing to one that has ended. */
  async end(runner: CallingRunner, id: string): Promise<void> {
    await transaction(async () => {
      await this.queries.end(id, runner.id);
      await this.leases.giveBack('lease.runner_id = $1 AND lease.session_id = $2', [runner.id, id]);
    });
    this.claims.endSession(runner.id, id);
  }
}
