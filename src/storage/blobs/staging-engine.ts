import { callbackify } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { StorageEngine } from 'multer';
import { BlobsService, type StagedBlob } from './blobs.service.js';

/** A file part of a multipart request, already in storage. */
export interface StagedFile extends Express.Multer.File {
  readonly staged: StagedBlob;
}

/**
 * Lets multer stream file parts straight into storage while they are hashed. Multer calls `_removeFile` for every
 * part of a request that is aborted or refused by validation.
 */
@Injectable()
export class StagingEngine implements StorageEngine {
  constructor(private readonly blobs: BlobsService) {}

  _handleFile(
    _request: Request,
    file: Express.Multer.File,
    done: (error?: unknown, info?: Partial<StagedFile>) => void,
  ): void {
    callbackify(() => this.stage(file))(done);
  }

  _removeFile(_request: Request, file: StagedFile, done: (error: Error | null) => void): void {
    callbackify(() => this.blobs.discardUnless(null, file.staged))(done);
  }

  private async stage(file: Express.Multer.File): Promise<Partial<StagedFile>> {
    const staged = await this.blobs.stage(file.stream);
    return { staged, size: staged.sizeInBytes };
  }
}
