import { Injectable } from '@nestjs/common';
import type { UserReferenceDto } from '../../accounts/users/user.dto.js';
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
import {
  type DeploymentHealthDto,
  toDeploymentHealthDto,
} from '../deployment-health/deployment-health.dto.js';
import { NO_HEALTH } from '../deployment-health/deployment-health.queries.js';
import { RecentHealth } from '../deployment-health/recent-health.js';
import { type RolloutPlanDto, toRolloutPlanDto } from '../rollout-plans/rollout-plan.dto.js';
import { isToChannel } from './channel-deployment.js';
import { type DeploymentDto, toDeploymentDto } from './deployment.dto.js';
import type { Deployment } from './deployment.entity.js';
import { DeploymentsQueries } from './deployments.queries.js';

/** Builds the responses for deployments of one app, with the names of their channels and destinations, and the people who made and changed them. */
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
    private readonly queries: DeploymentsQueries,
    private readonly health: RecentHealth,
  ) {}

  /**
   * @param relations relations to include: `appBuild`, `job`, `job.jobLogs`, `rolloutPlan`, `health`. Send what has logs
   *   with `sendWithLogs`
   */
  async present(
    deployments: readonly Deployment[],
    relations: readonly string[] = [],
  ): Promise<DeploymentDto[]> {
    const channels = await this.channels.getMany(deployments.flatMap(({ channelId }) => channelId ?? []));
    const names = new Map(channels.map(({ id, name }) => [id, name]));
    const stores = await this.stores.present(deployments);
    const people = await this.peopleOf(deployments);
    const builds = relations.includes('appBuild') ? await this.buildsOf(deployments) : null;
    const jobs = await this.jobsOf(deployments, stores, relations);
    const plans = relations.includes('rolloutPlan') ? await this.plansOf(deployments) : null;
    const healths = relations.includes('health') ? await this.healthOf(deployments) : null;
    return deployments.map((deployment) => {
      const appBuild = builds?.get(deployment.buildId);
      const job = jobs.get(deployment.id);
      const store = stores.get(deployment.id);
      const createdBy = people.get(deployment.createdByUserId ?? '');
      const updatedBy = people.get(deployment.updatedByUserId ?? '');
      const parts = {
        ...(job ? { job } : {}),
        ...(appBuild ? { appBuild } : {}),
        ...(plans ? { rolloutPlan: plans.get(deployment.id) ?? null } : {}),
        ...(healths ? { health: healths.get(deployment.id) ?? null } : {}),
        ...(store ? { store } : {}),
        ...(createdBy ? { createdBy } : {}),
        ...(updatedBy ? { updatedBy } : {}),
      };
      return toDeploymentDto(deployment, names.get(deployment.channelId ?? '') ?? null, parts);
    });
  }

  async presentOne(deployment: Deployment, relations?: readonly string[]): Promise<DeploymentDto> {
    const [dto] = await this.present([deployment], relations);
    return dto as DeploymentDto;
  }

  /** @returns who has created or changed them, by id */
  private peopleOf(deployments: readonly Deployment[]): Promise<Map<string, UserReferenceDto>> {
    return this.users.referencesTo(
      deployments.flatMap(({ createdByUserId, updatedByUserId }) => [createdByUserId, updatedByUserId]),
    );
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

  private async plansOf(deployments: readonly Deployment[]): Promise<Map<string, RolloutPlanDto>> {
    const plans = await this.queries.plansOf(deployments.map(({ id }) => id));
    const healths = await this.health.countMany(plans);
    return new Map(
      plans.map((plan) => [
        plan.deploymentId,
        toRolloutPlanDto(plan, healths.get(plan.deploymentId) ?? NO_HEALTH),
      ]),
    );
  }

  private async healthOf(deployments: readonly Deployment[]): Promise<Map<string, DeploymentHealthDto>> {
    const observed = deployments
      .filter(isToChannel)
      .map(({ id, appId }) => ({ appId, deploymentId: id, observedSince: null }));
    const healths = await this.health.countMany(observed);
    return new Map([...healths].map(([id, health]) => [id, toDeploymentHealthDto(health)]));
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
