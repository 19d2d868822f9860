import type { AppStoreConnectClient } from '../api/app-store-connect-client.js';
import type { AppleBuild, BuildUpload } from '../api/apple-resources.js';
import type { Connect, TestFlightRun } from '../apple-state.js';
import { lineOf } from '../refusals/apple-error.js';
import { uploadRefusal } from '../refusals/find-refusal.js';
import { buildUnusable, changesItsMind, processingTakesTooLong } from '../refusals/own-refusals.js';
import { buildsOf, reject } from './builds.js';

/** Seconds between two questions: more each time. */
const FIRST_POLL = 15;
const POLL_STEP = 5;
const LAST_POLL = 60;
/** A submission with its job has a day for everything. */
const MAX_HOURS = 12;
const HOUR_MS = 3_600_000;
/** After so many questions, an end of an upload that Apple does not show is taken for lost. */
const POLLS_UNTIL_LOST = 2;
/** How often Apple may name another build for one upload. */
const MAX_OTHER_BUILDS = 3;

const UNUSABLE: Readonly<Record<string, string>> = {
  INVALID: 'is invalid, as Apple has found in processing',
  FAILED: 'has failed in processing',
};

/** Waits until Apple has made a build of the upload that testers can get: asks once in each run, for hours at most. */
export async function waitForProcessing(run: TestFlightRun, { accounts }: Connect): Promise<void> {
  const client = await accounts.clientOf(run);
  const { processingSince = run.now().toISOString(), polls = 0, buildUploadId } = run.state;
  await run.keep({ processingSince, polls: polls + 1 });
  if (run.now().getTime() - Date.parse(processingSince) > MAX_HOURS * HOUR_MS)
    throw processingTakesTooLong(MAX_HOURS);
  const upload = buildUploadId === undefined ? null : await client.buildUpload(buildUploadId);
  await note(run, upload);
  if (upload?.state === 'FAILED') return reject(run, uploadRefusal(upload.errors));
  if (upload?.state === 'AWAITING_UPLOAD') return askFile(run, client);
  if (upload !== null && upload.state !== 'COMPLETE') return later(run);
  const build = await findBuild(run, client, upload);
  if (build === null) return later(run);
  if (build.expired) return reject(run, buildUnusable('has expired'));
  const state = build.processingState ?? '';
  const unusable = UNUSABLE[state];
  if (unusable !== undefined) return reject(run, buildUnusable(unusable));
  if (state !== 'VALID') return later(run);
  await run.log('The build is in TestFlight.');
}

/** Says what is new, and lets others continue with this build once Apple has the file. */
async function note(run: TestFlightRun, upload: BuildUpload | null): Promise<void> {
  const state = upload === null ? 'COMPLETE' : (upload.state ?? 'unknown');
  if (state !== run.state.processingState) {
    await run.log(...linesAbout(state, upload));
    await run.keep({ processingState: state });
  }
  if (run.state.isDelivered === true || state === 'AWAITING_UPLOAD') return;
  await run.keep({ isDelivered: true }, {}, run.releaseTurn);
}

/** @returns `null`: Apple does not show it yet */
async function findBuild(
  run: TestFlightRun,
  client: AppStoreConnectClient,
  upload: BuildUpload | null,
): Promise<AppleBuild | null> {
  const { buildId: known, otherBuilds = 0 } = run.state;
  const named = upload?.buildId ?? known ?? null;
  if (named === null) {
    // Builds show in their list before uploads name them.
    const [listed] = await buildsOf(run.submission, client);
    if (listed === undefined) return null;
    await run.keep({ buildId: listed.id });
    return listed;
  }
  if (known !== undefined && named !== known) {
    if (otherBuilds >= MAX_OTHER_BUILDS) throw changesItsMind();
    await run.log('App Store Connect names another build for this upload.');
  }
  if (named !== known)
    await run.keep({ buildId: named, ...(known !== undefined && { otherBuilds: otherBuilds + 1 }) });
  return client.build(named);
}

/**
 * Apple still waits for the end of the upload, although it was sent: it may take a moment, or have been lost. The file of an
 * upload can fail before the upload itself shows it.
 */
async function askFile(run: TestFlightRun, client: AppStoreConnectClient): Promise<never> {
  const { fileId, isAdopted, polls = 0 } = run.state;
  if (fileId === undefined) return later(run);
  const file = await client.buildUploadFile(fileId);
  if (file.state === 'FAILED') return reject(run, uploadRefusal(file.errors));
  const isLost = file.state === 'AWAITING_UPLOAD' && isAdopted !== true && polls > POLLS_UNTIL_LOST;
  return isLost ? run.goOn('deliver') : later(run);
}

function later(run: TestFlightRun): Promise<never> {
  return run.giveWay(Math.min(LAST_POLL, FIRST_POLL + POLL_STEP * (run.state.polls ?? 0)));
}

function linesAbout(state: string, upload: BuildUpload | null): string[] {
  const warnings = (upload?.warnings ?? []).map((one) => `App Store Connect warns: ${lineOf(one)}`);
  switch (state) {
    case 'PROCESSING':
      return ['Apple is processing the build.', ...warnings];
    case 'COMPLETE':
      return ['Apple has processed the upload.', ...warnings];
    case 'FAILED':
      return ['Apple has refused the build after the upload.', ...warnings];
    case 'AWAITING_UPLOAD':
      return ['App Store Connect still waits for the file, although it has got it.'];
    default:
      return [`App Store Connect calls the state of the upload ${state.slice(0, 60)}.`];
  }
}
