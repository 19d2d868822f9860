import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import {
  type AppError,
  ForbiddenError,
  InvalidRequestError,
  invalidField,
  NotFoundError,
} from '../../common/errors/app-error.js';
import { insertOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { BlobsService, type StagedBlob } from '../blobs/blobs.service.js';
import type { StagedFile } from '../blobs/staging-engine.js';
import type { NewContent } from '../quotas/storage-quotas.queries.js';
import { StorageQuotasService } from '../quotas/storage-quotas.service.js';
import { ObjectNotFoundError } from '../storage-errors.js';
import { StorageReserve } from '../storage-reserve.js';
import type {
  CompleteUploadDto,
  PostUploadQuery,
  PutUploadQuery,
  UploadedPartDto,
  UploadPartDto,
  UploadStepDto,
} from './file-upload.dto.js';
import { Upload } from './upload.entity.js';
import { UploadPart } from './upload-part.entity.js';
import { UploadStorageService } from './upload-storage.service.js';
import type { UploadTarget } from './upload-target.js';
import { type DeletedPart, UploadsQueries } from './uploads.queries.js';

/** Uploads of one owner that are not completed. Clients need one; some begin again after a failure. */
const MAX_UPLOADS_OF_OWNER = 3;

/**
 * Files that arrive in parts, in any order, at once and repeatedly. A part's number arrives behind its bytes, so each
 * part is an object of its own, and completion joins them. Parts count in the storage quota until the file replaces them
 * or the upload ends. See ADR 28.
 */
@Injectable()
export class UploadsService {
  constructor(
    @InjectRepository(Upload) private readonly uploads: Repository<Upload>,
    @InjectRepository(UploadPart) private readonly parts: Repository<UploadPart>,
    private readonly queries: UploadsQueries,
    private readonly blobs: BlobsService,
    private readonly files: UploadStorageService,
    private readonly quotas: StorageQuotasService,
    private readonly reserve: StorageReserve,
  ) {}

  /**
   * Before a resource announces a file: checks that there is room for it.
   *
   * @param content `null`: not known yet
   * @throws ForbiddenError when the organization may not store it
   * @throws InsufficientStorageError when it would use the reserve
   */
  async requireRoom(organizationId: string, content: NewContent | null): Promise<void> {
    await this.reserve.require(content?.sizeInBytes);
    await this.quotas.requireRoom(organizationId, content);
  }

  /**
   * Begins an upload, or completes it. A completion can be repeated.
   *
   * @throws NotFoundError for an unknown upload
   * @throws InvalidRequestError when a part is missing, or the file is not the announced one. In the second case the
   *   upload ends, as it does when the organization may not store the file.
   * @throws InsufficientStorageError when the file would use the reserve
   */
  async post(
    target: UploadTarget,
    { action, uploadId }: PostUploadQuery,
    { parts }: CompleteUploadDto,
  ): Promise<UploadStepDto> {
    if (action === 'mpu-create') return { uploadId: await this.begin(target) };
    if (uploadId === undefined) throw invalidField('uploadId', 'uploadId is required.');
    if (parts === undefined) throw invalidField('parts', 'parts is required.');
    const upload = await this.uploads.findOneBy({ id: uploadId, ownerId: target.ownerId });
    if (upload === null) throw uploadNotFound();
    if (upload.completedAt === null) await this.complete(target, upload, parts);
    await target.afterwards?.();
    return {};
  }

  /**
   * Keeps one part, and replaces an earlier one of the same number. The same part may arrive several times.
   *
   * @param find the target; when it throws, the part is discarded
   * @throws NotFoundError for an unknown or completed upload
   * @throws InvalidRequestError when the other parts are more than was announced already
   * @throws ForbiddenError when the organization may not store more
   */
  async put(
    find: () => Promise<UploadTarget>,
    { uploadId }: PutUploadQuery,
    { partNumber }: UploadPartDto,
    blob: StagedFile | undefined,
  ): Promise<UploadedPartDto> {
    if (blob === undefined) throw invalidField('blob', 'blob is required.');
    const { staged } = blob;
    await this.blobs.discardIfRefused(staged, async () => {
      const target = await find();
      target.requireOpen?.();
      await this.quotas.requireRoom(target.organizationId, null);
      const replaced = await transaction(() => this.keepPart(target, uploadId, partNumber, staged));
      this.quotas.count(target.organizationId, staged.sizeInBytes - (replaced?.sizeInBytes ?? 0));
      if (replaced !== null) await this.discard([replaced]);
    });
    return { etag: staged.sha256, partNumber };
  }

  private async begin(target: UploadTarget): Promise<string> {
    const { ownerId, organizationId, sizeInBytes } = target;
    target.requireOpen?.();
    await this.reserve.require(sizeInBytes);
    const { id } = await insertOrThrow(this.uploads, { ownerId, organizationId, completedAt: null });
    for (const oldest of await this.queries.listBeyond(MAX_UPLOADS_OF_OWNER, ownerId)) await this.end(oldest);
    return id;
  }

  /** @returns what is to be discarded: an earlier part, or these bytes if they are stored already */
  private async keepPart(
    { ownerId, sizeInBytes }: UploadTarget,
    uploadId: string,
    partNumber: number,
    staged: StagedBlob,
  ): Promise<DeletedPart | null> {
    if (!(await this.queries.lock(ownerId, uploadId))) throw uploadNotFound();
    const parts = await this.parts.findBy({ uploadId });
    const earlier = parts.find((part) => part.partNumber === partNumber) ?? null;
    if (earlier?.sha256 === staged.sha256) return staged;
    const others = parts.filter((part) => part !== earlier);
    if (staged.sizeInBytes > 0 && totalOf(others) > sizeInBytes) throw tooManyBytes(sizeInBytes);
    if (earlier !== null) await this.parts.delete({ id: earlier.id });
    await this.parts.insert({ ...staged, uploadId, partNumber });
    return earlier;
  }

  /** Joins the parts, and replaces them with the whole file. */
  private async complete(
    target: UploadTarget,
    upload: Upload,
    wanted: readonly UploadedPartDto[],
  ): Promise<void> {
    const stored = await this.parts.findBy({ uploadId: upload.id });
    const ordered = choose(wanted, stored);
    let deleted: DeletedPart[] = [];
    try {
      const whole = await this.blobs.join(ordered);
      const write = async (blobId: string): Promise<void> => {
        await target.attach(blobId, whole);
        if (!(await this.queries.complete(upload.id))) throw uploadNotFound();
        deleted = await this.queries.deleteParts(upload.id);
      };
      const check = () => target.check(whole);
      await this.files.keep(target.organizationId, whole, check, write, totalOf(stored));
    } catch (error) {
      // The same request, sent twice at once, may have completed or ended the upload.
      const current = await this.uploads.findOneBy({ id: upload.id });
      if (current !== null && current.completedAt !== null) return;
      if (error instanceof InvalidRequestError || error instanceof ForbiddenError) await this.end(upload);
      else if (current === null) throw uploadNotFound();
      else if (error instanceof ObjectNotFoundError) throw partReplaced();
      throw error;
    }
    await this.discard(deleted);
  }

  private async end({ id, organizationId }: Pick<Upload, 'id' | 'organizationId'>): Promise<void> {
    const parts = await this.queries.deleteParts(id);
    await this.uploads.delete({ id });
    if (organizationId !== null) this.quotas.count(organizationId, -totalOf(parts));
    await this.discard(parts);
  }

  /** Removes what no row refers to any more. Retention removes what cannot be removed now. */
  private async discard(objects: readonly Pick<StagedBlob, 'id'>[]): Promise<void> {
    for (const object of objects) await this.blobs.discardUnless(null, object).catch(() => undefined);
  }
}

/**
 * @returns the parts by their numbers
 * @throws InvalidRequestError when one of them is listed twice, or was not stored with this etag
 */
function choose(wanted: readonly UploadedPartDto[], stored: readonly UploadPart[]): UploadPart[] {
  const byName = new Map(stored.map((part) => [`${part.partNumber} ${part.sha256}`, part]));
  return wanted
    .toSorted((a, b) => a.partNumber - b.partNumber)
    .map(({ partNumber, etag }, index, sorted) => {
      if (sorted[index - 1]?.partNumber === partNumber) {
        throw invalidField('parts', `parts: part ${partNumber} is listed twice.`);
      }
      const part = byName.get(`${partNumber} ${etag}`);
      if (part === undefined) {
        throw invalidField('parts', `parts: part ${partNumber} was not uploaded with this etag.`);
      }
      return part;
    });
}

function totalOf(parts: readonly Pick<UploadPart, 'sizeInBytes'>[]): number {
  return parts.reduce((sum, { sizeInBytes }) => sum + sizeInBytes, 0);
}

function tooManyBytes(sizeInBytes: number): AppError {
  return invalidField(
    'blob',
    `blob is not needed: the other parts have more than the ${sizeInBytes} bytes announced.`,
  );
}

function partReplaced(): AppError {
  return invalidField('parts', 'parts: a part was replaced while the parts were joined.');
}

function uploadNotFound(): AppError {
  return new NotFoundError('File upload');
}
