import type { AppStoreConnect } from '../app-store-connect.ts';
import { addBuild, type Build } from '../state/builds.ts';
import { type BuildUpload, type BuildUploadFile, normalized, type StateDetail } from '../state/uploads.ts';
import { readIpa, type UploadedIpa } from './ipa-file.ts';
import { findErrors, uploadError, type UploadErrorCode } from './upload-errors.ts';

/** How Apple processes what was delivered. */
export interface Processing {
  /** How many reads of the upload find it in progress; `Infinity`: all. */
  polls: number;
  /** How long it takes at least. */
  milliseconds: number;
  /** How many reads of the upload come between the build, which is listed, and the upload that names it. */
  pollsWithoutName: number;
  /** How many reads of the build find it in progress. */
  buildPolls: number;
  /** What the build ends with. */
  buildState: Build['processingState'];
  /** How many calls about groups do not know a new build. */
  groupsMissing: number;
  hasBetaSdk: boolean;
}

export const USUAL_PROCESSING: Processing = {
  polls: 1,
  milliseconds: 0,
  pollsWithoutName: 0,
  buildPolls: 0,
  buildState: 'VALID',
  groupsMissing: 0,
  hasBetaSdk: false,
};

/** What the next deliveries are refused with, whatever they are. */
export interface PlannedFailure {
  readonly codes: readonly UploadErrorCode[];
  readonly bundleId: string | null;
  times: number;
}

/** All parts have arrived, and the client said so: Apple begins to process the file. */
export async function deliver(connect: AppStoreConnect, file: BuildUploadFile): Promise<void> {
  const { upload } = file;
  const path = connect.storage.pathOf(file.id);
  file.state = 'UPLOAD_COMPLETE';
  upload.state = 'PROCESSING';
  upload.uploadedAt = new Date();
  const [sha256, ipa] = [await connect.storage.hash(file.id), await readIpa(path)];
  file.sha256 = sha256;
  await connect.storage.remove(file.id);
  const { polls, milliseconds } = connect.processing;
  upload.pollsLeft = polls;
  upload.busyUntil = Date.now() + milliseconds;
  upload.finish = () => finish(connect, file, ipa);
}

function finish(connect: AppStoreConnect, file: BuildUploadFile, ipa: UploadedIpa | null): void {
  const { upload } = file;
  const errors = plannedErrors(connect, upload) ?? findErrors(upload, ipa);
  if (errors.length > 0) {
    Object.assign(file, { state: 'FAILED', errors });
    Object.assign(upload, { state: 'FAILED', errors });
    return;
  }
  file.state = 'COMPLETE';
  const { app, platform, buildNumber } = upload;
  const { pollsWithoutName, buildPolls, buildState, groupsMissing, hasBetaSdk } = connect.processing;
  const isSameTrain = (one: Build): boolean =>
    one.platform === platform && normalized(one.version) === normalized(upload.version);
  upload.build = addBuild(app, {
    platform,
    version: app.builds.find(isSameTrain)?.version ?? upload.version,
    buildNumber,
    sha256: file.sha256 ?? '',
    size: file.fileSize,
    upload,
    processingState: buildPolls > 0 ? 'PROCESSING' : buildState,
    finalState: buildState,
    pollsLeft: buildPolls,
    usesNonExemptEncryption: ipa?.usesNonExemptEncryption ?? null,
    hasBetaSdk,
    groupsMissing,
  });
  upload.namesBuildIn = pollsWithoutName;
}

function plannedErrors(connect: AppStoreConnect, upload: BuildUpload): StateDetail[] | null {
  const { plannedFailures } = connect;
  const planned = plannedFailures.find(
    ({ bundleId }) => bundleId === null || bundleId === upload.app.bundleId,
  );
  if (planned === undefined) return null;
  planned.times -= 1;
  if (planned.times <= 0) plannedFailures.splice(plannedFailures.indexOf(planned), 1);
  return planned.codes.map((code) => uploadError(code, upload));
}

/** A read of an upload, which brings its processing forward. */
export function pollUpload(upload: BuildUpload): void {
  if (upload.state !== 'PROCESSING') return;
  if (upload.pollsLeft > 0) {
    upload.pollsLeft -= 1;
    return;
  }
  if (Date.now() < upload.busyUntil) return;
  const { finish: end } = upload;
  upload.finish = null;
  end?.();
  if (upload.build === null) return;
  if (upload.namesBuildIn > 0) upload.namesBuildIn -= 1;
  else Object.assign(upload, { state: 'COMPLETE', namesBuild: true });
}
