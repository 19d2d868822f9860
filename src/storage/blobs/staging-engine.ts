import { callbackify } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { StorageEngine } from 'multer';
import type { TenantRequest } from '../../common/access/tenant-request.js';
import { Limits } from '../../common/background/limits.js';
import { BlobsService, type StagedBlob } from './blobs.service.js';

/** A file part of a multipart request, already in storage. */
export interface StagedFile extends Express.Multer.File {
  readonly staged: StagedBlob;
}

/**
 * Lets multer stream file parts straight into storage while they are hashed. They come as slowly as clients like, so each
 * account has a share: half of what an object storage takes (see `S3ObjectStorage`). Multer calls `_removeFile` for every
 * part of a request that is aborted or refused by validation.
 */
@Injectable()
export class StagingEngine implements StorageEngine {
  constructor(
    private readonly blobs: BlobsService,
    private readonly limits: Limits,
  ) {}

  _handleFile(
    request: TenantRequest,
    file: Express.Multer.File,
    done: (error?: unknown, info?: Partial<StagedFile>) => void,
  ): void {
    callbackify(() => this.stage(request, file))(done);
  }

  _removeFile(_request: TenantRequest, file: StagedFile, done: (error: Error | null) => void): void {
    callbackify(() => this.blobs.discardUnless(null, file.staged))(done);
  }

  private async stage(
    { tenantId }: TenantRequest,
    { stream }: Express.Multer.File,
  ): Promise<Partial<StagedFile>> {
    if (tenantId === undefined) throw new Error('This route takes files, and belongs to no organization.');
    // A client that leaves while it waits ends the stream with an error, which storing it reports.
    stream.on('error', () => undefined);
    const staged = await this.limits.run('uploads', tenantId, () => this.blobs.stage(stream));
    return { staged, size: staged.sizeInBytes };
  }
}
