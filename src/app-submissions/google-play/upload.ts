import { buffer } from 'node:stream/consumers';
import { DamagedZipError, ZipMember } from '../../storage/zips/zip-member.js';
import type { SymbolFile } from '../submissions/submission.entity.js';
import { refused } from '../calls/refusals/refused.js';
import { codeOf, playArtifactType } from './track-releases/release-of.js';
import type { Play } from './play.js';
import type { SubmitRun } from './play-state.js';

const NAMES: Readonly<Record<SymbolFile['type'], string>> = {
  proguard: 'the mapping of R8',
  nativeCode: 'the native symbols',
};

/** More than the runner packs. */
const MAX_BYTES = 2 * 1024 ** 3;

/** Uploads the file. */
export async function uploadFile(run: SubmitRun, { accounts, transfers, blobs }: Play): Promise<void> {
  const { submission } = run;
  const editId = run.reached('editId');
  const type = playArtifactType(submission);
  const client = await accounts.clientOf(run);
  const { acknowledgesSizeWarning = false } = run.state;
  const sent = await transfers.send(run, client, {
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
      MAX_BYTES,
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
  { accounts, transfers }: Play,
  type: SymbolFile['type'],
  member: ZipMember,
): Promise<boolean> {
  try {
    const editId = run.reached('editId');
    const client = await accounts.clientOf(run);
    const { sizeInBytes } = member;
    const sent = await transfers.send(run, client, {
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
