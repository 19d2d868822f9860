import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { DestinationsService } from '../../app-submissions/destinations/destinations.service.js';
import { AppAccessService } from '../../apps/app-access/app-access.service.js';
import { AppsService } from '../../apps/apps/apps.service.js';
import type { RolePermission } from '../../common/access/permissions.js';
import { AppError, ForbiddenError, InvalidRequestError } from '../../common/errors/app-error.js';
import { matchesRef } from '../../common/ref-patterns.js';
import { type Actor, actingAs } from '../../database/transactions/actor.js';
import { transaction } from '../../database/transactions/transaction.js';
import { BuildDeployments } from '../../native-builds/builds/build-deployments.js';
import type { Build } from '../../native-builds/builds/build.entity.js';
import { BuildsService } from '../../native-builds/builds/builds.service.js';
import { automationOf } from '../../native-builds/use-restrictions/use-restrictions.service.js';
import { JobsService } from '../../jobs/jobs/jobs.service.js';
import { JobLogArchive } from '../../jobs/job-logs/job-log-archive.service.js';
import { QueueService } from '../../queue/queue.service.js';
import { ChannelsService } from '../channels/channels.service.js';
import type { Deployment } from '../deployments/deployment.entity.js';
import { DeploymentsService } from '../deployments/deployments.service.js';
import { StoreDeploymentCreation } from '../deployments/stores/store-deployment-creation.service.js';
import { BuildDeployment } from './build-deployment.entity.js';
import { BUILD_DEPLOYMENTS_QUEUE, type BuildDeploymentsJob } from './build-deployments.service.js';

/** The reason for users when the queue has no attempts left. */
const GIVEN_UP = 'The server failed several times to deploy the build. Deploy it yourself.';

/**
 * Deploys builds to the channels and destinations that they were started for, after their jobs have succeeded. Acts as the user who started
 * the build: what that user may do, freezes, approvals, protection and what its devices run count when it deploys. A refusal
 * stays visible with the build, in its log and in the audit log, and is not tried again.
 */
@Injectable()
export class BuildDeploymentsWorker implements OnModuleInit {
  private readonly logger = new Logger(BuildDeploymentsWorker.name);

  constructor(
    @InjectRepository(BuildDeployment) private readonly planned: Repository<BuildDeployment>,
    private readonly targets: BuildDeployments,
    private readonly builds: BuildsService,
    private readonly deployments: DeploymentsService,
    private readonly stores: StoreDeploymentCreation,
    private readonly channels: ChannelsService,
    private readonly destinations: DestinationsService,
    private readonly apps: AppsService,
    private readonly jobs: JobsService,
    private readonly logs: JobLogArchive,
    private readonly access: AppAccessService,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.handle<BuildDeploymentsJob>(
      BUILD_DEPLOYMENTS_QUEUE,
      ({ buildId }) => this.deployAll(buildId),
      { giveUp: ({ buildId }) => this.giveUp(buildId) },
    );
  }

  private async deployAll(buildId: string): Promise<void> {
    const build = await this.builds.find(buildId);
    if (build === null) return;
    const waiting = await this.planned.find({
      where: { buildId, status: 'waiting' },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    const actor = await this.actorOf(build);
    for (const planned of waiting) await actingAs(actor, () => this.deploy(build, planned.id));
  }

  private async deploy(build: Build, id: string): Promise<void> {
    try {
      await transaction(async () => {
        const planned = await this.lock(id);
        if (planned === null) return;
        if (build.createdBy === null) throw new ForbiddenError('The user who started the build was deleted.');
        await this.require(build, build.createdBy, 'deployments:write');
        if (build.automationId !== null) await this.requireAutomated(build, planned);
        const deployment = await (planned.destinationId === null
          ? this.deployToChannel(build, planned)
          : this.submit(build, build.createdBy, planned.destinationId));
        await this.planned.update({ id }, { status: 'deployed', deploymentId: deployment.id });
      });
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      this.logger.log({ buildId: build.id, code: error.code }, 'A build was not deployed');
      await this.fail(build, id, error.message);
    }
  }

  private async deployToChannel(build: Build, { channelId }: BuildDeployment): Promise<Deployment> {
    const values = { appBuildId: build.id, appChannelId: channelId };
    return (await this.deployments.create(build.appId, values)).deployment;
  }

  /** With the release notes of the build. */
  private async submit(build: Build, userId: string, appDestinationId: string): Promise<Deployment> {
    await this.require(build, userId, 'submissions:write');
    const app = await this.apps.get(build.appId);
    return this.stores.create(app, { appBuildId: build.id, appDestinationId });
  }

  /**
   * The newest build of an automation wins, whatever finishes last: its commit was decided later. The target stays locked, so
   * that two builds do not pass each other here, and what it allows stays.
   *
   * @throws InvalidRequestError when a newer one has gone there
   * @throws ForbiddenError when the target is not for its branch @throws NotFoundError when the target is gone
   */
  private async requireAutomated(build: Build, { channelId, destinationId }: BuildDeployment): Promise<void> {
    if (channelId !== null) await this.channels.lock(build.appId, channelId);
    if (destinationId !== null) await this.destinations.lock(build.appId, destinationId);
    const targets = { channelIds: channelId === null ? [] : [channelId], destinationId };
    const closed = await this.targets.findClosed(build.appId, targets, (patterns) =>
      matchesRef(patterns, build.gitRefFullName),
    );
    if (closed !== null) throw new ForbiddenError(closed, 'use_restricted');
    const newer = await this.builds.newerOf(build);
    const target = channelId === null ? { destinationId: destinationId! } : { channelId };
    const where = { ...target, status: 'deployed', buildId: In(newer.map(({ id }) => id)) } as const;
    const gone = new Set((await this.planned.findBy(where)).map(({ buildId }) => buildId));
    const first = newer.find(({ id }) => gone.has(id));
    if (first === undefined) return;
    throw new InvalidRequestError(
      `Build ${first.number} of the same automation was started later, and has gone there already.`,
    );
  }

  /** What the user may do now, within the scope with which an automation was saved that started the build. */
  private async require(build: Build, userId: string, permission: RolePermission): Promise<void> {
    await this.access.requireMember(userId, build.appId, permission, automationOf(build)?.scope);
  }

  /** What still waits was tried too often. */
  private async giveUp(buildId: string): Promise<void> {
    const build = await this.builds.find(buildId);
    if (build === null) return;
    this.logger.warn({ buildId }, 'A build was not deployed: every attempt failed');
    const actor = await this.actorOf(build);
    for (const { id } of await this.planned.findBy({ buildId, status: 'waiting' })) {
      await actingAs(actor, () => this.fail(build, id, GIVEN_UP));
    }
  }

  /** The log of the build says why, too: its last line. */
  private fail(build: Build, id: string, failure: string): Promise<void> {
    return transaction(async () => {
      const planned = await this.lock(id);
      if (planned === null) return;
      await this.planned.update({ id }, { status: 'failed', failure });
      if (build.jobId === null) return;
      await this.logs.addNote(build.jobId, `The build was not ${await this.describe(planned)}: ${failure}`);
    });
  }

  private async describe({ channelId, destinationId }: BuildDeployment): Promise<string> {
    if (destinationId !== null) {
      const destination = (await this.destinations.getMany([destinationId])).get(destinationId);
      return `submitted to the destination ${destination?.name ?? destinationId}`;
    }
    const [channel] = await this.channels.getMany(channelId === null ? [] : [channelId]);
    return `deployed to the channel ${channel?.name ?? channelId}`;
  }

  /** @returns `null`: it has been deployed in the meantime, or was deleted with its build */
  private lock(id: string): Promise<BuildDeployment | null> {
    return this.planned.findOne({ where: { id, status: 'waiting' }, lock: { mode: 'pessimistic_write' } });
  }

  /** The user who started the build. */
  private async actorOf({ id, createdBy, jobId }: Build): Promise<Actor> {
    const job = jobId === null ? undefined : (await this.jobs.getMany([jobId])).get(jobId);
    return {
      userId: createdBy,
      isAutomated: job?.isAutomated === true,
      tokenId: null,
      session: false,
      address: null,
      userAgent: null,
      requestId: jobId ?? id,
      operation: 'Builds_create',
    };
  }
}
