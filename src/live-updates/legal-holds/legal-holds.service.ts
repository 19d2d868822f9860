import { Injectable } from '@nestjs/common';
import { BuildArtifactsService } from '../../native-builds/build-artifacts/build-artifacts.service.js';
import { type BundleDto, toBundleDto } from '../bundles/bundle.dto.js';
import { BundlesService } from '../bundles/bundles.service.js';

/** Legal holds on bundles. The database itself refuses to delete a held one, whatever the deletion is a part of. */
@Injectable()
export class LegalHoldsService {
  constructor(
    private readonly bundles: BundlesService,
    private readonly artifacts: BuildArtifactsService,
  ) {}

  /** Puts a bundle under legal hold; a bundle that is held already keeps the start. @throws NotFoundError */
  async put(appId: string, id: string, reason: string): Promise<BundleDto> {
    return toBundleDto(await this.bundles.setLegalHold(appId, id, reason), await this.artifacts.get(id));
  }

  /** Releases a bundle from legal hold; does nothing if it is not held. @throws NotFoundError */
  async delete(appId: string, id: string): Promise<void> {
    await this.bundles.setLegalHold(appId, id, null);
  }
}
