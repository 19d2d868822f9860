import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../../../common/database-clock.js';
import { StoreTurns } from '../../../store-turns/store-turns.service.js';
import type { StepContext, StepResult } from '../../store.js';
import type { AppStoreConnectClient } from '../app-store-connect-client.js';
import type { AppleBuild, BuildUpload } from '../apple-resources.js';
import { uploadRefusal } from '../refusals/find-refusal.js';
import { lineOf } from '../testflight-builds/testflight-texts.js';
import { AppleAccounts } from './apple-accounts.service.js';
import { AppleBuilds } from './apple-builds.service.js';
import { type AppleProgress, progressOf } from './apple-progress.js';
import { buildUnusable, changesItsMind, processingTakesTooLong } from '../testflight-builds/step-refusals.js';

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

/** Waits until Apple has made a build of the upload that testers can get. */
@Injectable()
export class ProcessingStep {
  constructor(
    private readonly accounts: AppleAccounts,
    private readonly builds: AppleBuilds,
    private readonly turns: StoreTurns,
  ) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const { submission } = context;
    const client = await this.accounts.clientOf(context);
    const since = progressOf(submission).processingSince ?? databaseNow().toISOString();
    await keep(context, { processingSince: since, polls: (progressOf(submission).polls ?? 0) + 1 });
    if (databaseNow().getTime() - Date.parse(since) > MAX_HOURS * HOUR_MS)
      throw processingTakesTooLong(MAX_HOURS);
    const { buildUploadId } = progressOf(submission);
    const upload = buildUploadId === undefined ? null : await client.buildUpload(buildUploadId);
    await this.note(context, upload);
    if (upload?.state === 'FAILED') return refuse(context, uploadRefusal(upload.errors));
    if (upload?.state === 'AWAITING_UPLOAD') return unsent(context, client);
    if (upload !== null && upload.state !== 'COMPLETE') return later(context);
    const build = await this.buildOf(context, client, upload);
    return build === null ? later(context) : judge(context, build);
  }

  /** Says what is new, and lets others continue with this build once Apple has the file. */
  private async note(context: StepContext, upload: BuildUpload | null): Promise<void> {
    const { submission } = context;
    const { processingState, isDelivered } = progressOf(submission);
    const state = upload === null ? 'COMPLETE' : (upload.state ?? 'unknown');
    if (state !== processingState) {
      await context.log(...linesAbout(state, upload));
      await keep(context, { processingState: state });
    }
    if (isDelivered === true || state === 'AWAITING_UPLOAD') return;
    await context.save({ external: { ...progressOf(submission), isDelivered: true } }, () =>
      this.turns.release(submission.id),
    );
  }

  /** @returns `null`: Apple does not show it yet */
  private async buildOf(
    context: StepContext,
    client: AppStoreConnectClient,
    upload: BuildUpload | null,
  ): Promise<AppleBuild | null> {
    const { submission } = context;
    const { buildId: known, otherBuilds = 0 } = progressOf(submission);
    const named = upload?.buildId ?? known ?? null;
    if (named === null) {
      // Builds show in their list before uploads name them.
      const [listed] = await this.builds.builds(submission, client);
      if (listed === undefined) return null;
      await keep(context, { buildId: listed.id });
      return listed;
    }
    if (known !== undefined && named !== known) {
      if (otherBuilds >= MAX_OTHER_BUILDS) throw changesItsMind();
      await context.log('App Store Connect names another build for this upload.');
    }
    if (named !== known)
      await keep(context, {
        buildId: named,
        ...(known !== undefined && { otherBuilds: otherBuilds + 1 }),
      });
    return client.build(named);
  }
}

async function keep({ submission, save }: StepContext, progress: Partial<AppleProgress>): Promise<void> {
  await save({ external: { ...progressOf(submission), ...progress } });
}

/**
 * Apple still waits for the end of the upload, although it was sent: it may take a moment, or have been lost. The file of an
 * upload can fail before the upload itself shows it.
 *
 * @throws StoreRefusal
 */
async function unsent(context: StepContext, client: AppStoreConnectClient): Promise<StepResult> {
  const { fileId, isAdopted, polls = 0 } = progressOf(context.submission);
  if (fileId === undefined) return later(context);
  const file = await client.buildUploadFile(fileId);
  if (file.state === 'FAILED') return refuse(context, uploadRefusal(file.errors));
  const isLost = file.state === 'AWAITING_UPLOAD' && isAdopted !== true && polls > POLLS_UNTIL_LOST;
  return isLost ? { kind: 'next', step: 'deliver' } : later(context);
}

async function judge(context: StepContext, build: AppleBuild): Promise<StepResult> {
  if (build.expired) return refuse(context, buildUnusable('has expired'));
  const state = build.processingState ?? '';
  const unusable = UNUSABLE[state];
  if (unusable !== undefined) return refuse(context, buildUnusable(unusable));
  if (state !== 'VALID') return later(context);
  await context.log('The build is in TestFlight.');
  return { kind: 'next', step: 'compliance' };
}

function later({ submission }: StepContext): StepResult {
  const polls = progressOf(submission).polls ?? 0;
  return { kind: 'on', afterSeconds: Math.min(LAST_POLL, FIRST_POLL + POLL_STEP * polls) };
}

/** No submission continues with this build. @throws StoreRefusal */
export async function refuse(context: StepContext, refusal: Error): Promise<never> {
  await keep(context, { isRejected: true });
  throw refusal;
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
