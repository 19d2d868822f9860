import { Injectable } from '@nestjs/common';
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
    private readonly channels: ChannelsService,
    private readonly builds: BuildsService,
    private readonly buildsPresenter: BuildsPresenter,
  ) {}

  /** @param relations relations to include: `appBuild`, `job` */
  async present(
    deployments: readonly Deployment[],
    relations: readonly string[] = [],
  ): Promise<DeploymentDto[]> {
    const channels = await this.channels.getMany(deployments.map(({ channelId }) => channelId));
    const names = new Map(channels.map(({ id, name }) => [id, name]));
    const builds = relations.includes('appBuild') ? await this.buildsOf(deployments) : null;
    const withJob = relations.some((name) => name === 'job' || name.startsWith('job.'));
    return deployments.map((deployment) => {
      const appBuild = builds?.get(deployment.buildId);
      const related = { withJob, ...(appBuild ? { appBuild } : {}) };
      return toDeploymentDto(deployment, names.get(deployment.channelId) ?? null, related);
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
}
