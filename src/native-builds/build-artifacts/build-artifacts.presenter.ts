import { Injectable } from '@nestjs/common';
import { ArtifactDetailsService } from '../artifact-details/artifact-details.service.js';
import { type BuildArtifactDto, toBuildArtifactDto } from './build-artifact.dto.js';
import type { BuildArtifact } from './build-artifact.entity.js';

/** Presents artifacts, with what their files say, in one statement for any number of them. */
@Injectable()
export class BuildArtifactsPresenter {
  constructor(private readonly details: ArtifactDetailsService) {}

  /** @param artifacts of one app */
  async present(appId: string, artifacts: readonly BuildArtifact[]): Promise<BuildArtifactDto[]> {
    const details = await this.details.find(artifacts.map(({ id }) => id));
    return artifacts.map((artifact) =>
      toBuildArtifactDto(artifact, { appId, details: details.get(artifact.id) ?? null, downloadUrl: null }),
    );
  }

  /** @param downloadUrl a signed address; `null`: the artifact cannot be downloaded */
  async presentOne(
    appId: string,
    artifact: BuildArtifact,
    downloadUrl: string | null,
  ): Promise<BuildArtifactDto> {
    const details = await this.details.findOne(artifact.id);
    return toBuildArtifactDto(artifact, { appId, details, downloadUrl });
  }
}
