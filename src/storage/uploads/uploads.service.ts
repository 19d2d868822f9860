import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, IsNull, type Repository } from 'typeorm';
import { databaseNow } from '../../common/database-clock.js';
import {
  type AppError,
  ForbiddenError,
  GoneError,
  InvalidRequestError,
  invalidField,
  NotFoundError,
} from '../../common/errors/app-error.js';
import { insertOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { BlobsService, type StagedBlob } from '../blobs/blobs.service.js';
import type { StagedFile } from '../blobs/staging-engine.js';
import { StorageQuotasService } from './storage-quotas.service.js';
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

/** Uploads of one owner that are not completed. Clients need one; some begin again after a failure. */
const MAX_UPLOADS_OF_OWNER = 3;

/**
 * Files that arrive in parts, in any order, at once and repeatedly. A part's number arrives behind its bytes, so each
 * part is a separate object, and completion joins them. Parts count in the storage quota until the file replaces them
 * or the upload ends. See ADR 28.
 */
@Injectable()
export class UploadsService {
  constructor(
    @InjectRepository(Upload) private readonly uploads: Repository<Upload>,
    @InjectRepository(UploadPart) private readonly parts: Repository<UploadPart>,
    private readonly blobs: BlobsService,
    private readonly storage: UploadStorageService,
    private readonly quotas: StorageQuotasService,
    private readonly reserve: StorageReserve,
  ) {}

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
    // Before the upload: the completion by another request deletes them, and then this one finds it completed.
    const stored = await this.parts.findBy({ uploadId });
    const upload = await this.uploads.findOneBy({ id: uploadId, ownerId: target.ownerId });
    if (upload === null) throw uploadNotFound();
    if (upload.completedAt === null) await this.complete(target, upload, parts, stored);
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
    const oldest = await this.uploads.find({
      where: { ownerId, completedAt: IsNull() },
      order: { createdAt: 'DESC', id: 'DESC' },
      skip: MAX_UPLOADS_OF_OWNER,
    });
    for (const upload of oldest) await this.end(upload);
    return id;
  }

  /** @returns what is to be discarded: an earlier part, or these bytes if they are stored already */
  private async keepPart(
    { ownerId, sizeInBytes }: UploadTarget,
    uploadId: string,
    partNumber: number,
    staged: StagedBlob,
  ): Promise<StagedBlob | null> {
    if (!(await this.lock({ id: uploadId, ownerId }))) throw uploadNotFound();
    const parts = await this.parts.findBy({ uploadId });
    const earlier = parts.find((part) => part.partNumber === partNumber) ?? null;
    if (earlier?.sha256 === staged.sha256) return staged;
    const others = parts.filter((part) => part !== earlier);
    if (staged.sizeInBytes > 0 && totalOf(others) > sizeInBytes) {
      const message = `blob is not needed: the other parts have more than the ${sizeInBytes} bytes announced.`;
      throw invalidField('blob', message);
    }
    if (earlier !== null) await this.parts.delete({ id: earlier.id });
    await this.parts.insert({ ...staged, uploadId, partNumber });
    return earlier;
  }

  /** Joins the stored parts, and replaces them with the whole file. */
  private async complete(
    target: UploadTarget,
    upload: Upload,
    wanted: readonly UploadedPartDto[],
    stored: readonly UploadPart[],
  ): Promise<void> {
    const { id } = upload;
    const ordered = chooseParts(wanted, stored);
    try {
      const whole = await this.blobs.join(ordered);
      const check = () => target.check(whole);
      const write = async (blobId: string): Promise<void> => {
        await target.attach(blobId, whole);
        const completed = { completedAt: databaseNow() };
        const { affected } = await this.uploads.update({ id, completedAt: IsNull() }, completed);
        if (affected === 0) throw uploadNotFound();
        await this.parts.delete({ uploadId: id });
      };
      await this.storage.keep(target.organizationId, whole, check, write, totalOf(stored));
    } catch (error) {
      // This request, or the same one at the same time, may have completed or ended the upload.
      const current = await this.uploads.findOneBy({ id });
      if (current !== null && current.completedAt !== null) return;
      if (error instanceof InvalidRequestError || error instanceof ForbiddenError) await this.end(upload);
      // A lost lease says more.
      else if (current === null && !(error instanceof GoneError)) throw uploadNotFound();
      else if (error instanceof ObjectNotFoundError) throw partReplaced();
      throw error;
    }
    await this.discard(stored);
  }

  /** Ends an upload without a file. Of several calls, one gives back what its parts count. */
  private async end({ id, organizationId }: Upload): Promise<void> {
    const parts = await transaction(async () => {
      if (!(await this.lock({ id }))) return [];
      const ended = await this.parts.findBy({ uploadId: id });
      await this.uploads.delete({ id });
      return ended;
    });
    if (organizationId !== null) this.quotas.count(organizationId, -totalOf(parts));
    await this.discard(parts);
  }

  /** Parts of one upload wait for each other here. @returns whether there is such an upload, not completed */
  private async lock(where: FindOptionsWhere<Upload>): Promise<boolean> {
    const incomplete = { ...where, completedAt: IsNull() };
    return (await this.uploads.findOne({ where: incomplete, lock: { mode: 'pessimistic_write' } })) !== null;
  }

  /** Removes what no row refers to. Retention removes what cannot be removed now. */
  private async discard(objects: readonly Pick<StagedBlob, 'id'>[]): Promise<void> {
    for (const object of objects) await this.blobs.discardUnless(null, object).catch(() => undefined);
  }
}

function totalOf(parts: readonly UploadPart[]): number {
  return parts.reduce((sum, { sizeInBytes }) => sum + sizeInBytes, 0);
}

function partReplaced(): AppError {
  return invalidField('parts', 'parts: a part was replaced while the parts were joined.');
}

function uploadNotFound(): AppError {
  return new NotFoundError('File upload');
}

/**
 * The stored parts that a file is joined of.
 *
 * @param wanted in any order
 * @returns them by their numbers
 * @throws InvalidRequestError when one of them is listed twice, or was not stored with this etag
 */
export function chooseParts<P extends Pick<UploadPart, 'partNumber' | 'sha256'>>(
  wanted: readonly UploadedPartDto[],
  stored: readonly P[],
): P[] {
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
