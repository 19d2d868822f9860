import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../common/secrets/secret-box.js';
import type { Submission } from '../submissions/submission.entity.js';
import type { SubmissionChanges, SubmissionRun } from './submission-run.js';

/** For a row without an upload: the next one begins at the start. */
export const WITHOUT_UPLOAD = { sealedUpload: null, sentBytes: 0 } as const;

/** Where the bytes of a submission go: addresses that need no other key, sealed in its row. */
@Injectable()
export class SealedUploads {
  constructor(private readonly box: SecretBox) {}

  /** What is written to `sealedUpload`. */
  seal({ id }: Pick<Submission, 'id'>, text: string): string {
    return this.box.seal(text, contextOf(id));
  }

  /** @returns `null`: no upload has begun */
  open({ id, sealedUpload }: Pick<Submission, 'id' | 'sealedUpload'>): string | null {
    return sealedUpload === null ? null : this.box.open(sealedUpload, contextOf(id));
  }
}

function contextOf(id: string): string {
  return `submissions:${id}`;
}

/** The log says how far an upload is after so many percent, at least. */
const PERCENT_STEP = 10;

/** Writes how many bytes of a file were sent, and says it in the log now and then. @param changes are written as well */
export async function reportSent(
  { submission, log, save }: Pick<SubmissionRun, 'submission' | 'log' | 'save'>,
  sent: number,
  sizeInBytes: number,
  changes: SubmissionChanges = {},
): Promise<void> {
  const percentOf = (bytes: number): number => Math.floor((bytes / sizeInBytes) * 100);
  const [before, now] = [percentOf(submission.sentBytes), percentOf(sent)];
  await save({ ...changes, sentBytes: sent });
  if (Math.floor(before / PERCENT_STEP) === Math.floor(now / PERCENT_STEP)) return;
  await log(`Uploaded ${sent.toLocaleString('en')} of ${sizeInBytes.toLocaleString('en')} bytes (${now} %).`);
}
