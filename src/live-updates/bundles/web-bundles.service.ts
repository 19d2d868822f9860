import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { findOrThrow } from '../../database/rows.js';
import { sql } from '../../database/sql.js';
import { transaction } from '../../database/transactions/transaction.js';
import { BuildArtifactsService } from '../../native-builds/build-artifacts/build-artifacts.service.js';
import { type BuiltZip, WebBundles } from '../../native-builds/runner-builds/web-bundles.js';
import { UnsafeReuseService } from '../unsafe-reuse/unsafe-reuse.service.js';
import { Bundle } from './bundle.entity.js';
import { BundleVerificationService } from './bundle-verification.service.js';

/** Turns zips that runners built into bundles: by the same verification that uploaded ones pass. */
@Injectable()
export class WebBundlesService extends WebBundles {
  constructor(
    @InjectRepository(Bundle) private readonly bundles: Repository<Bundle>,
    private readonly verification: BundleVerificationService,
    private readonly reuses: UnsafeReuseService,
    private readonly artifacts: BuildArtifactsService,
  ) {
    super();
  }

  override async attach({ appId, id, fileName, blobId, content, signature }: BuiltZip): Promise<void> {
    await this.bundles
      .createQueryBuilder()
      .insert()
      .values({ id, appId, channelId: null, url: null, legalHoldAt: null, legalHoldReason: null })
      .orIgnore()
      .execute();
    await sql(
      `INSERT INTO bundle_files (id, bundle_id, href, name, mime_type, size_in_bytes, checksum, signature, blob_id)
       VALUES ($1, $2, '', $3, 'application/zip', $4, $5, $6, $7)
       ON CONFLICT (bundle_id, href) DO UPDATE SET name = excluded.name, size_in_bytes = excluded.size_in_bytes,
              checksum = excluded.checksum, signature = excluded.signature, blob_id = excluded.blob_id,
              updated_at = now()`,
      [uuid(), id, fileName, content.sizeInBytes, content.sha256, signature, blobId],
    );
  }

  override async verify(appId: string, id: string): Promise<void> {
    const bundle = { appId, id, type: 'zip' as const, fileId: null };
    const verification = await this.verification.verify(bundle);
    const { sha256: checksum, signature } = verification.main;
    await transaction(async () => {
      // It goes with its build, and with an attempt that is given up.
      await this.artifacts.lock(id);
      const { signed } = verification;
      await this.reuses.publish(await findOrThrow(this.bundles, { appId, id }), 'zip', verification);
      await this.bundles.update({ appId, id }, { checksum, signature, signed });
    });
  }

  override async publish(id: string): Promise<boolean> {
    const rows = await sql<{ name: string; sizeInBytes: number; blobId: string }>(
      `SELECT file.name, file.size_in_bytes AS "sizeInBytes", file.blob_id AS "blobId"
         FROM bundles AS bundle JOIN bundle_files AS file ON file.bundle_id = bundle.id AND file.href = ''
        WHERE bundle.id = $1 AND bundle.checksum = file.checksum`,
      [id],
    );
    const [file] = rows;
    if (file === undefined) return false;
    await this.artifacts.markReady(id, {
      blobId: file.blobId,
      fileName: file.name,
      fileMimeType: 'application/zip',
      fileSizeInBytes: file.sizeInBytes,
      totalSizeInBytes: file.sizeInBytes,
    });
    return true;
  }
}
