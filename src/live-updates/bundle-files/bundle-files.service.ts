import { requireUploadedByUser } from '../../native-builds/build-artifacts/built-artifact.js';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { App } from '../../apps/apps/app.entity.js';
import { ConflictError, invalidField } from '../../common/errors/app-error.js';
import { findOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { BuildArtifactsService } from '../../native-builds/build-artifacts/build-artifacts.service.js';
import { BlobRepairsService } from '../../storage/blobs/blob-repairs.service.js';
import { BlobsService, type StagedBlob } from '../../storage/blobs/blobs.service.js';
import { StorageQuotasService } from '../../storage/quotas/storage-quotas.service.js';
import { BundleFile } from './bundle-file.entity.js';
import { BundlesService } from '../bundles/bundles.service.js';
import type { CreateBundleFileDto } from './create-bundle-file.dto.js';

/** The columns that a new file of the same path replaces. */
const REPLACED_COLUMNS = [
  'name',
  'mime_type',
  'size_in_bytes',
  'checksum',
  'signature',
  'blob_id',
  'updated_at',
];

@Injectable()
export class BundleFilesService {
  constructor(
    @InjectRepository(BundleFile) private readonly files: Repository<BundleFile>,
    private readonly bundles: BundlesService,
    private readonly artifacts: BuildArtifactsService,
    private readonly blobs: BlobsService,
    private readonly repairs: BlobRepairsService,
    private readonly quotas: StorageQuotasService,
  ) {}

  /**
   * A file of a bundle.
   *
   * @throws NotFoundError for an unknown app, bundle or file
   */
  async get(appId: string, bundleId: string, id: string): Promise<BundleFile> {
    const bundle = await this.bundles.get(appId, bundleId);
    return findOrThrow(this.files, { bundleId: bundle.id, id });
  }

  /**
   * Adds a file to a bundle, or replaces the one of the same path.
   *
   * @param staged its bytes, already in storage; `null` when they follow in parts
   * @throws NotFoundError for an unknown bundle
   * @throws ConflictError when the bundle is published
   * @throws ForbiddenError when the organization may not store them
   * @throws InvalidRequestError when the bytes differ from the announced ones; they are discarded
   */
  async create(
    app: App,
    bundleId: string,
    values: CreateBundleFileDto,
    staged: StagedBlob | null,
  ): Promise<BundleFile> {
    return this.store(app, staged, values, async (blobId) => {
      const bundle = await this.bundles.get(app.id, bundleId);
      const { type } = await this.requirePending(bundle.id);
      if (type === 'manifest' && values.href === undefined) {
        throw invalidField('href', 'href is required for the files of a bundle in manifest form.');
      }
      return this.upsert({
        bundleId: bundle.id,
        // A zip is the only file of its bundle, so it needs no path.
        href: type === 'manifest' ? (values.href ?? '') : '',
        name: values.name,
        mimeType: values.mimeType,
        sizeInBytes: values.sizeInBytes,
        checksum: values.checksum,
        signature: values.signature ?? null,
        blobId,
      });
    });
  }

  /**
   * Gives an announced file its bytes.
   *
   * @throws ConflictError when the bundle is published
   * @throws ForbiddenError when the organization may not store them
   * @throws InvalidRequestError when the bytes are not the ones that were announced; nothing of them remains
   */
  async fill(app: App, file: BundleFile, staged: StagedBlob): Promise<void> {
    // The parts that it was joined of are deleted.
    await this.store(app, staged, { ...file, freedBytes: staged.sizeInBytes }, async (blobId) => {
      await this.requirePending(file.bundleId);
      // Only if the file was not replaced since the upload began.
      const { affected } = await this.files.update(
        { id: file.id, checksum: file.checksum, sizeInBytes: file.sizeInBytes },
        { blobId },
      );
      if (affected === 0) throw new ConflictError('The file was replaced while it was being uploaded.');
      return file;
    });
  }

  /** Keeps staged bytes if `write` succeeds; otherwise discards them. */
  private async store(
    app: App,
    staged: StagedBlob | null,
    announced: Pick<BundleFile, 'checksum' | 'sizeInBytes'> & { freedBytes?: number },
    write: (blobId: string | null) => Promise<BundleFile>,
  ): Promise<BundleFile> {
    const { checksum: sha256, sizeInBytes } = announced;
    if (staged === null) {
      await this.quotas.requireRoom(app.organizationId, { sha256, sizeInBytes });
      return transaction(() => write(null));
    }
    const [file, blobId] = await this.blobs.discardIfRefused(staged, async () => {
      requireSame(staged, announced);
      await this.quotas.takeRoom(app.organizationId, staged, announced.freedBytes);
      return transaction(async () => {
        const kept = await this.blobs.keep(app.organizationId, staged);
        return [await write(kept), kept] as const;
      });
    });
    await this.repairs.settle(staged, blobId);
    return file;
  }

  /** A lock on the artifact prevents that files change while a bundle is published. */
  private async requirePending(bundleId: string): Promise<{ type: string }> {
    const artifact = await this.artifacts.lockShared(bundleId);
    requireUploadedByUser(artifact);
    if (artifact.status !== 'pending') {
      throw new ConflictError(
        'The bundle is published; its files cannot change any more.',
        'bundle_published',
      );
    }
    return artifact;
  }

  private async upsert(values: Omit<BundleFile, 'id' | 'createdAt' | 'updatedAt'>): Promise<BundleFile> {
    const files = this.files;
    const { bundleId, href } = values;
    // The id stays the same, because uploads in parts refer to it.
    await files
      .createQueryBuilder()
      .insert()
      .values({ id: uuid(), ...values })
      .orUpdate(REPLACED_COLUMNS, ['bundle_id', 'href'])
      .execute();
    return findOrThrow(files, { bundleId, href });
  }
}

function requireSame(staged: StagedBlob, announced: Pick<BundleFile, 'checksum' | 'sizeInBytes'>): void {
  if (staged.sizeInBytes !== announced.sizeInBytes) {
    throw invalidField('sizeInBytes', `sizeInBytes is wrong: ${staged.sizeInBytes} bytes were received.`);
  }
  if (staged.sha256 !== announced.checksum) {
    throw invalidField('checksum', 'checksum does not match the bytes that were received.');
  }
}
