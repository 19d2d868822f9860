import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { BuildFormFactor, BuildNumbersOutcome, UsedBuildNumbers } from '../../common/build-numbers.js';
import { NO_TURN, WAITS_FOR_TURN } from '../../common/background/shared-capacity.js';
import { databaseNow } from '../../common/database-clock.js';
import { transaction } from '../../database/transactions/transaction.js';
import { JobLogWriter } from '../../jobs/job-logs/job-log-writer.service.js';
import { MAX_STATUS_MESSAGE } from '../../jobs/jobs/job-ending.js';
import type { Job } from '../../jobs/jobs/job.entity.js';
import { JobsQueries } from '../../jobs/jobs/jobs.queries.js';
import { JobsService } from '../../jobs/jobs/jobs.service.js';
import { QueueService } from '../../queue/queue.service.js';
import { BuildSettingsService } from '../build-settings/build-settings.service.js';
import { BuildDeployments } from './build-deployments.js';
import type { Build } from './build.entity.js';
import { BuildsService, type TakenNumbers } from './builds.service.js';
import {
  BUILD_NUMBERS_QUEUE,
  BuildNumberRequests,
  type BuildNumberTask,
} from '../build-numbers/build-number-requests.service.js';
import { StoreBuildNumbers } from '../build-numbers/store-build-numbers.js';
import { MAX_CONFIGURED_BUILD_NUMBER } from '../configurations/version.js';
import { BuildNumbersQueries } from './build-numbers.queries.js';

/** Apple takes longer ones, but a whole number of JSON is exact up to this. */
const MAX_IOS_BUILD_NUMBER = 999_999_999_999_999;

const DEVICES: Readonly<Record<BuildFormFactor, string>> = {
  phone: 'phones and tablets',
  wear: 'watches',
  tv: 'televisions',
  automotive: 'cars',
};

/** The number of a build, and one sentence that says why it is this one. */
interface NumberedBuild {
  readonly number: number;
  readonly note: string;
}

/** How long the store is asked, in milliseconds. */
const ASKED_FOR = 30 * 60_000;

/** Held jobs end after 65 minutes: see `UnmatchedJobs`. The reason for the end is ours until then. */
const HELD_FOR = 55 * 60_000;

/** Longest wait that the store has not asked for, in seconds. */
const MAX_SECONDS = 120;

/** What the store has said. */
type Refused = Exclude<BuildNumbersOutcome, { kind: 'found' }>;

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
    private readonly deployments: BuildDeployments,
    private readonly stores: StoreBuildNumbers,
    private readonly requests: BuildNumberRequests,
    private readonly queries: BuildNumbersQueries,
    private readonly jobs: JobsService,
    private readonly jobsQueries: JobsQueries,
    private readonly logs: JobLogWriter,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.handle<BuildNumberTask>(BUILD_NUMBERS_QUEUE, (task) => this.number(task), {
      giveUp: ({ buildId }) => this.giveUp(buildId, GIVEN_UP),
      noteWait: ({ buildId }) => this.noteWait(buildId),
      endWait: ({ buildId }) => this.giveUp(buildId, NO_TURN),
    });
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
    const planned = await this.deployments.list([build.id]);
    const destinationId = planned.find((target) => target.destinationId !== null)?.destinationId ?? null;
    const { packageName, formFactor, offset } = configured;
    const app = { appId, platform, packageName, formFactor, destinationId };
    const outcome = await this.stores.ask(app, job.organizationId);
    if (outcome.kind === 'found') return this.assign(build.id, outcome.used, offset);
    await this.waitOrFail(waiting, task, outcome);
  }

  /** Builds of an app take their numbers one after the other, so none has that of another one. */
  private assign(buildId: string, used: UsedBuildNumbers, offset: number): Promise<void> {
    return transaction(async () => {
      const waiting = await this.find(buildId);
      if (waiting === null) return;
      const { build, job } = waiting;
      const { appId, platform } = build;
      const { packageName, formFactor } = used;
      await this.queries.serialize(appId, platform, packageName);
      const taken = await this.builds.takenStoreNumbers(appId, platform, packageName, formFactor);
      const next = nextNumber(platform, used, taken, offset);
      if ('failure' in next) return this.fail(job, next.failure);
      // It has been canceled in the meantime.
      if (!(await this.jobs.release(job.id))) return;
      const numbered = {
        storePackageName: packageName,
        storeFormFactor: formFactor,
        storeBuildNumber: next.number,
      };
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

  private async noteWait(buildId: string): Promise<void> {
    const waiting = await this.find(buildId);
    if (waiting !== null) await this.logs.end(waiting.job, WAITS_FOR_TURN);
  }

  private async giveUp(buildId: string, reason: string): Promise<void> {
    const waiting = await this.find(buildId);
    if (waiting !== null) await this.jobs.fail(waiting.job.id, reason);
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

/**
 * When to ask the store again.
 *
 * @param refused with the count of refusals, this one included
 * @param since when the number was requested
 * @param createdAt of the job
 * @returns seconds from now; `null`: it is refused permanently, or the build has waited long enough
 */
export function nextAttemptIn(
  refused: Refused & { readonly attempts: number },
  { since, createdAt, now }: { readonly since: Date; readonly createdAt: Date; readonly now: Date },
): number | null {
  if (refused.kind === 'refused') return null;
  const { attempts, maxAttempts, afterSeconds } = refused;
  if (maxAttempts !== null && attempts >= maxAttempts) return null;
  const growing = Math.min(MAX_SECONDS, Math.max(afterSeconds, 1) * 2 ** (attempts - 1));
  const seconds = Math.max(growing, afterSeconds);
  const end = Math.min(since.getTime() + ASKED_FOR, createdAt.getTime() + HELD_FOR);
  return now.getTime() + seconds * 1000 <= end ? seconds : null;
}

/**
 * The number that follows all that are used for the devices of the build.
 *
 * @param taken by other builds of the app for the package
 * @param offset numbers begin above it
 * @returns the reason, which says what to do, when there is no higher one
 */
export function nextNumber(
  platform: 'android' | 'ios',
  used: UsedBuildNumbers,
  taken: TakenNumbers,
  offset = 0,
): NumberedBuild | { readonly failure: string } {
  const { packageName, store, inStore, submitted } = used;
  const highest = Math.max(inStore?.number ?? 0, submitted ?? 0, taken.highest ?? 0);
  const max = platform === 'android' ? MAX_CONFIGURED_BUILD_NUMBER : MAX_IOS_BUILD_NUMBER;
  const unusable = new Set([...used.used, ...taken.ofOthers]);
  const first = Math.max(highest, offset) + 1;
  let number = first;
  while (unusable.has(number)) number++;
  if (number > max) {
    return {
      failure: `${store} has build numbers up to the highest that Slipway counts, ${max.toLocaleString('en')}. Set another buildNumber in the configuration.`,
    };
  }
  const why = [
    offset > highest
      ? `buildNumberOffset of the configuration is ${offset}`
      : highest === 0
        ? `${store} has no build of ${packageName}`
        : ownerOf(highest, used),
    ...(number === first ? [] : [`${first} is used already`]),
  ];
  return { number, note: `The build number is ${number}: ${why.join(', and ')}.${noteOf(used, number)}` };
}

function ownerOf(highest: number, { store, inStore, submitted }: UsedBuildNumbers): string {
  if (inStore?.number === highest) return `${store} has ${inStore.shown}`;
  return submitted === highest
    ? `a submission of the app had ${highest}`
    : `another build of the app has ${highest}`;
}

/** What does not count, although it is higher. */
function noteOf({ other, formFactor }: UsedBuildNumbers, number: number): string {
  if (other === null || other.number < number) return '';
  return ` The build is for ${DEVICES[formFactor]}, so ${other.shown} does not count.`;
}
