import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  And,
  DataSource,
  type EntityManager,
  Equal,
  type FindOptionsWhere,
  Raw,
  type Repository,
} from 'typeorm';
import { InvalidRequestError, invalidField, NotFoundError } from '../../common/errors/app-error.js';
import type { IfMatch } from '../../common/http/if-match.js';
import type { Page } from '../../common/pagination/page.js';
import { changeIfMatch } from '../../database/if-match.js';
import { findOrThrow, findPage, insertOrThrow, updateOrThrow } from '../../database/rows.js';
import { idContains } from '../../database/text-filters.js';
import { BuildsService } from '../../native-builds/builds/builds.service.js';
import type { Channel } from '../channels/channel.entity.js';
import { ChannelsService } from '../channels/channels.service.js';
import type { CreateDeploymentDto } from './create-deployment.dto.js';
import { Deployment, DEPLOYMENTS_CHANNEL_FKEY } from './deployment.entity.js';
import { DeploymentsQueries } from './deployments.queries.js';
import type { ListDeploymentsQuery } from './list-deployments-query.dto.js';

/** What goes where. */
export interface NewDeployment {
  readonly buildId: string;
  readonly channel: Channel;
  /** Share of devices, 0 to 1. */
  readonly rolloutPercentage: number;
  /** Whether the zip, or every file of the manifest form, is signed. */
  readonly signed: boolean;
}

@Injectable()
export class DeploymentsService {
  constructor(
    @InjectRepository(Deployment) private readonly deployments: Repository<Deployment>,
    private readonly database: DataSource,
    private readonly queries: DeploymentsQueries,
    private readonly builds: BuildsService,
    private readonly channels: ChannelsService,
  ) {}

  /** The deployments of an app, newest first. */
  async list(appId: string, query: ListDeploymentsQuery): Promise<Page<Deployment>> {
    // Nothing can be sent to store destinations yet.
    if (query.appDestinationId !== undefined) return { items: [], total: 0 };
    const where: FindOptionsWhere<Deployment> = { appId };
    if (query.appBuildId !== undefined) where.buildId = query.appBuildId;
    if (query.appChannelId !== undefined) where.channelId = query.appChannelId;
    if (query.query !== undefined) where.id = idContains(query.query);
    if (query.appGitCommit !== undefined) {
      const ofCommit = buildOfCommit(query.appGitCommit);
      where.buildId = query.appBuildId === undefined ? ofCommit : And(Equal(query.appBuildId), ofCommit);
    }
    return findPage(this.deployments, where, query, { createdAt: 'DESC' });
  }

  /** @throws NotFoundError */
  get(appId: string, id: string): Promise<Deployment> {
    return findOrThrow(this.deployments, { appId, id });
  }

  /**
   * Sends a build to a channel; it is effective at once.
   *
   * @throws NotFoundError for an unknown build, channel or destination
   * @throws InvalidRequestError when the build cannot be delivered to the channel
   */
  async create(appId: string, values: CreateDeploymentDto): Promise<Deployment> {
    const build = await this.builds.get(appId, values.appBuildId);
    const channel = await this.targetOf(appId, values);
    if (build.platform !== 'web') {
      throw invalidField(
        'appBuildId',
        'appBuildId must be a web build: only those can be deployed to a channel.',
      );
    }
    const bundle = await this.queries.readyBundle(build.id);
    if (bundle === null)
      throw invalidField('appBuildId', 'appBuildId must be a build whose bundle is ready.');
    const { rolloutPercentage } = values;
    return this.deploy(this.database.manager, appId, {
      buildId: build.id,
      channel,
      rolloutPercentage: rolloutPercentage ?? 1,
      signed: bundle.signed,
    });
  }

  /** As `create`, for a build that is known to be ready. */
  deploy(
    tx: EntityManager,
    appId: string,
    { channel, signed, ...values }: NewDeployment,
  ): Promise<Deployment> {
    if (channel.protectedAt !== null && !signed) {
      throw new InvalidRequestError(
        `The channel ${channel.name} is protected: only signed bundles can be deployed to it.`,
        'unsigned_bundle',
      );
    }
    return insertOrThrow(
      tx.withRepository(this.deployments),
      { appId, channelId: channel.id, ...values },
      { [DEPLOYMENTS_CHANNEL_FKEY]: () => new NotFoundError('Channel') },
    );
  }

  /**
   * Changes the share of devices that receive a deployment.
   *
   * @param how.tx a running transaction that the change is part of, without a condition
   * @throws NotFoundError
   * @throws PreconditionFailedError
   */
  update(
    appId: string,
    id: string,
    rolloutPercentage: number,
    { tx, ifMatch }: { tx?: EntityManager; ifMatch?: IfMatch | undefined } = {},
  ): Promise<Deployment> {
    const where = { appId, id };
    const show = (deployment: Deployment, { manager }: Repository<Deployment>): Promise<object> =>
      this.queries.showOne(deployment, [], manager);
    return changeIfMatch(
      tx ? tx.withRepository(this.deployments) : this.deployments,
      { where, ifMatch, show },
      (deployments) => updateOrThrow(deployments, where, { rolloutPercentage }),
    );
  }

  private async targetOf(appId: string, values: CreateDeploymentDto): Promise<Channel> {
    if (values.appChannelId) return this.channels.get(appId, values.appChannelId);
    if (values.appChannelName) return this.channels.getByName(appId, values.appChannelName);
    if (values.appDestinationId || values.appDestinationName) throw new NotFoundError('Destination');
    throw invalidField('appChannelId', 'appChannelId or appChannelName is required.');
  }
}

function buildOfCommit(commit: string): ReturnType<typeof Raw<string>> {
  return Raw(
    (column) => `${column} IN (SELECT id FROM builds WHERE git_ref = :commit OR git_commit_sha = :commit)`,
    {
      commit,
    },
  );
}
