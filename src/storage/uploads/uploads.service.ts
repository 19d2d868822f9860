import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { databaseNow } from '../../common/database-clock.js';
import {
  type AppError,
  ForbiddenError,
  InvalidRequestError,
  invalidField,
  NotFoundError,
} from '../../common/errors/app-error.js';
import { insertOrThrow } from '../../database/rows.js';
import { sql } from '../../database/sql.js';
import { transaction } from '../../database/transactions/transaction.js';
import { BlobsService, type StagedBlob } from '../blobs/blobs.service.js';
import { ObjectNotFoundError } from '../storage-errors.js';
import { Upload } from './upload.entity.js';
import { UploadPart } from './upload-part.entity.js';

/** Names one stored part. */
export interface PartReference {
  /** From 1. */
  readonly partNumber: number;
  /** As `addPart` returned it. */
  readonly etag: string;
}

/** What an upload is for. */
export interface UploadOwner {
  readonly id: string;
  /** Announced size of the whole file, in bytes. */
  readonly sizeInBytes: number;
}

/** Uploads of one owner that are not completed. Clients need one; some begin again after a failure. */
const MAX_UPLOADS_OF_OWNER = 3;

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

  /**
   * Begins an upload. An owner has a few at a time: the oldest ones that are not completed end.
   *
   * @param organizationId whose quota its parts count in; `null`: none
   * @returns its id
   */
  async begin(ownerId: string, organizationId: string | null = null): Promise<string> {
    const { id } = await insertOrThrow(this.uploads, { ownerId, organizationId, completedAt: null });
    const ended = await sql<{ id: string }>(
      `SELECT id FROM uploads WHERE owner_id = $1 AND completed_at IS NULL
        ORDER BY created_at DESC, id DESC OFFSET ${MAX_UPLOADS_OF_OWNER}`,
      [ownerId],
    );
    for (const upload of ended) await this.end(upload);
    return id;
  }

  /**
   * Keeps one part, and replaces an earlier one of the same number. The same part may arrive several times.
   *
   * @param staged its bytes, which the caller gives to `discardIfRefused` with this call
   * @returns its etag, and by how many bytes the upload has grown
   * @throws NotFoundError for an unknown or completed upload
   * @throws InvalidRequestError when the other parts are more than was announced already
   */
  async addPart(
    owner: UploadOwner,
    uploadId: string,
    partNumber: number,
    staged: StagedBlob,
  ): Promise<{ etag: string; addedBytes: number }> {
    const replaced = await transaction(async () => {
      const upload = await this.lock(owner.id, uploadId);
      const others = await this.parts.findBy({ uploadId: upload.id });
      const earlier = others.find((part) => part.partNumber === partNumber);
      if (earlier?.sha256 === staged.sha256) return staged;
      const stored = others.reduce((sum, part) => sum + (part === earlier ? 0 : part.sizeInBytes), 0);
      if (staged.sizeInBytes > 0 && stored > owner.sizeInBytes) throw tooManyBytes(owner);
      if (earlier !== undefined) await this.parts.delete({ id: earlier.id });
      await this.parts.insert({
        id: staged.id,
        uploadId: upload.id,
        partNumber,
        sha256: staged.sha256,
        sizeInBytes: staged.sizeInBytes,
      });
      return earlier;
    });
    // The part is stored: what cannot be deleted now, cleaning finds.
    if (replaced !== undefined) await this.blobs.discardUnless(null, replaced).catch(() => undefined);
    return { etag: staged.sha256, addedBytes: staged.sizeInBytes - (replaced?.sizeInBytes ?? 0) };
  }

  /**
   * Joins the parts, and gives the whole file to the owner. Does nothing when the upload is completed already.
   *
   * @param wanted the parts by ascending number
   * @param use keeps or discards the whole file. An `InvalidRequestError` or `ForbiddenError` of it ends the upload.
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
      if (error instanceof InvalidRequestError || error instanceof ForbiddenError) await this.end(upload);
      else if (current === null) throw uploadNotFound();
      else if (error instanceof ObjectNotFoundError) throw partReplaced();
      throw error;
    }
    await this.uploads.update({ id: upload.id }, { completedAt: databaseNow() });
    await this.discardParts(upload);
  }

  /** @throws NotFoundError */
  private async get(ownerId: string, id: string): Promise<Upload> {
    const upload = await this.uploads.findOneBy({ id, ownerId });
    if (upload === null) throw uploadNotFound();
    return upload;
  }

  /**
   * The upload, which takes one part after the other.
   *
   * @throws NotFoundError for an unknown or completed upload
   */
  private async lock(ownerId: string, id: string): Promise<Pick<Upload, 'id'>> {
    const [upload] = await sql<{ id: string }>(
      'SELECT id FROM uploads WHERE id = $1 AND owner_id = $2 AND completed_at IS NULL FOR UPDATE',
      [id, ownerId],
    );
    if (upload === undefined) throw uploadNotFound();
    return upload;
  }

  private async end(upload: Pick<Upload, 'id'>): Promise<void> {
    await this.discardParts(upload);
    await this.uploads.delete({ id: upload.id });
  }

  private async discardParts(upload: Pick<Upload, 'id'>): Promise<void> {
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

function tooManyBytes({ sizeInBytes }: UploadOwner): AppError {
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
