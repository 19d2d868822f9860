import { pipeline, type Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { DamagedFileError } from '../../common/errors/app-error.js';
import type { Blob } from '../blobs/blob.entity.js';
import { BlobsService } from '../blobs/blobs.service.js';
import { ObjectNotFoundError } from '../storage-errors.js';
import { DamageReports } from './damage-reports.service.js';
import { ExactBody } from './exact-body.js';

/** Reads blobs of which something is made that devices trust. */
@Injectable()
export class VerifiedReads {
  constructor(
    private readonly blobs: BlobsService,
    private readonly reports: DamageReports,
  ) {}

  /**
   * The bytes of a blob, as a stream that the caller must consume or destroy. It fails with `DamagedFileError` before its end
   * when they are others, which is recorded.
   *
   * @throws DamagedFileError when they are gone
   */
  async open({ id, sha256, sizeInBytes }: Pick<Blob, 'id' | 'sha256' | 'sizeInBytes'>): Promise<Readable> {
    const body = await this.blobs.open({ id }).catch(async (error: unknown) => {
      if (!(error instanceof ObjectNotFoundError)) throw error;
      await this.reports.reportBlob(id, 'absent');
      throw new DamagedFileError();
    });
    const content = new ExactBody(sizeInBytes, sha256);
    pipeline(body, content, () => {
      if (content.errored instanceof DamagedFileError) void this.reports.reportBlob(id, 'changed');
    });
    return content;
  }
}
