import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository, And, Equal, type FindOptionsWhere, Raw } from 'typeorm';
import { databaseNow } from '../../common/database-clock.js';
import { invalidField } from '../../common/errors/app-error.js';
import type { IfMatch } from '../../common/etags/if-match.js';
import { type NativeMaxima, NO_MAXIMA } from '../../common/native-maxima.js';
import type { Page } from '../../common/pagination/page.js';
import { currentActor } from '../../database/transactions/actor.js';
import { changeIfMatch } from '../../database/if-match.js';
import { findOrThrow, findPage, insertOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { BuildsService } from '../../native-builds/builds/builds.service.js';
import type { Channel } from '../channels/channel.entity.js';
import { ChannelsService } from '../channels/channels.service.js';
import type { Warning } from '../../common/warnings/warning.js';
import { assertNotFrozen } from '../../common/freezes/freeze.js';
import { UnsafeReuseService } from '../unsafe-reuse/unsafe-reuse.service.js';
import { DeploymentEvents } from '../deployment-events/deployment-events.service.js';
import { idContains } from '../../database/text-filters.js';
import type { CreateDeploymentDto } from './create-deployment.dto.js';
import { toDeploymentDto, withWarnings, type ListDeploymentsQuery } from './deployment.dto.js';
import { type ChannelDeployment, requireChannel, requireSigned } from './channel-deployment.js';
import { DeployableBundlesService } from './deployable-bundles.service.js';
import { Deployment } from './deployment.entity.js';
import { DeploymentsQueries } from './deployments.queries.js';
import { DeploymentChanges } from './deployment-changes.js';
import { DeploymentTransitionsService, reachOf } from './deployment-transitions.service.js';
import { type Emergency, emergencyColumns } from './emergency.js';

export interface NewDeployment {
  readonly buildId: string;
  readonly channelId: string;
  /** Share of devices, 0 to 1. */
  readonly rolloutPercentage: number;
  /** Whether the zip, or every file of the manifest form, is signed: with a key of the app, if it has any. */
  readonly signed: boolean;
  /** Native versions up to which it goes, besides the constraints of the build. */
  readonly maxima?: NativeMaxima;
  /** Overrides approvals and freezes. */
  readonly emergency?: Emergency | null;
  /** What is new for users. */
  readonly notes?: string | null;
  /** What the user says who deploys. */
  readonly comment?: string | null;
}

/** How a person changes the share of a deployment. */
export interface HowToChangeShare {
  readonly ifMatch?: IfMatch | undefined;
  /** Overrides a freeze. */
  readonly emergency?: Emergency | null | undefined;
  /** What the person says; `null`: forgets what was said before. */
  readonly comment?: string | null | undefined;
}

/** A deployment that was made or went live. */
export interface Deployed {
  readonly deployment: Deployment;
  readonly warnings: readonly Warning[];
}

/** A deployment of a build, or one to the same channel that has its content already. */
export interface DeployedBuild extends Deployed {
  /** Whether it was made; otherwise the app skips what is unchanged. */
  readonly isNew: boolean;
}

@Injectable()
export class DeploymentsService {
  constructor(
    @InjectRepository(Deployment) private readonly deployments: Repository<Deployment>,
    private readonly bundles: DeployableBundlesService,
    private readonly queries: DeploymentsQueries,
    private readonly reuses: UnsafeReuseService,
    private readonly transitions: DeploymentTransitionsService,
    private readonly changes: DeploymentChanges,
    private readonly events: DeploymentEvents,
    private readonly builds: BuildsService,
    private readonly channels: ChannelsService,
  ) {}

  /** The deployments of an app, newest first. */
  async list(appId: string, query: ListDeploymentsQuery): Promise<Page<Deployment>> {
    return findPage(this.deployments, filterOf(appId, query), query, { sequence: 'DESC' });
  }

  /** @throws NotFoundError */
  get(appId: string, id: string): Promise<Deployment> {
    return findOrThrow(this.deployments, { appId, id });
  }

  /** As `get`, of a deployment to a channel. @throws InvalidRequestError when it goes to a store */
  async getOfChannel(appId: string, id: string): Promise<ChannelDeployment> {
    return requireChannel(await this.get(appId, id));
  }

  /** The deployment that the channel delivers first. */
  newestOf(channelId: string): Promise<Deployment | null> {
    return this.deployments.findOne({
      where: { channelId, approvalStatus: 'approved' },
      order: { sequence: 'DESC' },
    });
  }

  /**
   * Sends a build to a channel; it takes effect immediately, unless the channel requires approvals.
   *
   * @param maxima native versions up to which it goes
   * @throws NotFoundError for an unknown build or channel
   * @throws InvalidRequestError when the build cannot be delivered to the channel, or its devices would build it
   * wrongly
   * @throws ConflictError when the channel is frozen
   */
  async create(appId: string, values: CreateDeploymentDto, maxima = NO_MAXIMA): Promise<DeployedBuild> {
    const prepared = await this.prepare(appId, values);
    return transaction(() => this.deploy(appId, { ...prepared, maxima }));
  }

  /** Checks everything for `create`, but does not deploy. */
  async prepare(appId: string, values: CreateDeploymentDto): Promise<NewDeployment> {
    const build = await this.builds.get(appId, values.appBuildId);
    const channel = await this.targetOf(appId, values);
    if (build.platform !== 'web') {
      throw invalidField(
        'appBuildId',
        'appBuildId must be a web build: only those can be deployed to a channel.',
      );
    }
    const bundle = await this.bundles.find(appId, build.id);
    if (bundle === null)
      throw invalidField('appBuildId', 'appBuildId must be a build whose bundle is ready.');
    const { signed } = bundle;
    const { rolloutPercentage } = values;
    requireSigned(channel, signed);
    return {
      buildId: build.id,
      channelId: channel.id,
      rolloutPercentage: rolloutPercentage ?? 1,
      signed,
      emergency: values.emergency ?? null,
      notes: values.notes ?? null,
      comment: values.comment ?? null,
    };
  }

  /**
   * As `create`, for a build that is known to be ready. Deployments to one channel wait here for each other, so that
   * their sequence is the order in which they become effective. An app can skip builds whose content the channel has.
   */
  async deploy(
    appId: string,
    { channelId, signed, emergency = null, maxima = NO_MAXIMA, ...values }: NewDeployment,
  ): Promise<DeployedBuild> {
    const channel = await this.channels.lock(appId, channelId);
    requireSigned(channel, signed);
    const same = await this.sameContent(channel, { maxima, ...values }, emergency);
    if (same?.isNew === false) return same;
    if (emergency === null) assertNotFrozen(channel, databaseNow());
    const reuses = await this.reuses.check({ buildId: values.buildId, channelId });
    const warnings = [...reuses, ...(same?.warnings ?? [])];
    const needsApproval = emergency === null && channel.requiredApprovals > 0;
    const deployment = await insertOrThrow(this.deployments, {
      appId,
      channelId,
      ...values,
      ...columnsOf(maxima),
      approvalStatus: needsApproval ? 'pending' : 'approved',
      requiredApprovals: channel.requiredApprovals,
      ...(needsApproval ? {} : reachOf(values.rolloutPercentage)),
      createdByUserId: currentActor()?.userId ?? null,
      updatedByUserId: currentActor()?.userId ?? null,
      ...emergencyColumns(emergency),
    });
    await this.events.created(withWarnings(toDeploymentDto(deployment, channel.name), warnings));
    if (needsApproval) {
      await this.events.approvalRequested(deployment);
    } else {
      await this.transitions.wentLive(deployment, emergency);
    }
    return { deployment, isNew: true, warnings };
  }

  /**
   * The newest deployment of a channel, if it has the content of a build, or one that waits for approvals as this one would.
   * To be asked while the channel is locked.
   *
   * @returns with a warning about it, and `isNew` if the build is deployed all the same; `null`: the content differs
   */
  async sameContent(
    { id: channelId, appId, requiredApprovals }: Channel,
    {
      buildId,
      rolloutPercentage: share,
      maxima = NO_MAXIMA,
    }: Pick<NewDeployment, 'buildId' | 'rolloutPercentage' | 'maxima'>,
    emergency: Emergency | null,
  ): Promise<DeployedBuild | null> {
    const isLiveAtOnce = emergency !== null || requiredApprovals === 0;
    const same = await this.queries.sameContent({ buildId, channelId, share, maxima }, isLiveAtOnce);
    if (same === null) return null;
    const { deploymentId, isSkipped } = same;
    const deployment = await this.get(appId, deploymentId);
    return { deployment, isNew: !isSkipped, warnings: [sameContentWarning(deployment, buildId, isSkipped)] };
  }

  /**
   * Changes the share of devices that receive a deployment, which ends its rollout plan.
   *
   * @throws NotFoundError
   * @throws ConflictError when the share would grow and the channel is frozen
   * @throws PreconditionFailedError
   */
  update(
    appId: string,
    id: string,
    rolloutPercentage: number,
    how: HowToChangeShare = {},
  ): Promise<Deployment> {
    const where = { appId, id };
    return transaction(() =>
      changeIfMatch(this.deployments, where, how.ifMatch, () =>
        this.changeShare(where, rolloutPercentage, how),
      ),
    );
  }

  private async changeShare(
    where: { appId: string; id: string },
    rolloutPercentage: number,
    { emergency = null, comment }: HowToChangeShare,
  ): Promise<Deployment> {
    const deployment = await this.transitions.lock(where.appId, where.id);
    const { rolloutPercentage: former } = deployment;
    const grows = rolloutPercentage > former;
    if (grows && emergency === null) {
      assertNotFrozen(await this.channels.get(where.appId, deployment.channelId), databaseNow());
    }
    if (rolloutPercentage !== former) {
      await this.changes.shareChanged.notify(where.id);
      await this.events.shareChanged(where.id, former, rolloutPercentage, comment ?? null);
    }
    const changes = { ...emergencyColumns(emergency), comment };
    return this.transitions.setShare(deployment, rolloutPercentage, 'share-withdrawn', changes);
  }

  private async targetOf(appId: string, values: CreateDeploymentDto): Promise<Channel> {
    if (values.appChannelId) return this.channels.get(appId, values.appChannelId);
    if (values.appChannelName) return this.channels.getByName(appId, values.appChannelName);
    throw invalidField('appChannelId', 'appChannelId or appChannelName is required.');
  }
}

/** Says that devices gain nothing by a deployment of a build: another one has the same content. */
function sameContentWarning(
  { id, appId, buildId: formerId, approvalStatus }: Deployment,
  buildId: string,
  isSkipped: boolean,
): Warning<'same_content'> {
  if (isSkipped) {
    const which =
      approvalStatus === 'pending' ? ', which waits for approvals,' : ', the newest to the channel,';
    const message = `The deployment ${id}${which} has the same content for at least the same share: nothing was deployed.`;
    return { code: 'same_content', message };
  }
  const effect = formerId === buildId ? 'devices get nothing new' : 'devices that have it install it again';
  const message = `The deployment ${id}, to the channel before this one, has the same content: ${effect}.`;
  const sentence = 'Set skipUnchanged of the app, so that the same content is not deployed again.';
  const remedy = { operationId: 'Apps_update', parameters: { appId, skipUnchanged: true }, sentence };
  return { code: 'same_content', message, remedy };
}

function columnsOf({ android, ios, electron }: NativeMaxima): Partial<Deployment> {
  return {
    maxAndroidAppVersionCode: android,
    maxIosAppVersionCode: ios,
    maxElectronAppVersionCode: electron,
  };
}

/** Which deployments of an app a list has. */
function filterOf(appId: string, query: ListDeploymentsQuery): FindOptionsWhere<Deployment> {
  const where: FindOptionsWhere<Deployment> = { appId };
  if (query.appBuildId !== undefined) where.buildId = query.appBuildId;
  if (query.appChannelId !== undefined) where.channelId = query.appChannelId;
  if (query.appDestinationId !== undefined) where.destinationId = query.appDestinationId;
  if (query.query !== undefined) where.id = idContains(query.query);
  if (query.appGitCommit !== undefined) {
    const ofCommit = buildOfCommit(query.appGitCommit);
    where.buildId = query.appBuildId === undefined ? ofCommit : And(Equal(query.appBuildId), ofCommit);
  }
  return where;
}

function buildOfCommit(commit: string): ReturnType<typeof Raw<string>> {
  return Raw(
    (column) => `${column} IN (SELECT id FROM builds WHERE git_ref = :commit OR git_commit_sha = :commit)`,
    { commit },
  );
}
