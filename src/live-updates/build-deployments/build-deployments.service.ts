import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { DestinationsService } from '../../app-submissions/destinations/destinations.service.js';
import { insertOrThrow } from '../../database/rows.js';
import {
  BuildDeployments,
  type DeploymentOfBuild,
  type DeploymentTargets,
  type NamedChannels,
  type PlannedDeployment,
  type SubmittedBuild,
} from '../../native-builds/builds/build-deployments.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import type { Channel } from '../channels/channel.entity.js';
import { ChannelsService } from '../channels/channels.service.js';
import { StoreDeploymentsService } from '../store-deployments/store-deployments.service.js';
import { BuildDeployment } from './build-deployment.entity.js';
import { BuildDeploymentsQueries } from './build-deployments.queries.js';

export const BUILD_DEPLOYMENTS_QUEUE: QueueDefinition = {
  name: 'build-deployments',
  retryLimit: 10,
  retryDelay: 5,
  retryDelayMax: 300,
  expireInSeconds: 300,
};

export interface BuildDeploymentsJob {
  readonly buildId: string;
}

/** Where builds are to go after success. `BuildDeploymentsWorker` deploys them. */
@Injectable()
export class BuildDeploymentsService extends BuildDeployments {
  constructor(
    @InjectRepository(BuildDeployment) private readonly planned: Repository<BuildDeployment>,
    private readonly channels: ChannelsService,
    private readonly destinations: DestinationsService,
    private readonly stores: StoreDeploymentsService,
    private readonly queue: QueueService,
    private readonly queries: BuildDeploymentsQueries,
  ) {
    super();
  }

  override async channelIds(appId: string, { ids, names }: NamedChannels): Promise<string[]> {
    const found = new Set<string>();
    if (ids.length > 0) for (const id of ids) found.add((await this.channels.get(appId, id)).id);
    else for (const name of names) found.add((await this.channels.getByName(appId, name)).id);
    return [...found];
  }

  override requireDestination(appId: string, destinationId: string, build: SubmittedBuild): Promise<void> {
    return this.stores.requireDestination(appId, destinationId, build);
  }

  override async findClosed(
    appId: string,
    { channelIds, destinationId }: DeploymentTargets,
    allows: (patterns: readonly string[]) => boolean,
  ): Promise<string | null> {
    const channels = (await this.channels.getMany(channelIds)).filter((channel) => channel.appId === appId);
    const destinations = [
      ...(await this.destinations.getMany(destinationId === null ? [] : [destinationId])).values(),
    ];
    const isClosed = ({ allowedRefs }: Pick<Channel, 'allowedRefs'>) =>
      allowedRefs.length > 0 && !allows(allowedRefs);
    const channel = channels.find(isClosed);
    const target = channel ?? destinations.find(isClosed);
    if (target === undefined) return null;
    const kind = channel === undefined ? 'destination' : 'channel';
    return `The ${kind} ${target.name} only takes automated builds of these branches and tags: ${target.allowedRefs.join(', ')}.`;
  }

  override async plan(
    appId: string,
    buildId: string,
    { channelIds, destinationId }: DeploymentTargets,
  ): Promise<void> {
    for (const channelId of channelIds) await insertOrThrow(this.planned, { appId, buildId, channelId });
    if (destinationId !== null) await insertOrThrow(this.planned, { appId, buildId, destinationId });
  }

  override async start(buildId: string, organizationId: string): Promise<void> {
    if (!(await this.planned.existsBy({ buildId, status: 'waiting' }))) return;
    const job: BuildDeploymentsJob = { buildId };
    await this.queue.send(BUILD_DEPLOYMENTS_QUEUE, organizationId, job);
  }

  override async abandon(buildId: string): Promise<void> {
    await this.planned.update(
      { buildId, status: 'waiting' },
      { status: 'failed', failure: 'The build did not succeed.' },
    );
  }

  override list(buildIds: readonly string[]): Promise<PlannedDeployment[]> {
    return this.planned.find({
      where: { buildId: In([...buildIds]) },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
  }

  override latest(buildIds: readonly string[], perBuild: number): Promise<DeploymentOfBuild[]> {
    return this.queries.latest(buildIds, perBuild);
  }
}
