import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { BuildNumbersOutcome, UsedBuildNumbers } from '../../common/build-numbers.js';
import { databaseNow } from '../../common/database-clock.js';
import { transaction } from '../../database/transactions/transaction.js';
import { JobLogWriter } from '../../jobs/job-logs/job-log-writer.service.js';
import { MAX_STATUS_MESSAGE } from '../../jobs/jobs/job-ending.js';
import type { Job } from '../../jobs/jobs/job.entity.js';
import { JobsQueries } from '../../jobs/jobs/jobs.queries.js';
import { JobsService } from '../../jobs/jobs/jobs.service.js';
import { QueueService } from '../../queue/queue.service.js';
import { BuildSettingsService } from '../build-settings/build-settings.service.js';
import type { Build } from '../builds/build.entity.js';
import { BuildsService } from '../builds/builds.service.js';
import {
  BUILD_NUMBERS_QUEUE,
  BuildNumberRequests,
  type BuildNumberTask,
} from '../store-build-numbers/build-number-requests.service.js';
import { StoreBuildNumbers } from '../store-build-numbers/store-build-numbers.js';
import { BuildNumbersQueries } from './build-numbers.queries.js';
import { nextNumber } from './next-number.js';
import { nextAttemptIn } from './waits.js';

/** The reason for users when the queue has no attempts left. */
const GIVEN_UP =
  'The server failed several times to take the build number from the store. Start the build again.';

/** A build whose job waits for its number. */
interface WaitingBuild {
  readonly build: Build & { readonly platform: 'android' | 'ios' };
  readonly job: Job;
}

/** Gives builds the number that follows those in their store, and lets runners take them then. */
@Injectable()
export class BuildNumbersWorker implements OnModuleInit {
  private readonly logger = new Logger(BuildNumbersWorker.name);

  constructor(
    private readonly builds: BuildsService,
    private readonly settings: BuildSettingsService,
    private readonly stores: StoreBuildNumbers,
    private readonly requests: BuildNumberRequests,
    private readonly queries: BuildNumbersQueries,
    private readonly jobs: JobsService,
    private readonly jobsQueries: JobsQueries,
    private readonly logs: JobLogWriter,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.handle<BuildNumberTask>(
      BUILD_NUMBERS_QUEUE,
      (task) => this.number(task),
      ({ buildId }) => this.giveUp(buildId),
    );
  }

  /** @throws unknown what the queue is to try again */
  private async number(task: BuildNumberTask): Promise<void> {
    const waiting = await this.find(task.buildId);
    if (waiting === null) return;
    const { build, job } = waiting;
    const configured = await this.settings.storeNumbered(build);
    // The configuration says something else by now.
    if (configured === null) return this.jobs.release(job.id).then(() => undefined);
    const { appId, platform } = build;
    const app = { appId, platform, packageName: configured.packageName };
    const outcome = await this.stores.ask(app, job.organizationId);
    if (outcome.kind === 'found') return this.assign(build.id, outcome.used);
    await this.waitOrFail(waiting, task, outcome);
  }

  /** Builds of an app take their numbers one after the other, so none has that of another one. */
  private assign(buildId: string, used: UsedBuildNumbers): Promise<void> {
    return transaction(async () => {
      const waiting = await this.find(buildId);
      if (waiting === null) return;
      const { build, job } = waiting;
      const { appId, platform } = build;
      const { packageName } = used;
      await this.queries.serialize(appId, platform, packageName);
      const reserved = await this.builds.highestStoreNumber(appId, platform, packageName);
      const next = nextNumber(platform, used, reserved);
      if ('failure' in next) return this.fail(job, next.failure);
      // It was canceled meanwhile.
      if (!(await this.jobs.release(job.id))) return;
      const numbered = { storePackageName: packageName, storeBuildNumber: next.number };
      await this.builds.setStoreNumber(buildId, numbered);
      await this.logs.end(job, next.note);
    });
  }

  private async waitOrFail(
    { build, job }: WaitingBuild,
    task: BuildNumberTask,
    outcome: Exclude<BuildNumbersOutcome, { kind: 'found' }>,
  ): Promise<void> {
    const { message } = outcome;
    this.logger.log({ buildId: build.id, kind: outcome.kind }, `No build number: ${message}`);
    const seconds = nextAttemptIn(
      { ...outcome, attempts: task.attempts + 1 },
      { since: new Date(task.since), createdAt: job.createdAt, now: databaseNow() },
    );
    await transaction(async () => {
      if (seconds === null) return this.fail(job, message);
      await this.jobsQueries.lock(job.id);
      if ((await this.find(build.id)) === null) return;
      if (task.attempts === 0) await this.logs.end(job, `Waits for the build number: ${message}`);
      await this.requests.requestLater(task, seconds);
    });
  }

  private async giveUp(buildId: string): Promise<void> {
    const waiting = await this.find(buildId);
    if (waiting !== null) await this.jobs.fail(waiting.job.id, GIVEN_UP);
  }

  private fail({ id }: Job, message: string): Promise<void> {
    const whole = `No build number: ${message}`;
    return this.jobs.fail(id, whole.length <= MAX_STATUS_MESSAGE ? whole : message);
  }

  /** @returns `null`: it waits for no number, was canceled or deleted */
  private async find(buildId: string): Promise<WaitingBuild | null> {
    const build = await this.builds.find(buildId);
    if (build === null || build.jobId === null || build.storeBuildNumber !== null) return null;
    const { platform } = build;
    if (platform === 'web') return null;
    const job = (await this.jobs.getMany([build.jobId])).get(build.jobId);
    if (job === undefined || job.status !== 'queued' || !job.isHeld) return null;
    return { build: { ...build, platform }, job };
  }
}
