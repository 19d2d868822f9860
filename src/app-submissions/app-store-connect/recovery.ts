import type { StoreRefusal } from '../calls/refusals/refusal.js';
import { refusalOfError, retryDelay } from '../calls/refusals/retry-delay.js';
import { WITHOUT_UPLOAD } from '../flow/sealed-uploads.service.js';
import type { Connect, SubmitStep, TestFlightRun, UploadState } from './apple-state.js';
import { appleKeyHash } from './rate-limits/call-budget.service.js';
import { removeUpload } from './testflight/builds.js';

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

const OF_UPLOAD: readonly (keyof UploadState)[] = [
  'knownUploads',
  'buildUploadId',
  'hasBegunFile',
  'fileId',
  'sentParts',
];

/**
 * Goes on after a refusal of App Store Connect.
 *
 * @returns it is refused permanently, or was tried often enough
 */
export async function recover(refusal: StoreRefusal, run: TestFlightRun, connect: Connect): Promise<void> {
  const attempts = ATTEMPTS[refusal.refusal.code];
  if (attempts !== undefined) {
    if (run.attempts + 1 < attempts) await tryLater(refusal, run, delayOf(refusal, run));
    return;
  }
  switch (refusal.refusal.does) {
    case 'wait-for-quota':
      return waitForQuota(refusal, run, connect);
    case 'new-upload':
      return beginUploadAgain(refusal, run, connect);
    default:
      return tryLater(refusal, run, refusal.status === 404 ? notFoundDelay(run) : delayOf(refusal, run));
  }
}

/** @param afterSeconds `null`: it was tried often enough */
async function tryLater(
  refusal: StoreRefusal,
  run: TestFlightRun,
  afterSeconds: number | null,
): Promise<void> {
  if (afterSeconds === null) return;
  await run.explain(refusal);
  await run.tryAgain({ afterSeconds });
}

/** Other submissions use up the calls of the key: no attempt of this one. What it waits for is said once, by the wait. */
async function waitForQuota(refusal: StoreRefusal, run: TestFlightRun, { accounts }: Connect): Promise<void> {
  const [key] = await accounts.keysOf(run.submission);
  if (key === undefined) return;
  const afterSeconds = refusal.refusal.afterSeconds ?? QUOTA_SECONDS;
  await run.quote(refusal);
  await run.wait({ key: `apple-key ${appleKeyHash(key)}`, message: refusal.message, afterSeconds });
}

/** The addresses of the upload are gone: it is deleted and made again, a few times. */
async function beginUploadAgain(
  refusal: StoreRefusal,
  run: TestFlightRun,
  { accounts }: Connect,
): Promise<void> {
  const { buildUploadId, uploads = 0 } = run.state;
  if (run.submission.commitSentAt !== null || uploads >= MAX_UPLOADS) return;
  try {
    if (buildUploadId !== undefined) await removeUpload(await accounts.clientOf(run), buildUploadId);
  } catch (error) {
    const failure = refusalOfError(error);
    const afterSeconds = failure === null ? null : delayOf(failure, run);
    if (afterSeconds === null) throw error;
    return tryLater(refusal, run, afterSeconds);
  }
  await run.forget(OF_UPLOAD, WITHOUT_UPLOAD);
  await run.explain(refusal);
  const afterSeconds = Math.max(2 * uploads, refusal.refusal.afterSeconds ?? 0, 1);
  await run.tryAgain({ from: 'upload', afterSeconds });
}

function delayOf({ refusal }: StoreRefusal, run: TestFlightRun): number | null {
  return retryDelay(refusal, run.attempts + 1);
}

/** Reads answer 404 at times for what exists. */
function notFoundDelay(run: TestFlightRun): number | null {
  const attempts = run.attempts + 1;
  if (run.submission.step === ('groups' satisfies SubmitStep)) return soon(FRESH_BUILD_SECONDS, attempts);
  const isShown = run.state.appleAppId !== undefined;
  if (attempts >= (isShown ? NOT_FOUND_ATTEMPTS : UNKNOWN_APP_ATTEMPTS)) return null;
  return soon(NOT_FOUND_SECONDS, attempts);
}

function soon(seconds: number, attempts: number): number | null {
  return retryDelay({ code: 'not_found', sentence: '', retry: 'again', afterSeconds: seconds }, attempts);
}
