import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { updateOrThrow } from '../../database/rows.js';
import { BuildArtifactsService } from '../../native-builds/build-artifacts/build-artifacts.service.js';
import { type BundleDto, toBundleDto } from '../bundles/bundle.dto.js';
import { Bundle } from '../bundles/bundle.entity.js';

/** Legal holds on bundles. The database itself refuses to delete a held one, whatever the deletion is a part of. */
@Injectable()
export class LegalHoldsService {
  constructor(
    @InjectRepository(Bundle) private readonly bundles: Repository<Bundle>,
    private readonly artifacts: BuildArtifactsService,
  ) {}

  /** Puts a bundle under legal hold; a bundle that is held already keeps the start. @throws NotFoundError */
  async put(appId: string, id: string, reason: string): Promise<BundleDto> {
    const bundle = await updateOrThrow(
      this.bundles,
      { appId, id },
      { legalHoldAt: () => 'coalesce(legal_hold_at, now())', legalHoldReason: reason },
    );
    return toBundleDto(bundle, await this.artifacts.get(id));
  }

  /** Releases a bundle from legal hold; does nothing if it is not held. @throws NotFoundError */
  async delete(appId: string, id: string): Promise<void> {
    await updateOrThrow(this.bundles, { appId, id }, { legalHoldAt: null, legalHoldReason: null });
  }
}
