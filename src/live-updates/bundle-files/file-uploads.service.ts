import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import type { App } from '../../apps/apps/app.entity.js';
import { AppError, InvalidRequestError, invalidField, NotFoundError } from '../../common/errors/app-error.js';
import { findOrThrow, insertOrThrow, translate } from '../../database/rows.js';
import { transaction } from '../../database/transaction.js';
import { BlobsService, type StagedBlob } from '../../storage/blobs/blobs.service.js';
import type { BundleFile } from './bundle-file.entity.js';
import { BundleFilesService } from './bundle-files.service.js';
import { FileUpload } from './file-upload.entity.js';
import type { UploadedPartDto } from './file-upload.dto.js';
import { UPLOAD_PARTS_UPLOAD_FKEY, UploadPart } from './upload-part.entity.js';
import { sql, sqlCount } from '../../database/sql.js';

/** Uploads that one transaction forgets. */
const EXPIRED_AT_ONCE = 100;

/** Which upload of which file a part belongs to. */
export interface UploadTarget {
  readonly appId: string;
  readonly bundleId: string;
  readonly fileId: string;
  readonly uploadId: string;
}

/** An upload that nobody is going to complete. */
export interface StaleUpload {
  readonly id: string;
  /** How many parts of it are stored. */
  readonly parts: number;
}

/**
 * Files that arrive in parts: begun, parts in any order and repeatedly, completed. A part's number arrives behind its
 * bytes, so parts are stored as objects of their own and joined at the end, while the whole is hashed.
 */
@Injectable()
export class FileUploadsService {
  constructor(
    @InjectRepository(FileUpload) private readonly uploads: Repository<FileUpload>,
    @InjectRepository(UploadPart) private readonly parts: Repository<UploadPart>,
    private readonly files: BundleFilesService,
    private readonly blobs: BlobsService,
  ) {}

  /** Begins an upload. @returns its id */
  async create(file: BundleFile): Promise<string> {
    return (await insertOrThrow(this.uploads, { bundleFileId: file.id, completedAt: null })).id;
  }

  /**
   * Keeps one part; the same part may come again.
   *
   * @param staged its bytes, already in storage; discarded when the part is refused
   * @returns its etag
   * @throws NotFoundError when the bundle, the file or the upload does not exist, or the upload is completed
   */
  async addPart(target: UploadTarget, partNumber: number, staged: StagedBlob): Promise<string> {
    try {
      const file = await this.files.get(target.appId, target.bundleId, target.fileId);
      const upload = await findOrThrow(this.uploads, { id: target.uploadId, bundleFileId: file.id });
      if (upload.completedAt !== null) throw uploadNotFound();
      const inserted = await translate({ [UPLOAD_PARTS_UPLOAD_FKEY]: uploadNotFound }, () =>
        sql<object>(
          `INSERT INTO upload_parts (id, file_upload_id, part_number, sha256) VALUES ($1, $2, $3, $4)
           ON CONFLICT DO NOTHING RETURNING id`,
          [staged.id, upload.id, partNumber, staged.sha256],
        ),
      );
      if (inserted.length === 0) await this.blobs.discardUnless(null, staged);
      return staged.sha256;
    } catch (error) {
      // After any other failure the row may be there; cleaning finds the bytes if it is not.
      if (error instanceof AppError) await this.blobs.discardUnless(null, staged);
      throw error;
    }
  }

  /**
   * Joins the parts to the file. Repeated after success it does nothing.
   *
   * @param wanted the parts by ascending number
   * @throws NotFoundError for an unknown upload
   * @throws InvalidRequestError when a part is missing, or the whole is not what was announced: then nothing of it
   *   remains and the upload is over
   */
  async complete(
    app: App,
    file: BundleFile,
    uploadId: string,
    wanted: readonly UploadedPartDto[],
  ): Promise<void> {
    const upload = await findOrThrow(this.uploads, { id: uploadId, bundleFileId: file.id });
    if (upload.completedAt !== null) return;
    const ordered = choose(wanted, await this.parts.findBy({ fileUploadId: upload.id }));
    try {
      const staged = await this.blobs.stage(Readable.from(this.read(ordered)));
      await this.files.fill(app, file, staged);
    } catch (error) {
      // The same request, sent twice, may have been completed, or refused, by its twin.
      const current = await this.uploads.findOneBy({ id: upload.id });
      if (current !== null && current.completedAt !== null) return;
      if (error instanceof InvalidRequestError) await this.discard(upload);
      else if (current === null) throw uploadNotFound();
      throw error;
    }
    await this.uploads.update({ id: upload.id }, { completedAt: new Date() });
    await this.discardParts(upload);
  }

  /** Uploads that were begun and left alone since before the given time, or whose parts were left behind. */
  listStale(olderThan: Date): Promise<StaleUpload[]> {
    return sql<StaleUpload>(
      `SELECT upload.id, count(part.id)::int AS parts
         FROM file_uploads AS upload LEFT JOIN upload_parts AS part ON part.file_upload_id = upload.id
        GROUP BY upload.id
       HAVING coalesce(upload.completed_at, max(part.created_at), upload.created_at) < $1
          AND (upload.completed_at IS NULL OR count(part.id) > 0)`,
      [olderThan],
    );
  }

  /**
   * Forgets such uploads, at most a hundred at a time; their parts go with them. One that goes on at that moment stays.
   *
   * @returns how many there were
   */
  async expire(olderThan: Date): Promise<number> {
    const uploads = (await this.listStale(olderThan)).map(({ id }) => id);
    let expired = 0;
    for (let start = 0; start < uploads.length; start += EXPIRED_AT_ONCE) {
      expired += await this.expireBatch(uploads.slice(start, start + EXPIRED_AT_ONCE), olderThan);
    }
    return expired;
  }

  /** Forgets uploads. Their parts are objects that nobody knows any more then. */
  async forget(uploads: readonly StaleUpload[]): Promise<void> {
    await this.uploads.delete({ id: In(uploads.map(({ id }) => id)) });
  }

  /** Whether the object of this id in storage is a part of an upload. */
  ownsPart(id: string): Promise<boolean> {
    return this.parts.existsBy({ id });
  }

  private expireBatch(ids: readonly string[], olderThan: Date): Promise<number> {
    return transaction(async () => {
      // A part that is just arriving holds its upload, which is left alone then.
      const locked = await sql<{ id: string }>(
        'SELECT id FROM file_uploads WHERE id = ANY($1) ORDER BY id FOR UPDATE SKIP LOCKED',
        [ids],
      );
      const deleted = await sqlCount(
        `DELETE FROM file_uploads AS upload
          WHERE id = ANY($1) AND NOT EXISTS (
            SELECT FROM upload_parts AS part WHERE part.file_upload_id = upload.id AND part.created_at >= $2)`,
        [locked.map(({ id }) => id), olderThan],
      );
      return deleted;
    });
  }

  private async *read(parts: readonly UploadPart[]): AsyncGenerator<Buffer> {
    for (const part of parts) yield* (await this.blobs.open(part)) as AsyncIterable<Buffer>;
  }

  private async discard(upload: FileUpload): Promise<void> {
    await this.discardParts(upload);
    await this.uploads.delete({ id: upload.id });
  }

  private async discardParts(upload: FileUpload): Promise<void> {
    const parts = await this.parts.findBy({ fileUploadId: upload.id });
    for (const part of parts) await this.blobs.discardUnless(null, part);
    await this.parts.delete({ fileUploadId: upload.id });
  }
}

/** @throws InvalidRequestError when the parts are not ascending or one of them was not stored with this etag */
function choose(wanted: readonly UploadedPartDto[], stored: readonly UploadPart[]): UploadPart[] {
  let previous = 0;
  return wanted.map(({ partNumber, etag }) => {
    if (partNumber <= previous) throw invalidField('parts', 'parts must be listed by ascending part number.');
    previous = partNumber;
    const part = stored.find((candidate) => candidate.partNumber === partNumber && candidate.sha256 === etag);
    if (part === undefined) {
      throw invalidField('parts', `parts: part ${partNumber} was not uploaded with this etag.`);
    }
    return part;
  });
}

function uploadNotFound(): AppError {
  return new NotFoundError('File upload');
}
