import { buffer } from 'node:stream/consumers';
import { DamagedZipError, ZipMember } from '../../storage/zips/zip-member.js';
import { refused } from '../calls/refusals/refusal.js';
import { reportSent, type SealedUploads } from '../flow/sealed-uploads.service.js';
import type { SubmissionRun } from '../flow/submission-run.js';
import type { SymbolFile } from '../submissions/submission.entity.js';
import { type GooglePlayClient, UPLOAD_CHUNK_BYTES } from './api/google-play-client.js';
import type { UploadedArtifact, UploadProgress } from './api/google-play-responses.js';
import type { Play } from './edit.js';
import type { SubmitRun } from './play-state.js';
import { codeOf, playArtifactType } from './release-of.js';

const NAMES: Readonly<Record<SymbolFile['type'], string>> = {
  proguard: 'the mapping of R8',
  nativeCode: 'the native symbols',
};

/** More than the runner packs. */
const MAX_SYMBOL_BYTES = 2 * 1024 ** 3;

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
  readonly begin: () => Promise<string>;
}

/** Uploads the file. */
export async function uploadFile(run: SubmitRun, { accounts, sealed, blobs }: Play): Promise<void> {
  const { submission } = run;
  const editId = run.reached('editId');
  const type = playArtifactType(submission);
  const client = await accounts.clientOf(run);
  const { acknowledgesSizeWarning = false } = run.state;
  const sent = await sendFile(run, client, sealed, {
    what: `the ${type}`,
    sizeInBytes: submission.sizeInBytes,
    read: async (start, length) =>
      buffer(await blobs.openRange({ id: submission.blobId }, { start, length })),
    begin: () => client.startUpload(editId, type, submission.sizeInBytes, { acknowledgesSizeWarning }),
  });
  if (sent === null) return run.giveWay();
  const { versionCode, sha256 } = sent.artifact ?? { versionCode: 0, sha256: null };
  if (versionCode !== codeOf(submission)) throw wrongCode(versionCode, submission.versionCode);
  if (sha256 !== null && sha256 !== submission.sha256) throw damaged();
  await run.keep({ hasFile: true }, { state: 'preparing' });
}

/**
 * Uploads what makes crash reports readable, one file in each run. A release does not fail for files that cannot be read.
 */
export async function uploadSymbols(run: SubmitRun, play: Play): Promise<void> {
  const { sentSymbolFiles = 0 } = run.state;
  const file = run.submission.symbolFiles[sentSymbolFiles];
  if (file === undefined) return;
  const isSent = await sendSymbols(run, play, file);
  if (isSent) await run.keep({ sentSymbolFiles: sentSymbolFiles + 1 }, { sealedUpload: null });
  return run.giveWay();
}

/** @returns whether nothing is left to send of a file */
async function sendSymbols(run: SubmitRun, play: Play, file: SymbolFile): Promise<boolean> {
  try {
    const member = await ZipMember.find(
      (range) => play.blobs.openRange({ id: file.blobId }, range),
      file.sizeInBytes,
      file.path,
      MAX_SYMBOL_BYTES,
    );
    return member === null || (await sendMember(run, play, file.type, member));
  } catch (error) {
    if (!(error instanceof DamagedZipError)) throw error;
    await run.log(
      `${file.path}, ${NAMES[file.type]}, is not sent: the zip with the symbols of the build is damaged.`,
    );
    return true;
  }
}

async function sendMember(
  run: SubmitRun,
  { accounts, sealed }: Play,
  type: SymbolFile['type'],
  member: ZipMember,
): Promise<boolean> {
  try {
    const editId = run.reached('editId');
    const client = await accounts.clientOf(run);
    const { sizeInBytes } = member;
    const sent = await sendFile(run, client, sealed, {
      what: NAMES[type],
      sizeInBytes,
      read: (start, length) => member.read(start, length),
      begin: () => client.startSymbolUpload(editId, codeOf(run.submission), type, sizeInBytes),
    });
    return sent !== null;
  } finally {
    member.close();
  }
}

/**
 * Sends as much of a file as fits into one run, in parts: another process can continue after each of them.
 *
 * @returns `null`: there is more to send; otherwise what came of the file
 * @throws StoreRefusal @throws StoreUnreachableError
 */
export async function sendFile(
  run: Pick<SubmissionRun, 'submission' | 'log' | 'save'>,
  client: GooglePlayClient,
  sealed: SealedUploads,
  transfer: Transfer,
): Promise<{ readonly artifact: UploadedArtifact | null } | null> {
  const until = performance.now() + RUN_MS;
  const { sizeInBytes } = transfer;
  const url = sealed.open(run.submission) ?? (await beginUpload(run, sealed, transfer));
  let progress = await client.uploadedBytes(url, sizeInBytes);
  // What the store had once: it may forget bytes, but not again and again.
  const { sentBytes } = run.submission;
  let most = progress.done ? sizeInBytes : Math.max(sentBytes, progress.receivedBytes);
  let standstills = 0;
  while (!progress.done) {
    progress = await sendPart(client, url, transfer, progress.receivedBytes);
    const sent = progress.done ? sizeInBytes : progress.receivedBytes;
    standstills = sent > most ? 0 : standstills + 1;
    if (standstills >= MAX_STANDSTILLS) throw standstill();
    most = Math.max(most, sent);
    await reportSent(run, most, sizeInBytes);
    if (progress.done || performance.now() <= until) continue;
    // The next run counts from the start.
    if (most <= sentBytes) throw standstill();
    return null;
  }
  await run.save({ sealedUpload: null, sentBytes: sizeInBytes });
  return progress;
}

async function beginUpload(
  { submission, log, save }: Pick<SubmissionRun, 'submission' | 'log' | 'save'>,
  sealed: SealedUploads,
  { what, sizeInBytes, begin }: Transfer,
): Promise<string> {
  const url = await begin();
  await save({ sealedUpload: sealed.seal(submission, url), sentBytes: 0 });
  await log(`Uploading ${what}: ${sizeInBytes.toLocaleString('en')} bytes.`);
  return url;
}

async function sendPart(
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

function wrongCode(found: number, expected: string): Error {
  return refused(
    'store_answer_unexpected',
    `Google Play read the version code ${found} in the file, and Slipway ${expected}. Check versionCode, build again and submit that build; a retry does not help.`,
  );
}

function damaged(): Error {
  return refused(
    'upload_damaged',
    'Google Play has received other bytes than Slipway has sent. Slipway begins again with a new edit; if that happens too often, submit again.',
    { retry: 'again', does: 'new-edit' },
  );
}

function standstill(): Error {
  return refused(
    'upload_stands_still',
    'Google Play takes no more bytes of the upload. Slipway begins it again; after too many attempts, submit again later.',
    { retry: 'again', does: 'new-upload', afterSeconds: 5 },
  );
}
