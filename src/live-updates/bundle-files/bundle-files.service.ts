import { requireUploadedByUser } from '../../native-builds/build-artifacts/built-artifact.js';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { App } from '../../apps/apps/app.entity.js';
import { ConflictError, invalidField, errorOf } from '../../common/errors/app-error.js';
import { findOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { BuildArtifactsService } from '../../native-builds/build-artifacts/build-artifacts.service.js';
import type { StagedBlob } from '../../storage/blobs/blobs.service.js';
import { UploadStorageService } from '../../storage/uploads/upload-storage.service.js';
import type { UploadTarget } from '../../storage/uploads/upload-target.js';
import { BundleFile } from './bundle-file.entity.js';
import { BundleFilesQueries } from './bundle-files.queries.js';
import type { CreateBundleFileDto } from './bundle-file.dto.js';

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
    private readonly queries: BundleFilesQueries,
    private readonly artifacts: BuildArtifactsService,
    private readonly storage: UploadStorageService,
  ) {}

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
    const write = async (blobId: string | null): Promise<BundleFile> => {
      const bundle = await this.queries.getBundle(app.id, bundleId);
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
    };
    if (staged !== null) {
      return this.storage.keep(app.organizationId, staged, () => requireSame(staged, values), write);
    }
    const { checksum: sha256, sizeInBytes } = values;
    await this.storage.requireRoom(app.organizationId, { sha256, sizeInBytes });
    return transaction(() => write(null));
  }

  /**
   * Where the parts of an announced file belong.
   *
   * @throws NotFoundError for an unknown bundle or file
   */
  async targetOf(app: App, bundleId: string, id: string): Promise<UploadTarget> {
    const bundle = await this.queries.getBundle(app.id, bundleId);
    const { checksum, sizeInBytes } = await findOrThrow(this.files, { bundleId: bundle.id, id });
    return {
      ownerId: id,
      organizationId: app.organizationId,
      sizeInBytes,
      check: (whole) => requireSame(whole, { checksum, sizeInBytes }),
      attach: async (blobId) => {
        await this.requirePending(bundle.id);
        // Only if the file was not replaced since the upload began.
        const { affected } = await this.files.update({ id, checksum, sizeInBytes }, { blobId });
        if (affected === 0) throw new ConflictError('The file was replaced while it was being uploaded.');
      },
    };
  }

  /** A lock on the artifact prevents that files change while a bundle is published. */
  private async requirePending(bundleId: string): Promise<{ type: string }> {
    const artifact = await this.artifacts.lockShared(bundleId);
    requireUploadedByUser(artifact);
    if (artifact.status !== 'pending') throw errorOf('bundle_published');
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
