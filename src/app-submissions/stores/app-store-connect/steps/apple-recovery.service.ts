import { Injectable } from '@nestjs/common';
import { StoreRefusal } from '../../refusals/refusal.js';
import { refusalOfError, retryDelay } from '../../refusals/retry-delay.js';
import type { StepContext, StepResult } from '../../store.js';
import { appleKeyHash } from '../rate-limits/apple-key-hash.js';
import { AppleAccounts } from './apple-accounts.service.js';
import { removeUpload } from './apple-builds.service.js';
import { progressOf, withoutUpload } from './apple-progress.js';

/** Uploads of one submission. */
const MAX_UPLOADS = 5;
/** Attempts at what App Store Connect does not find, although it has shown it before, or may soon. */
const NOT_FOUND_ATTEMPTS = 6;
const UNKNOWN_APP_ATTEMPTS = 3;
const NOT_FOUND_SECONDS = 2;
/** Fresh builds are not found by groups for some minutes. */
const FRESH_BUILD_SECONDS = 10;
/** Seconds to wait for calls when App Store Connect does not say. */
const QUOTA_SECONDS = 60;

/** Attempts at what Apple often refuses for a moment, by the code of the refusal: as many as take one to four minutes. */
const ATTEMPTS: Readonly<Record<string, number>> = {
  version_locked: 5,
  build_not_attachable: 5,
  review_not_ready: 12,
};

/** Decides how a submission continues after a refusal of App Store Connect. */
@Injectable()
export class AppleRecovery {
  constructor(private readonly accounts: AppleAccounts) {}

  /** @returns `null`: it is refused permanently, or was tried often enough */
  async after(refusal: StoreRefusal, context: StepContext): Promise<StepResult | null> {
    const attempts = ATTEMPTS[refusal.refusal.code];
    if (attempts !== undefined)
      return context.submission.stepAttempts + 1 < attempts ? later(refusal, context) : null;
    switch (refusal.refusal.does) {
      case 'wait-for-quota':
        return this.waitForQuota(refusal, context);
      case 'new-upload':
        return this.newUpload(refusal, context);
      default:
        return refusal.status === 404 ? notFound(context) : later(refusal, context);
    }
  }

  /** Other submissions use up the calls of the key: no attempt of this one. */
  private async waitForQuota(refusal: StoreRefusal, { submission }: StepContext): Promise<StepResult | null> {
    const [key] = await this.accounts.keysOf(submission);
    if (key === undefined) return null;
    const afterSeconds = refusal.refusal.afterSeconds ?? QUOTA_SECONDS;
    const waitsFor = `apple-key ${appleKeyHash(key)}`;
    return { kind: 'wait', waitsFor, message: refusal.message, afterSeconds };
  }

  private async newUpload(refusal: StoreRefusal, context: StepContext): Promise<StepResult | null> {
    const { submission } = context;
    const { buildUploadId, uploads = 0 } = progressOf(submission);
    if (submission.commitSentAt !== null || uploads >= MAX_UPLOADS) return null;
    try {
      if (buildUploadId !== undefined)
        await removeUpload(await this.accounts.clientOf(context), buildUploadId);
    } catch (error) {
      const failure = refusalOfError(error);
      const retry = failure === null ? null : later(failure, context);
      if (retry === null) throw error;
      return retry;
    }
    await context.save(withoutUpload(submission));
    const afterSeconds = Math.max(2 * uploads, refusal.refusal.afterSeconds ?? 0, 1);
    return { kind: 'again', step: 'upload', afterSeconds };
  }
}

function later({ refusal }: StoreRefusal, { submission }: StepContext): StepResult | null {
  const afterSeconds = retryDelay(refusal, submission.stepAttempts + 1);
  return afterSeconds === null ? null : { kind: 'again', afterSeconds };
}

/** Reads answer 404 at times for what exists. */
function notFound({ submission }: StepContext): StepResult | null {
  const attempts = submission.stepAttempts + 1;
  if (submission.step === 'groups') return soon(FRESH_BUILD_SECONDS, attempts);
  const isShown = progressOf(submission).appleAppId !== undefined;
  if (attempts >= (isShown ? NOT_FOUND_ATTEMPTS : UNKNOWN_APP_ATTEMPTS)) return null;
  return soon(NOT_FOUND_SECONDS, attempts);
}

function soon(seconds: number, attempts: number): StepResult | null {
  const refusal = { code: 'not_found', sentence: '', retry: 'again', afterSeconds: seconds } as const;
  const afterSeconds = retryDelay(refusal, attempts);
  return afterSeconds === null ? null : { kind: 'again', afterSeconds };
}
