import { Injectable } from '@nestjs/common';
import { BuildArtifactsService } from '../build-artifacts/build-artifacts.service.js';
import { toBuildArtifactDto } from '../build-artifacts/build-artifact.dto.js';
import type { Build } from './build.entity.js';
import { type BuildDto, toBuildDto } from './build.dto.js';

/** Presents builds, with their artifacts in one statement for any number of builds. */
@Injectable()
export class BuildsPresenter {
  constructor(private readonly artifacts: BuildArtifactsService) {}

  /** @param relations to include: `appBuildArtifacts`, `job` */
  async present(builds: readonly Build[], relations: readonly string[] = []): Promise<BuildDto[]> {
    const artifacts = await this.artifacts.listAll(builds.map(({ id }) => id));
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

  async presentOne(build: Build, relations?: readonly string[]): Promise<BuildDto> {
    const [dto] = await this.present([build], relations);
    return dto as BuildDto;
  }
}
