import { Injectable } from '@nestjs/common';
import { BuildArtifactsService } from '../../native-builds/build-artifacts/build-artifacts.service.js';
import { type BundleDto, toBundleDto } from './bundle.dto.js';
import type { Bundle } from './bundle.entity.js';

/** Builds the responses for bundles, with what their artifacts say: one statement for any number. */
@Injectable()
export class BundlesPresenter {
  constructor(private readonly artifacts: BuildArtifactsService) {}

  async present(bundles: readonly Bundle[]): Promise<BundleDto[]> {
    const artifacts = await this.artifacts.getMany(bundles.map(({ id }) => id));
    const byId = new Map(artifacts.map((artifact) => [artifact.id, artifact]));
    return bundles.flatMap((bundle) => {
      const artifact = byId.get(bundle.id);
      // It is deleted with its artifact, perhaps between the two statements.
      return artifact === undefined ? [] : [toBundleDto(bundle, artifact)];
    });
  }

  /** @throws NotFoundError when it has been deleted since it was read */
  async presentOne(bundle: Bundle): Promise<BundleDto> {
    return toBundleDto(bundle, await this.artifacts.get(bundle.id));
  }
}
