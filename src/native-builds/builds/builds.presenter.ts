import { Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/users/users.service.js';
import { AppsService } from '../../apps/apps/apps.service.js';
import { QueueStateService } from '../../jobs/job-queues/queue-state.service.js';
import { toDerivedJobDto } from '../../jobs/jobs/derived-job.js';
import type { JobDto } from '../../jobs/jobs/job.dto.js';
import { JobsPresenter } from '../../jobs/jobs/jobs.presenter.js';
import { JobsService } from '../../jobs/jobs/jobs.service.js';
import { BuildArtifactsService } from '../build-artifacts/build-artifacts.service.js';
import { BuildArtifactsPresenter } from '../build-artifacts/build-artifacts.presenter.js';
import type { BuildArtifactDto } from '../build-artifacts/build-artifact.dto.js';
import type { BuildArtifact } from '../build-artifacts/build-artifact.entity.js';
import { mainOf } from '../build-artifacts/main-artifact.js';
import { BuildDeployments } from './build-deployments.js';
import type { Build } from './build.entity.js';
import { SHOWN_DEPLOYMENTS } from './build-deployments.dto.js';
import { type BuildDto, toBuildDto } from './build.dto.js';

/** Presents builds, with their artifacts in one statement for any number of builds. */
@Injectable()
export class BuildsPresenter {
  constructor(
    private readonly artifacts: BuildArtifactsService,
    private readonly artifactsPresenter: BuildArtifactsPresenter,
    private readonly deployments: BuildDeployments,
    private readonly jobs: JobsPresenter,
    private readonly apps: AppsService,
    private readonly users: UsersService,
    private readonly jobRows: JobsService,
    private readonly queues: QueueStateService,
  ) {}

  /**
   * @param builds of one app
   * @param relations to include: `appBuildArtifacts`, `job`, `job.jobLogs`, `starter`, `appDeployments`, `missingRunner`
   */
  async present(builds: readonly Build[], relations: readonly string[] = []): Promise<BuildDto[]> {
    const ids = builds.map(({ id }) => id);
    const artifacts = Map.groupBy(await this.artifacts.listAll(ids), ({ buildId }) => buildId);
    const deployments = Map.groupBy(await this.deployments.list(ids), ({ buildId }) => buildId);
    const jobs = await this.jobsOf(builds, artifacts, relations);
    const shown = relations.includes('appBuildArtifacts')
      ? await this.presentArtifacts(builds, artifacts)
      : null;
    const starters = relations.includes('starter')
      ? await this.users.referencesTo(builds.map(({ createdBy }) => createdBy))
      : null;
    const latest = relations.includes('appDeployments')
      ? Map.groupBy(await this.deployments.latest(ids, SHOWN_DEPLOYMENTS), ({ buildId }) => buildId)
      : null;
    const missing = relations.includes('missingRunner') ? await this.missingOf(builds) : null;
    return builds.map((build) => {
      const own = artifacts.get(build.id) ?? [];
      return toBuildDto(build, {
        artifactId: mainOf(own)?.id ?? null,
        deployments: deployments.get(build.id) ?? [],
        ...(jobs === null ? {} : { job: jobs.get(build.id) ?? null }),
        ...(shown === null ? {} : { artifacts: shown.get(build.id) ?? [] }),
        ...(starters === null ? {} : { starter: starters.get(build.createdBy ?? '') ?? null }),
        ...(latest === null ? {} : { latest: latest.get(build.id) ?? [] }),
        ...(missing === null ? {} : { missingRunner: missing.get(build.jobId ?? '') ?? null }),
      });
    });
  }

  async presentOne(build: Build, relations?: readonly string[]): Promise<BuildDto> {
    const [dto] = await this.present([build], relations);
    return dto as BuildDto;
  }

  /** @returns the artifacts by the ids of their builds */
  private async presentArtifacts(
    builds: readonly Build[],
    artifacts: ReadonlyMap<string, readonly BuildArtifact[]>,
  ): Promise<Map<string, BuildArtifactDto[]>> {
    const all = [...artifacts.values()].flat();
    const dtos = await this.artifactsPresenter.present(builds[0]?.appId ?? '', all);
    return Map.groupBy(dtos, ({ appBuildId }) => appBuildId);
  }

  /** @returns what no runner has that jobs need which wait for one, by the ids of the jobs */
  private async missingOf(builds: readonly Build[]): Promise<Map<string, string>> {
    const jobs = await this.jobRows.getMany(builds.flatMap(({ jobId }) => jobId ?? []));
    return this.queues.missingForWaiting([...jobs.values()]);
  }

  /** @returns the jobs by the ids of their builds; `null`: they were not asked for */
  private async jobsOf(
    builds: readonly Build[],
    artifacts: ReadonlyMap<string, readonly BuildArtifact[]>,
    relations: readonly string[],
  ): Promise<Map<string, JobDto | undefined> | null> {
    const withLogs = relations.includes('job.jobLogs');
    if (!withLogs && !relations.includes('job')) return null;
    const ids = builds.flatMap(({ jobId }) => jobId ?? []);
    const jobs = await this.jobs.presentMany(ids, withLogs);
    const uploaded = builds.find(({ jobId }) => jobId === null);
    const organizationId = uploaded === undefined ? '' : (await this.apps.get(uploaded.appId)).organizationId;
    return new Map(
      builds.map((build) => [
        build.id,
        build.jobId === null
          ? jobOfUpload(build, artifacts.get(build.id) ?? [], organizationId)
          : jobs.get(build.jobId),
      ]),
    );
  }
}

/** Ends when its artifact is ready, which does not change afterwards. */
function jobOfUpload(
  { id, appId, createdAt, createdBy }: Build,
  artifacts: readonly BuildArtifact[],
  organizationId: string,
): JobDto {
  const isPending = artifacts.some(({ status }) => status === 'pending');
  const finishedAt = isPending ? null : (artifacts[0]?.updatedAt ?? createdAt);
  return toDerivedJobDto({
    id,
    appId,
    organizationId,
    appBuildId: id,
    appDeploymentId: null,
    createdBy,
    createdAt,
    finishedAt,
  });
}
