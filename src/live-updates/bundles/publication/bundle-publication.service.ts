import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { invalidField } from '../../../common/errors/app-error.js';
import type { Warning } from '../../../common/warnings/warning.js';
import { findOrThrow } from '../../../database/rows.js';
import { transaction } from '../../../database/transactions/transaction.js';
import { BuildArtifactsService } from '../../../native-builds/build-artifacts/build-artifacts.service.js';
import { requireUploadedByUser } from '../../../native-builds/build-artifacts/built-artifact.js';
import { BlobsService } from '../../../storage/blobs/blobs.service.js';
import type { BundleDto, UpdateBundleDto } from '../bundle.dto.js';
import { Bundle, type BundleType } from '../bundle.entity.js';
import { BundleVerificationService } from './bundle-verification.service.js';
import {
  BundleChanged,
  BundleWriter,
  type PreparedBundle,
  type WrittenBundle,
} from './bundle-writer.service.js';
import { DerivedFilesService } from './derived-files.service.js';
import { UploadedFilesQueries } from './uploaded-files.queries.js';

/** How often a bundle is verified if its files change during the verification. */
const ATTEMPTS = 3;

/**
 * Makes an uploaded bundle available to devices: all of it or nothing. It is verified first, by what is in storage, and
 * its files are compressed; then one transaction, which no change of its files can get into, makes sure that it is still
 * the same and deploys it.
 */
@Injectable()
export class BundlePublicationService {
  constructor(
    @InjectRepository(Bundle) private readonly bundles: Repository<Bundle>,
    private readonly artifacts: BuildArtifactsService,
    private readonly files: UploadedFilesQueries,
    private readonly verification: BundleVerificationService,
    private readonly derived: DerivedFilesService,
    private readonly writer: BundleWriter,
    private readonly blobs: BlobsService,
  ) {}

  /**
   * Changes a bundle, and publishes it when it is said to be ready. A bundle that is already ready is left unchanged,
   * so that the request may be repeated.
   *
   * @param consequences what it means for devices if it is deployed or changed; never rejected
   * @throws NotFoundError for an unknown bundle, or when the channel has been deleted in the meantime
   * @throws InvalidRequestError naming the first files that are missing or wrong; nothing has changed then
   * @throws ConflictError when the files change all the time, or the channel is frozen
   */
  async update(
    appId: string,
    id: string,
    changes: UpdateBundleDto,
    consequences: Promise<readonly Warning[]>,
  ): Promise<BundleDto> {
    const bundle = await findOrThrow(this.bundles, { appId, id });
    requireUseOfEmergency(changes);
    const publishes = changes.artifactStatus === 'ready';
    for (let attempt = 1; ; attempt++) {
      const prepared = publishes ? await this.prepare(bundle, changes) : null;
      try {
        const written = await this.write(bundle, changes, prepared, await consequences);
        if (prepared !== null) await this.derived.finish(prepared.derived, written.keptBlobId);
        return {
          ...written.bundle,
          pendingCompressions: publishes ? await this.countUncompressed(id) : null,
        };
      } catch (error) {
        if (!(error instanceof BundleChanged) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** Verifies the stored files, compresses them and stages what is made of them. @returns `null`: it is ready already */
  private async prepare({ appId, id }: Bundle, changes: UpdateBundleDto): Promise<PreparedBundle | null> {
    const artifact = await this.artifacts.get(id);
    if (artifact.status === 'ready') return null;
    requireUploadedByUser(artifact);
    const type = artifact.type as BundleType;
    const bundle = { appId, id, type, fileId: changes.appBundleFileId ?? null };
    try {
      const verification = await this.verification.verify(bundle);
      return { bundle, verification, derived: await this.derived.make(type, verification) };
    } catch (error) {
      // Its files are missing, too, when it has been deleted in the meantime.
      await findOrThrow(this.bundles, { appId, id });
      throw error;
    }
  }

  /** One transaction. When it refuses the request, what was staged is discarded. */
  private write(
    bundle: Bundle,
    changes: UpdateBundleDto,
    prepared: PreparedBundle | null,
    consequences: readonly Warning[],
  ): Promise<WrittenBundle> {
    const write = () => transaction(() => this.writer.write(bundle, changes, prepared, consequences));
    const staged = prepared?.derived.named ?? prepared?.derived.flagged ?? null;
    return staged === null ? write() : this.blobs.discardIfRefused(staged, write);
  }

  /** @returns `null`: not known. The bundle is published all the same, so a failure must not be reported as one of it. */
  private countUncompressed(bundleId: string): Promise<number | null> {
    return this.files.countUncompressed(bundleId).catch(() => null);
  }
}

/** @throws InvalidRequestError for an emergency in a request that neither publishes nor changes the share */
function requireUseOfEmergency({ emergency, artifactStatus, rolloutPercentage }: UpdateBundleDto): void {
  if (!emergency || artifactStatus === 'ready' || rolloutPercentage !== undefined) return;
  throw invalidField('emergency', 'emergency requires artifactStatus ready or a rolloutPercentage.');
}
