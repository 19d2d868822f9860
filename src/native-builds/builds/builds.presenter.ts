import { Injectable } from '@nestjs/common';
import type { JobDto } from '../../jobs/jobs/job.dto.js';
import { JobsPresenter } from '../../jobs/jobs/jobs.presenter.js';
import { BuildArtifactsService } from '../build-artifacts/build-artifacts.service.js';
import { toBuildArtifactDto } from '../build-artifacts/build-artifact.dto.js';
import type { ArtifactType, BuildArtifact } from '../build-artifacts/build-artifact.entity.js';
import { BuildDeployments } from './build-deployments.js';
import type { Build } from './build.entity.js';
import { type BuildDto, toBuildDto } from './build.dto.js';

/** The main artifact of a build is the first of these that it has. */
const MAIN_FIRST: readonly ArtifactType[] = [
  'zip',
  'manifest',
  'aab',
  'apk',
  'ipa',
  'app',
  'xcarchive',
  'dsym',
];

/** Presents builds, with their artifacts in one statement for any number of builds. */
@Injectable()
export class BuildsPresenter {
  constructor(
    private readonly artifacts: BuildArtifactsService,
    private readonly deployments: BuildDeployments,
    private readonly jobs: JobsPresenter,
  ) {}

  /** @param relations to include: `appBuildArtifacts`, `job`, `job.jobLogs` */
  async present(builds: readonly Build[], relations: readonly string[] = []): Promise<BuildDto[]> {
    const ids = builds.map(({ id }) => id);
    const artifacts = Map.groupBy(await this.artifacts.listAll(ids), ({ buildId }) => buildId);
    const deployments = Map.groupBy(await this.deployments.list(ids), ({ buildId }) => buildId);
    const jobs = await this.jobsOf(builds, relations);
    return builds.map((build) => {
      const own = artifacts.get(build.id) ?? [];
      return toBuildDto(build, {
        artifactId: mainOf(own)?.id ?? null,
        deployments: deployments.get(build.id) ?? [],
        ...(jobs === null ? {} : { job: jobs.get(build.jobId ?? '') ?? null }),
        ...(relations.includes('appBuildArtifacts') ? { artifacts: own.map(toBuildArtifactDto) } : {}),
      });
    });
  }

  async presentOne(build: Build, relations?: readonly string[]): Promise<BuildDto> {
    const [dto] = await this.present([build], relations);
    return dto as BuildDto;
  }

  /** @returns the jobs by their ids; `null`: they were not asked for */
  private async jobsOf(
    builds: readonly Build[],
    relations: readonly string[],
  ): Promise<Map<string, JobDto> | null> {
    const withLogs = relations.includes('job.jobLogs');
    if (!withLogs && !relations.includes('job')) return null;
    const ids = builds.flatMap(({ jobId }) => jobId ?? []);
    return this.jobs.presentMany(ids, withLogs);
  }
}

function mainOf(artifacts: readonly BuildArtifact[]): BuildArtifact | undefined {
  const rank = ({ type }: BuildArtifact): number => MAIN_FIRST.indexOf(type);
  return artifacts.toSorted((a, b) => rank(a) - rank(b))[0];
}
