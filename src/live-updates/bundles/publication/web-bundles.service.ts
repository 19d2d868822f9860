import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository } from 'typeorm';
import { findOrThrow } from '../../../database/rows.js';
import { transaction } from '../../../database/transactions/transaction.js';
import { BuildArtifactsService } from '../../../native-builds/build-artifacts/build-artifacts.service.js';
import { type BuiltZip, WebBundles } from '../../../native-builds/runner-builds/web-bundles.js';
import { BundleFilesQueries } from '../../bundle-files/bundle-files.queries.js';
import { ManifestComparisonsService } from '../../unsafe-reuse/manifest-comparisons.service.js';
import { Bundle } from '../bundle.entity.js';
import { BundleVerificationService } from './bundle-verification.service.js';
import { UploadedFilesQueries } from './uploaded-files.queries.js';

/** Turns zips that runners built into bundles: by the same verification that uploaded ones pass. */
@Injectable()
export class WebBundlesService extends WebBundles {
  constructor(
    @InjectRepository(Bundle) private readonly bundles: Repository<Bundle>,
    private readonly files: BundleFilesQueries,
    private readonly uploaded: UploadedFilesQueries,
    private readonly verification: BundleVerificationService,
    private readonly comparisons: ManifestComparisonsService,
    private readonly artifacts: BuildArtifactsService,
  ) {
    super();
  }

  override async attach(zip: BuiltZip): Promise<void> {
    await this.bundles
      .createQueryBuilder()
      .insert()
      .values({
        id: zip.id,
        appId: zip.appId,
        channelId: null,
        url: null,
        legalHoldAt: null,
        legalHoldReason: null,
      })
      .orIgnore()
      .execute();
    await this.files.putBuiltZip(zip);
  }

  override async verify(appId: string, id: string): Promise<void> {
    const bundle = { appId, id, type: 'zip' as const, fileId: null };
    const verification = await this.verification.verify(bundle);
    const { sha256: checksum, signature } = verification.main;
    await transaction(async () => {
      // It goes with its build, and with an attempt that is given up.
      await this.artifacts.lock(id);
      const { signed } = verification;
      await this.comparisons.publish(await findOrThrow(this.bundles, { appId, id }), 'zip', verification);
      await this.bundles.update({ appId, id }, { checksum, signature, signed });
    });
  }

  override async publish(id: string): Promise<boolean> {
    const zip = await this.uploaded.verifiedZip(id);
    if (zip === null) return false;
    await this.artifacts.markReady(id, {
      blobId: zip.blobId,
      fileName: zip.name,
      fileMimeType: 'application/zip',
      fileSizeInBytes: zip.sizeInBytes,
      totalSizeInBytes: zip.sizeInBytes,
    });
    return true;
  }
}
