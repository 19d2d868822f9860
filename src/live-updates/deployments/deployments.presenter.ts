import { Injectable } from '@nestjs/common';
import { toUserReferenceDto, type UserReferenceDto } from '../../accounts/users/user.dto.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { AppsService } from '../../apps/apps/apps.service.js';
import { toDerivedJobDto } from '../../jobs/jobs/derived-job.js';
import type { JobDto } from '../../jobs/jobs/job.dto.js';
import { JobsPresenter } from '../../jobs/jobs/jobs.presenter.js';
import type { BuildDto } from '../../native-builds/builds/build.dto.js';
import { BuildsPresenter } from '../../native-builds/builds/builds.presenter.js';
import { BuildsService } from '../../native-builds/builds/builds.service.js';
import { ChannelsService } from '../channels/channels.service.js';
import {
  type PresentedStore,
  StoreDeploymentsPresenter,
} from '../store-deployments/store-deployments.presenter.js';
import { isToChannel } from './channel-deployment.js';
import { type DeploymentDto, toDeploymentDto } from './deployment.dto.js';
import type { Deployment } from './deployment.entity.js';

/** Builds the responses for deployments of one app, with the names of their channels, destinations and authors. */
@Injectable()
export class DeploymentsPresenter {
  constructor(
    private readonly apps: AppsService,
    private readonly channels: ChannelsService,
    private readonly builds: BuildsService,
    private readonly buildsPresenter: BuildsPresenter,
    private readonly stores: StoreDeploymentsPresenter,
    private readonly jobs: JobsPresenter,
    private readonly users: UsersService,
  ) {}

  /** @param relations relations to include: `appBuild`, `job`, `job.jobLogs`. Send what has logs with `sendWithLogs` */
  async present(
    deployments: readonly Deployment[],
    relations: readonly string[] = [],
  ): Promise<DeploymentDto[]> {
    const channels = await this.channels.getMany(deployments.flatMap(({ channelId }) => channelId ?? []));
    const names = new Map(channels.map(({ id, name }) => [id, name]));
    const stores = await this.stores.present(deployments);
    const authors = await this.authorsOf(deployments);
    const builds = relations.includes('appBuild') ? await this.buildsOf(deployments) : null;
    const jobs = await this.jobsOf(deployments, stores, relations);
    return deployments.map((deployment) => {
      const appBuild = builds?.get(deployment.buildId);
      const job = jobs.get(deployment.id);
      const store = stores.get(deployment.id);
      const author = authors.get(deployment.createdByUserId ?? '');
      const parts = {
        ...(job ? { job } : {}),
        ...(appBuild ? { appBuild } : {}),
        ...(store ? { store } : {}),
        ...(author ? { author } : {}),
      };
      return toDeploymentDto(deployment, names.get(deployment.channelId ?? '') ?? null, parts);
    });
  }

  async presentOne(deployment: Deployment, relations?: readonly string[]): Promise<DeploymentDto> {
    const [dto] = await this.present([deployment], relations);
    return dto as DeploymentDto;
  }

  private async authorsOf(deployments: readonly Deployment[]): Promise<Map<string, UserReferenceDto>> {
    const ids = new Set(deployments.flatMap(({ createdByUserId }) => createdByUserId ?? []));
    const users = ids.size === 0 ? [] : await this.users.getMany([...ids]);
    return new Map(users.map((user) => [user.id, toUserReferenceDto(user)]));
  }

  private async buildsOf(deployments: readonly Deployment[]): Promise<Map<string, BuildDto>> {
    const [first] = deployments;
    if (first === undefined) return new Map();
    const builds = await this.builds.getMany(
      first.appId,
      deployments.map(({ buildId }) => buildId),
    );
    const presented = await this.buildsPresenter.present(builds);
    return new Map(presented.map((build) => [build.id, build]));
  }

  /** @returns the jobs by the ids of their deployments; none when they were not asked for */
  private async jobsOf(
    deployments: readonly Deployment[],
    stores: ReadonlyMap<string, PresentedStore>,
    relations: readonly string[],
  ): Promise<Map<string, JobDto>> {
    const withLogs = relations.includes('job.jobLogs');
    if (!withLogs && !relations.includes('job')) return new Map();
    const derived = await this.derivedJobs(deployments.filter(isToChannel));
    const ids = [...stores].flatMap(([id, { jobId }]) => (jobId === null ? [] : [[id, jobId] as const]));
    const jobs = await this.jobs.presentMany(
      ids.map(([, jobId]) => jobId),
      withLogs,
    );
    for (const [id, jobId] of ids) {
      const job = jobs.get(jobId);
      if (job !== undefined) derived.set(id, job);
    }
    return derived;
  }

  /** A deployment to a channel is made by the request itself, whether it waits for approvals or not. */
  private async derivedJobs(deployments: readonly Deployment[]): Promise<Map<string, JobDto>> {
    const [first] = deployments;
    if (first === undefined) return new Map();
    const { organizationId } = await this.apps.get(first.appId);
    return new Map(
      deployments.map(({ id, appId, createdAt, createdByUserId }) => {
        const origin = { id, appId, organizationId, appBuildId: null, appDeploymentId: id, createdAt };
        return [id, toDerivedJobDto({ ...origin, createdBy: createdByUserId, finishedAt: createdAt })];
      }),
    );
  }
}
