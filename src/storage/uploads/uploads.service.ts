import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import {
  type AppError,
  InvalidRequestError,
  invalidField,
  NotFoundError,
} from '../../common/errors/app-error.js';
import { insertOrThrow, translate } from '../../database/rows.js';
import { sqlCount } from '../../database/sql.js';
import { BlobsService, type StagedBlob } from '../blobs/blobs.service.js';
import { Upload } from './upload.entity.js';
import { UPLOAD_PARTS_UPLOAD_FKEY, UploadPart } from './upload-part.entity.js';

/** Names one stored part. */
export interface PartReference {
  /** From 1. */
  readonly partNumber: number;
  /** As `addPart` returned it. */
  readonly etag: string;
}

/**
 * Files that arrive in parts, in any order, at once and repeatedly. A part's number arrives behind its bytes, so each
 * part is an object of its own, and completion joins them. An upload belongs to an owner, which the caller has authorized.
 * See ADR 28.
 */
@Injectable()
export class UploadsService {
  constructor(
    @InjectRepository(Upload) private readonly uploads: Repository<Upload>,
    @InjectRepository(UploadPart) private readonly parts: Repository<UploadPart>,
    private readonly blobs: BlobsService,
  ) {}

  /** Begins an upload. @returns its id */
  async begin(ownerId: string): Promise<string> {
    return (await insertOrThrow(this.uploads, { ownerId, completedAt: null })).id;
  }

  /**
   * Keeps one part. The same part may arrive several times.
   *
   * @param staged its bytes, which the caller discards when this throws an `AppError`
   * @returns its etag
   * @throws NotFoundError for an unknown or completed upload
   */
  async addPart(ownerId: string, uploadId: string, partNumber: number, staged: StagedBlob): Promise<string> {
    const upload = await this.get(ownerId, uploadId);
    if (upload.completedAt !== null) throw uploadNotFound();
    const inserted = await translate({ [UPLOAD_PARTS_UPLOAD_FKEY]: uploadNotFound }, () =>
      sqlCount(
        `INSERT INTO upload_parts (id, upload_id, part_number, sha256) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING`,
        [staged.id, upload.id, partNumber, staged.sha256],
      ),
    );
    if (inserted === 0) await this.blobs.discardUnless(null, staged);
    return staged.sha256;
  }

  /**
   * Joins the parts, and gives the whole file to the owner. Does nothing when the upload is completed already.
   *
   * @param wanted the parts by ascending number
   * @param use keeps or discards the whole file. An `InvalidRequestError` of it ends the upload.
   * @throws NotFoundError for an unknown upload
   * @throws InvalidRequestError when a part is missing
   */
  async complete(
    ownerId: string,
    uploadId: string,
    wanted: readonly PartReference[],
    use: (whole: StagedBlob) => Promise<void>,
  ): Promise<void> {
    const upload = await this.get(ownerId, uploadId);
    if (upload.completedAt !== null) return;
    const ordered = choose(wanted, await this.parts.findBy({ uploadId: upload.id }));
    try {
      await use(await this.blobs.join(ordered));
    } catch (error) {
      // The same request, sent twice at once, may have completed or ended the upload.
      const current = await this.uploads.findOneBy({ id: upload.id });
      if (current !== null && current.completedAt !== null) return;
      if (error instanceof InvalidRequestError) await this.end(upload);
      else if (current === null) throw uploadNotFound();
      throw error;
    }
    await this.uploads.update({ id: upload.id }, { completedAt: new Date() });
    await this.discardParts(upload);
  }

  /** @throws NotFoundError */
  private async get(ownerId: string, id: string): Promise<Upload> {
    const upload = await this.uploads.findOneBy({ id, ownerId });
    if (upload === null) throw uploadNotFound();
    return upload;
  }

  private async end(upload: Upload): Promise<void> {
    await this.discardParts(upload);
    await this.uploads.delete({ id: upload.id });
  }

  private async discardParts(upload: Upload): Promise<void> {
    const parts = await this.parts.findBy({ uploadId: upload.id });
    for (const part of parts) await this.blobs.discardUnless(null, part);
    await this.parts.delete({ uploadId: upload.id });
  }
}

/** @throws InvalidRequestError when the parts are not ascending or one of them was not stored with this etag */
function choose(wanted: readonly PartReference[], stored: readonly UploadPart[]): UploadPart[] {
  const byName = new Map(stored.map((part) => [`${part.partNumber} ${part.sha256}`, part]));
  let previous = 0;
  return wanted.map(({ partNumber, etag }) => {
    if (partNumber <= previous) throw invalidField('parts', 'parts must be listed by ascending part number.');
    previous = partNumber;
    const part = byName.get(`${partNumber} ${etag}`);
    if (part === undefined) {
      throw invalidField('parts', `parts: part ${partNumber} was not uploaded with this etag.`);
    }
    return part;
  });
}

function uploadNotFound(): AppError {
  return new NotFoundError('File upload');
}
