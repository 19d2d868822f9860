import { Injectable } from '@nestjs/common';
import { AppsService } from '../../apps/apps/apps.service.js';
import { toDerivedJobDto } from '../../jobs/jobs/derived-job.js';
import type { JobDto } from '../../jobs/jobs/job.dto.js';
import type { BuildDto } from '../../native-builds/builds/build.dto.js';
import { BuildsPresenter } from '../../native-builds/builds/builds.presenter.js';
import { BuildsService } from '../../native-builds/builds/builds.service.js';
import { ChannelsService } from '../channels/channels.service.js';
import { type DeploymentDto, toDeploymentDto } from './deployment.dto.js';
import type { Deployment } from './deployment.entity.js';

/** Builds the responses for deployments of one app, with the names of their channels. */
@Injectable()
export class DeploymentsPresenter {
  constructor(
    private readonly apps: AppsService,
    private readonly channels: ChannelsService,
    private readonly builds: BuildsService,
    private readonly buildsPresenter: BuildsPresenter,
  ) {}

  /** @param relations relations to include: `appBuild`, `job` */
  async present(
    deployments: readonly Deployment[],
    relations: readonly string[] = [],
  ): Promise<DeploymentDto[]> {
    const channels = await this.channels.getMany(deployments.flatMap(({ channelId }) => channelId ?? []));
    const names = new Map(channels.map(({ id, name }) => [id, name]));
    const builds = relations.includes('appBuild') ? await this.buildsOf(deployments) : null;
    const jobs = relations.some((name) => name === 'job' || name.startsWith('job.'))
      ? await this.jobsOf(deployments)
      : null;
    return deployments.map((deployment) => {
      const appBuild = builds?.get(deployment.buildId);
      const job = jobs?.get(deployment.id);
      const related = { ...(job ? { job } : {}), ...(appBuild ? { appBuild } : {}) };
      return toDeploymentDto(deployment, names.get(deployment.channelId ?? '') ?? null, related);
    });
  }

  async presentOne(deployment: Deployment, relations?: readonly string[]): Promise<DeploymentDto> {
    const [dto] = await this.present([deployment], relations);
    return dto as DeploymentDto;
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

  /** A deployment to a channel is made by the request itself, whether it waits for approvals or not. */
  private async jobsOf(deployments: readonly Deployment[]): Promise<Map<string, JobDto>> {
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
