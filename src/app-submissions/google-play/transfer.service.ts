import { Injectable } from '@nestjs/common';
import type { SubmissionRun } from '../flow/submission-run.js';
import { reportSent } from '../flow/report-sent.js';
import { SealedUploads } from '../flow/sealed-uploads.service.js';
import type { UploadedArtifact } from './api/google-play-responses.js';
import type { GooglePlayClient } from './api/google-play-client.js';
import type { StoreRefusal } from '../calls/refusals/refusal.js';
import { UPLOAD_CHUNK_BYTES, type UploadProgress } from './api/resumable-upload.js';
import { refused } from '../calls/refusals/refused.js';

/** How long one run sends; the next one continues. In milliseconds. */
const RUN_MS = 30_000;
/** Answers in a row without any progress. */
const MAX_STANDSTILLS = 5;

/** A file, and where it goes. */
export interface Transfer {
  readonly what: string;
  readonly sizeInBytes: number;
  /** Bytes of the file, which are asked for one part after the other. */
  readonly read: (start: number, length: number) => Promise<Buffer>;
  /** @returns the address for its bytes */
  readonly begin: (client: GooglePlayClient) => Promise<string>;
}

/** Uploads files in parts, so that another process can continue after each of them. */
@Injectable()
export class TransferService {
  constructor(private readonly sealed: SealedUploads) {}

  /**
   * Sends as much as fits into one run.
   *
   * @returns `null`: there is more to send; otherwise what came of the file
   * @throws StoreRefusal @throws StoreUnreachableError
   */
  async send(
    context: SubmissionRun,
    client: GooglePlayClient,
    transfer: Transfer,
  ): Promise<{ readonly artifact: UploadedArtifact | null } | null> {
    const until = performance.now() + RUN_MS;
    const { sizeInBytes } = transfer;
    const url = await this.addressOf(context, client, transfer);
    let progress = await client.uploadedBytes(url, sizeInBytes);
    // What the store had once: it may forget bytes, but not again and again.
    const { sentBytes } = context.submission;
    let most = progress.done ? sizeInBytes : Math.max(sentBytes, progress.receivedBytes);
    let standstills = 0;
    while (!progress.done) {
      progress = await this.sendPart(client, url, transfer, progress.receivedBytes);
      const sent = progress.done ? sizeInBytes : progress.receivedBytes;
      standstills = sent > most ? 0 : standstills + 1;
      if (standstills >= MAX_STANDSTILLS) throw standstill();
      most = Math.max(most, sent);
      await reportSent(context, most, sizeInBytes);
      if (progress.done || performance.now() <= until) continue;
      // The next run counts from the start.
      if (most <= sentBytes) throw standstill();
      return null;
    }
    await context.save({ sealedUpload: null, sentBytes: sizeInBytes });
    return progress;
  }

  private async addressOf(
    { submission, log, save }: SubmissionRun,
    client: GooglePlayClient,
    transfer: Transfer,
  ): Promise<string> {
    const begun = this.sealed.open(submission);
    if (begun !== null) return begun;
    const url = await transfer.begin(client);
    await save({ sealedUpload: this.sealed.seal(submission, url), sentBytes: 0 });
    await log(`Uploading ${transfer.what}: ${transfer.sizeInBytes.toLocaleString('en')} bytes.`);
    return url;
  }

  private async sendPart(
    client: GooglePlayClient,
    url: string,
    { read, sizeInBytes }: Transfer,
    start: number,
  ): Promise<UploadProgress> {
    const length = Math.min(UPLOAD_CHUNK_BYTES, sizeInBytes - start);
    // The store has all bytes, but no result yet.
    if (length <= 0) return client.uploadedBytes(url, sizeInBytes);
    return client.putChunk(url, start, await read(start, length), sizeInBytes);
  }
}

function standstill(): StoreRefusal {
  return refused(
    'upload_stands_still',
    'Google Play takes no more bytes of the upload. Slipway begins it again; after too many attempts, submit again later.',
    { retry: 'again', does: 'new-upload', afterSeconds: 5 },
  );
}
