import { buffer } from 'node:stream/consumers';
import { ObjectNotFoundError } from '../../../storage/storage-errors.js';
import { isDefinite } from '../../calls/refusals/refusal.js';
import { StoreRefusal } from '../../calls/refusals/refusal.js';
import { reportSent } from '../../flow/sealed-uploads.service.js';
import type { Submission } from '../../submissions/submission.entity.js';
import type { AppStoreConnectClient } from '../api/app-store-connect-client.js';
import type { BuildUploadFile } from '../api/apple-resources.js';
import {
  chunksOf,
  operationsFromText,
  operationsToText,
  sendOperation,
  type UploadOperation,
} from '../api/upload-operations.js';
import { buildOf, type Connect, type TestFlightRun } from '../apple-state.js';
import { afterFailedCall, lookAgain } from '../lost-response.js';
import { deliveryUnanswered, fileDamaged, fileUnknown } from '../refusals/own-refusals.js';
import { begunUploads, removeUpload, uploadsOf } from './builds.js';

/** How long one run sends; the next one continues. In milliseconds. */
const RUN_MS = 30_000;
/** Parts that are sent at once, a few megabytes of each in memory. */
const AT_ONCE = 3;
/** How often it is asked whether the end of an upload has arrived. */
const MAX_CONFIRMATIONS = 6;
const AWAITING = 'AWAITING_UPLOAD';

/** Creates the upload of a build and sends its file, as much of it as fits into one run. */
export async function upload(run: TestFlightRun, connect: Connect): Promise<void> {
  const client = await connect.accounts.clientOf(run);
  await requireFile(run.submission, connect);
  const stored = connect.sealed.open(run.submission);
  if (stored !== null) return sendParts(run, connect, operationsFromText(stored));
  // Whether an earlier run may have created it without an answer.
  const isRepeated = run.state.knownUploads !== undefined;
  try {
    if (run.state.buildUploadId === undefined) await createUpload(run, client);
  } catch (error) {
    const line = 'App Store Connect may have the upload of an attempt whose answer was lost.';
    return lookAgain(run, error, { isRepeated, line });
  }
  await sendParts(run, connect, await announceFile(run, connect, client));
}

/** Ends the upload: Apple makes a build of it. The answer can be lost, so the next run reads before it sends again. */
export async function deliver(run: TestFlightRun, { accounts }: Connect): Promise<void> {
  const { submission } = run;
  const client = await accounts.clientOf(run);
  // A process that was stopped may have sent it.
  if (submission.commitSentAt === null) {
    const until = submission.submitsForReview ? 'until the build is in TestFlight' : 'from here on';
    await run.log(`All bytes are sent. Ending the upload; the submission cannot be canceled ${until}.`);
    await run.announceCommit();
    await sendEnd(run, client);
  } else if (!(await hasArrived(run, client))) {
    await run.log('It has not. Ending it again.');
    await sendEnd(run, client);
  }
  await run.save({ state: 'preparing', sealedUpload: null });
  await run.log('App Store Connect has the file. Apple processes it, which takes minutes, at times hours.');
}

/** Checks that the file is stored as long as it was, before Apple knows of it. @throws StoreRefusal */
async function requireFile({ blobId: id, sizeInBytes }: Submission, { blobs }: Connect): Promise<void> {
  const { damagedAt } = await blobs.get(id);
  if (damagedAt !== null) throw fileDamaged();
  try {
    (await blobs.openRange({ id }, { start: 0, length: sizeInBytes })).destroy();
  } catch (error) {
    throw error instanceof ObjectNotFoundError || error instanceof RangeError ? fileDamaged() : error;
  }
}

/**
 * Creates the upload, after the ids of those that are there were stored: one that is in the list later, and was not then, is
 * that of a call whose answer was lost.
 */
async function createUpload(run: TestFlightRun, client: AppStoreConnectClient): Promise<void> {
  const { knownUploads } = run.state;
  const listed = await uploadsOf(run.submission, client);
  const [lost] = knownUploads === undefined ? [] : begunUploads(listed, knownUploads);
  if (lost !== undefined) return keepUpload(run, client, lost);
  if (knownUploads === undefined)
    await run.keep({ knownUploads: listed.map(({ id }) => id) }, { state: 'preprocessing' });
  const { platform, ...names } = buildOf(run.submission);
  const { id } = await client.createBuildUpload(run.reached('appleAppId'), platform, names);
  await keepUpload(run, client, id);
}

async function keepUpload(
  run: TestFlightRun,
  client: AppStoreConnectClient,
  buildUploadId: string,
): Promise<void> {
  try {
    await run.keep({ buildUploadId, uploads: (run.state.uploads ?? 0) + 1 });
  } catch (error) {
    // Such as a cancellation in the meantime: the cleanup may not have found this upload.
    await removeUpload(client, buildUploadId).catch(() => undefined);
    throw error;
  }
}

/**
 * Names the file, which no call finds again: after a lost answer, the upload begins again.
 *
 * @throws StoreRefusal `new-upload` when an earlier answer was lost
 */
async function announceFile(
  run: TestFlightRun,
  { sealed }: Connect,
  client: AppStoreConnectClient,
): Promise<readonly UploadOperation[]> {
  if (run.state.hasBegunFile === true) throw fileUnknown();
  await run.keep({ hasBegunFile: true });
  const { submission } = run;
  const { id: fileId, operations } = await createFile(run, client);
  const sealedUpload = sealed.seal(submission, operationsToText(operations));
  await run.keep({ fileId, sentParts: 0 }, { sealedUpload, sentBytes: 0 });
  await run.log(`Uploading the ipa: ${submission.sizeInBytes.toLocaleString('en')} bytes.`);
  return operations;
}

async function createFile(run: TestFlightRun, client: AppStoreConnectClient): Promise<BuildUploadFile> {
  const file = { fileName: 'app.ipa', sizeInBytes: run.submission.sizeInBytes };
  try {
    return await client.createBuildUploadFile(run.reached('buildUploadId'), file);
  } catch (error) {
    if (error instanceof StoreRefusal && isDefinite(error)) await run.keep({ hasBegunFile: false });
    throw error;
  }
}

/** Sends parts in the order of the file, and gives way after half a minute. Another process can continue after each of them. */
async function sendParts(
  run: TestFlightRun,
  connect: Connect,
  operations: readonly UploadOperation[],
): Promise<void> {
  const until = performance.now() + RUN_MS;
  let { sentParts = 0 } = run.state;
  while (sentParts < operations.length) {
    const parts = operations.slice(sentParts, sentParts + AT_ONCE);
    const results = await Promise.allSettled(parts.map((part) => sendPart(run, connect, part)));
    const failed = results.find((result) => result.status === 'rejected');
    sentParts += failed === undefined ? parts.length : results.indexOf(failed);
    await keepParts(run, operations, sentParts);
    if (failed !== undefined) throw failed.reason;
    if (performance.now() > until && sentParts < operations.length) return run.giveWay();
  }
}

async function sendPart(
  { submission, session }: TestFlightRun,
  { blobs }: Connect,
  operation: UploadOperation,
): Promise<void> {
  const read = async (start: number, length: number): Promise<Uint8Array> =>
    buffer(await blobs.openRange({ id: submission.blobId }, { start, length }));
  await sendOperation(session, operation, chunksOf(read, operation));
}

async function keepParts(
  run: TestFlightRun,
  operations: readonly UploadOperation[],
  sentParts: number,
): Promise<void> {
  if (sentParts === (run.state.sentParts ?? 0)) return;
  const last = operations[sentParts - 1];
  const sent = last === undefined ? 0 : last.offset + last.length;
  const external = { ...run.state, sentParts };
  await reportSent(run, sent, run.submission.sizeInBytes, { external });
}

async function hasArrived(run: TestFlightRun, client: AppStoreConnectClient): Promise<boolean> {
  const confirmations = (run.state.confirmations ?? 0) + 1;
  await run.log('Asking App Store Connect whether the upload has ended.');
  await run.keep({ confirmations });
  const upload = await client.buildUpload(run.reached('buildUploadId'));
  if (upload.state !== AWAITING) return true;
  const file = await client.buildUploadFile(run.reached('fileId'));
  if (file.state !== null && file.state !== AWAITING) return true;
  if (confirmations > MAX_CONFIRMATIONS) throw deliveryUnanswered();
  return false;
}

async function sendEnd(run: TestFlightRun, client: AppStoreConnectClient): Promise<void> {
  try {
    await client.markUploaded(run.reached('fileId'));
  } catch (error) {
    const confirmations = run.state.confirmations ?? 0;
    await afterFailedCall(run, error, confirmations, 'Whether the upload has ended is not known.');
  }
}
