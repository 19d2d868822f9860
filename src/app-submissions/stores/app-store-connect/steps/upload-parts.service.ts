import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { BlobsService } from '../../../../storage/blobs/blobs.service.js';
import { ObjectNotFoundError } from '../../../../storage/storage-errors.js';
import type { Submission } from '../../../submissions/submission.entity.js';
import type { StepContext } from '../../store.js';
import { reportSent } from '../../uploads/report-sent.js';
import { chunksOf, sendOperation, type UploadOperation } from '../upload-operations.js';
import { fileDamaged } from '../testflight-builds/step-refusals.js';
import { progressOf } from './apple-progress.js';

/** How long one run sends; the next one continues. In milliseconds. */
const RUN_MS = 30_000;
/** Parts that are sent at once, a few megabytes of each in memory. */
const AT_ONCE = 3;

/** Sends the parts of a file, so that another process can continue after each of them. */
@Injectable()
export class UploadParts {
  constructor(private readonly blobs: BlobsService) {}

  /** Checks that the file is stored as long as it was, before Apple knows of it. @throws StoreRefusal */
  async requireFile({ blobId: id, sizeInBytes }: Submission): Promise<void> {
    const { damagedAt } = await this.blobs.get(id);
    if (damagedAt !== null) throw fileDamaged();
    try {
      (await this.blobs.openRange({ id }, { start: 0, length: sizeInBytes })).destroy();
    } catch (error) {
      throw error instanceof ObjectNotFoundError || error instanceof RangeError ? fileDamaged() : error;
    }
  }

  /**
   * Sends as much as fits into one run, in the order of the file.
   *
   * @returns whether all parts are sent
   * @throws StoreRefusal @throws StoreUnreachableError
   */
  async send(context: StepContext, operations: readonly UploadOperation[]): Promise<boolean> {
    const until = performance.now() + RUN_MS;
    let sentParts = progressOf(context.submission).sentParts ?? 0;
    while (sentParts < operations.length) {
      const parts = operations.slice(sentParts, sentParts + AT_ONCE);
      const results = await Promise.allSettled(parts.map((part) => this.sendPart(context, part)));
      const failed = results.find((result) => result.status === 'rejected');
      sentParts += failed === undefined ? parts.length : results.indexOf(failed);
      await this.keep(context, operations, sentParts);
      if (failed !== undefined) throw failed.reason;
      if (performance.now() > until && sentParts < operations.length) return false;
    }
    return true;
  }

  private async sendPart({ submission, session }: StepContext, operation: UploadOperation): Promise<void> {
    const blob = { id: submission.blobId };
    const read = async (start: number, length: number): Promise<Uint8Array> =>
      buffer(await this.blobs.openRange(blob, { start, length }));
    await sendOperation(session, operation, chunksOf(read, operation));
  }

  private async keep(
    context: StepContext,
    operations: readonly UploadOperation[],
    sentParts: number,
  ): Promise<void> {
    const { submission } = context;
    const progress = progressOf(submission);
    if (sentParts === (progress.sentParts ?? 0)) return;
    const last = operations[sentParts - 1];
    const sent = last === undefined ? 0 : last.offset + last.length;
    await reportSent(context, sent, submission.sizeInBytes, { external: { ...progress, sentParts } });
  }
}
