import { Injectable } from '@nestjs/common';
import { BuildArtifactsService } from '../build-artifacts/build-artifacts.service.js';
import { toBuildArtifactDto } from '../build-artifacts/build-artifact.dto.js';
import type { Build } from './build.entity.js';
import { type BuildDto, toBuildDto } from './build.dto.js';

/** Shows builds together with their artifacts, in one statement for any number of builds. */
@Injectable()
export class BuildsPresenter {
  constructor(private readonly artifacts: BuildArtifactsService) {}

  /** @param relations what was asked for: `appBuildArtifacts`, `job` */
  async present(builds: readonly Build[], relations: readonly string[] = []): Promise<BuildDto[]> {
    const artifacts = await this.artifacts.ofBuilds(builds.map(({ id }) => id));
    const withJob = relations.some((name) => name === 'job' || name.startsWith('job.'));
    return builds.map((build) => {
      const own = artifacts.filter(({ buildId }) => buildId === build.id);
      return toBuildDto(build, {
        artifactId: own[0]?.id ?? null,
        withJob,
        ...(relations.includes('appBuildArtifacts') ? { artifacts: own.map(toBuildArtifactDto) } : {}),
      });
    });
  }

  /** As `present`, for one build. */
  async presentOne(build: Build, relations?: readonly string[]): Promise<BuildDto> {
    const [dto] = await this.present([build], relations);
    return dto as BuildDto;
  }
}
