import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  type S3Client,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { MIN_JOINED_BYTES } from '../object-storage.js';
import type { S3Timeouts } from './s3-clients.js';
import { isMissingUpload, isUnsupported } from './s3-errors.js';

/** Parts that the store copies at once, for one object. */
const COPIES_AT_ONCE = 4;
/** In bytes: the largest part that S3 copies is 5 GiB, and one of this size takes seconds. */
const MAX_COPIED_BYTES = 512 * 1024 * 1024;
/** S3 joins no more parts. */
const MAX_PARTS = 10_000;

/** An object, by its name in the bucket. */
export interface S3Part {
  readonly name: string;
  readonly sizeInBytes: number;
}

/** A multipart upload that is not completed. */
interface OpenUpload {
  readonly Key: string;
  readonly UploadId: string;
}

/** Objects that the store joins itself, and uploads in parts that did not end. */
export class S3Multipart {
  constructor(
    private readonly client: S3Client,
    private readonly bucket: string,
    private readonly timeouts: S3Timeouts,
  ) {}

  /**
   * Lets the store join objects, without reading them.
   *
   * @returns `false`, and nothing is stored, when it cannot
   */
  async join(name: string, sources: readonly S3Part[]): Promise<boolean> {
    const parts = sources.filter(({ sizeInBytes }) => sizeInBytes > 0);
    if (!canJoin(parts)) return false;
    const target = { Bucket: this.bucket, Key: name };
    const { UploadId } = await this.client.send(new CreateMultipartUploadCommand(target));
    const upload = { ...target, UploadId };
    try {
      const Parts = await this.copyAll(parts, upload);
      const options = { requestTimeout: this.timeouts.copy };
      const complete = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } });
      await this.client.send(complete, options);
      return true;
    } catch (error) {
      // The first failure says more. What is not aborted now, `removeAbandoned` finds.
      await this.client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
      if (isUnsupported(error)) return false;
      throw error;
    }
  }

  /** Deletes the uploads of objects below a prefix that nothing was added to since. @returns how many */
  async removeOlderThan(prefix: string, time: Date): Promise<number> {
    let removed = 0;
    for (const upload of await this.olderThan(prefix, time)) {
      const command = new AbortMultipartUploadCommand({ Bucket: this.bucket, ...upload });
      await this.client.send(command).catch((error: unknown) => {
        // Another process was faster.
        if (!isMissingUpload(error)) throw error;
      });
      removed++;
    }
    return removed;
  }

  /** How many uploads `removeOlderThan` would delete. */
  async countOlderThan(prefix: string, time: Date): Promise<number> {
    return (await this.olderThan(prefix, time)).length;
  }

  private async copyAll(
    parts: readonly S3Part[],
    upload: { Bucket: string; Key: string; UploadId: string | undefined },
  ): Promise<CompletedPart[]> {
    const copies = parts.flatMap(rangesOf);
    const completed: CompletedPart[] = [];
    const waiting = copies.entries();
    const work = async (): Promise<void> => {
      for (const [index, { name, range }] of waiting) {
        const PartNumber = index + 1;
        const command = new UploadPartCopyCommand({
          ...upload,
          PartNumber,
          CopySource: `${this.bucket}/${name}`,
          CopySourceRange: range,
        });
        const { CopyPartResult } = await this.client.send(command, { requestTimeout: this.timeouts.copy });
        completed[index] = { PartNumber, ETag: CopyPartResult?.ETag };
      }
    };
    // All end before an abort: a copy that arrives after it would stay.
    const outcomes = await Promise.allSettled(Array.from({ length: COPIES_AT_ONCE }, work));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    return completed;
  }

  private async olderThan(prefix: string, time: Date): Promise<OpenUpload[]> {
    const found: OpenUpload[] = [];
    for await (const { Key, UploadId, initiated } of this.openUploads(prefix)) {
      const upload = { Key, UploadId };
      if (initiated < time && (await this.lastPartOf(upload)) < time) found.push(upload);
    }
    return found;
  }

  private async *openUploads(prefix: string): AsyncGenerator<OpenUpload & { initiated: Date }> {
    let marker: { KeyMarker?: string; UploadIdMarker?: string } = {};
    for (;;) {
      const command = new ListMultipartUploadsCommand({ Bucket: this.bucket, Prefix: prefix, ...marker });
      const page = await this.client.send(command);
      for (const { Key = '', UploadId = '', Initiated = new Date() } of page.Uploads ?? []) {
        yield { Key, UploadId, initiated: Initiated };
      }
      if (page.IsTruncated !== true || page.NextKeyMarker === undefined) return;
      marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    }
  }

  /** When the last part arrived; the beginning of time when none has. */
  private async lastPartOf(upload: OpenUpload): Promise<Date> {
    let last = new Date(0);
    try {
      // Not with the paginator of the SDK: some stores send a marker for the next page with the last one, too.
      for (let marker: string | undefined; ;) {
        const command = new ListPartsCommand({ Bucket: this.bucket, ...upload, PartNumberMarker: marker });
        const page = await this.client.send(command);
        for (const { LastModified = last } of page.Parts ?? []) if (LastModified > last) last = LastModified;
        if (page.IsTruncated !== true || page.NextPartNumberMarker === undefined) return last;
        marker = page.NextPartNumberMarker;
      }
    } catch (error) {
      // It was completed or aborted in the meantime, and is no longer open.
      if (!isMissingUpload(error)) throw error;
      return last;
    }
  }
}

/** Some stores join only parts of one size, of which the last may be smaller. */
function canJoin(parts: readonly S3Part[]): boolean {
  const [first, ...others] = parts;
  const last = others.pop();
  if (first === undefined || parts.flatMap(rangesOf).length > MAX_PARTS) return false;
  if (last === undefined) return true;
  return (
    first.sizeInBytes >= MIN_JOINED_BYTES &&
    others.every(({ sizeInBytes }) => sizeInBytes === first.sizeInBytes) &&
    last.sizeInBytes <= first.sizeInBytes
  );
}

/** The parts of an object that are copied, in order; without a range if that is one. */
function rangesOf({ name, sizeInBytes }: S3Part): { name: string; range?: string }[] {
  if (sizeInBytes <= MAX_COPIED_BYTES) return [{ name }];
  const ranges: { name: string; range: string }[] = [];
  for (let start = 0; start < sizeInBytes; start += MAX_COPIED_BYTES) {
    ranges.push({ name, range: `bytes=${start}-${Math.min(start + MAX_COPIED_BYTES, sizeInBytes) - 1}` });
  }
  return ranges;
}
