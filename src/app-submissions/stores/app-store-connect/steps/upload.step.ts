import { Injectable } from '@nestjs/common';
import type { StepContext, StepResult } from '../../store.js';
import { StoreRefusal } from '../../refusals/refusal.js';
import { isDefinite } from '../../refusals/is-definite.js';
import { SealedUploads } from '../../uploads/sealed-uploads.service.js';
import type { AppStoreConnectClient } from '../app-store-connect-client.js';
import type { BuildUploadFile } from '../apple-resources.js';
import { operationsFromText, operationsToText, type UploadOperation } from '../upload-operations.js';
import { AppleAccounts } from './apple-accounts.service.js';
import { AppleBuilds, buildOf, removeUpload } from './apple-builds.service.js';
import { progressOf, reached } from './apple-progress.js';
import { begunUploads } from '../testflight-builds/own-build.js';
import { fileUnknown } from '../testflight-builds/step-refusals.js';
import { UploadParts } from './upload-parts.service.js';

/** How often an upload whose answer was lost is looked for. */
const MAX_LOOKS = 5;
const LOOK_AFTER = 5;

/** Creates the upload of a build and sends its file. */
@Injectable()
export class UploadStep {
  constructor(
    private readonly accounts: AppleAccounts,
    private readonly builds: AppleBuilds,
    private readonly sealed: SealedUploads,
    private readonly parts: UploadParts,
  ) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const { submission } = context;
    const client = await this.accounts.clientOf(context);
    await this.parts.requireFile(submission);
    const stored = this.sealed.open(submission);
    if (stored !== null) return this.send(context, operationsFromText(stored));
    // Whether an earlier run may have created it without an answer.
    const isRepeated = progressOf(submission).knownUploads !== undefined;
    try {
      await this.createUpload(context, client);
    } catch (error) {
      const isCreated = isRepeated && error instanceof StoreRefusal && error.status === 409;
      if (!isCreated || submission.stepAttempts >= MAX_LOOKS) throw error;
      await context.log('App Store Connect may have the upload of an attempt whose answer was lost.');
      return { kind: 'again', afterSeconds: LOOK_AFTER };
    }
    return this.send(context, await this.announceFile(context, client));
  }

  private async send(context: StepContext, operations: readonly UploadOperation[]): Promise<StepResult> {
    const isSent = await this.parts.send(context, operations);
    return isSent ? { kind: 'next', step: 'deliver' } : { kind: 'on' };
  }

  /** The upload is in `external` afterwards. */
  private async createUpload(context: StepContext, client: AppStoreConnectClient): Promise<void> {
    const { submission } = context;
    const { buildUploadId, knownUploads } = progressOf(submission);
    if (buildUploadId !== undefined) return;
    const listed = await this.builds.uploads(submission, client);
    const [lost] = knownUploads === undefined ? [] : begunUploads(listed, knownUploads);
    if (lost !== undefined) return this.keepUpload(context, client, lost);
    if (knownUploads === undefined)
      await context.save({
        state: 'preprocessing',
        external: { ...progressOf(submission), knownUploads: listed.map(({ id }) => id) },
      });
    const { platform, version, buildNumber } = buildOf(submission);
    const names = { version, buildNumber };
    const { id } = await client.createBuildUpload(reached(submission, 'appleAppId'), platform, names);
    await this.keepUpload(context, client, id);
  }

  private async keepUpload(
    context: StepContext,
    client: AppStoreConnectClient,
    buildUploadId: string,
  ): Promise<void> {
    const progress = progressOf(context.submission);
    try {
      await context.save({ external: { ...progress, buildUploadId, uploads: (progress.uploads ?? 0) + 1 } });
    } catch (error) {
      // Such as a cancellation in the meantime: the cleanup may not have found this upload.
      await removeUpload(client, buildUploadId).catch(() => undefined);
      throw error;
    }
  }

  private async createFile(context: StepContext, client: AppStoreConnectClient): Promise<BuildUploadFile> {
    const { submission } = context;
    const file = { fileName: 'app.ipa', sizeInBytes: submission.sizeInBytes };
    try {
      const created = await client.createBuildUploadFile(reached(submission, 'buildUploadId'), file);
      // Without addresses there is nothing to send to.
      if (created.operations.length === 0) throw fileUnknown();
      return created;
    } catch (error) {
      if (error instanceof StoreRefusal && isDefinite(error))
        await context.save({ external: { ...progressOf(submission), hasBegunFile: false } });
      throw error;
    }
  }

  /** @throws StoreRefusal `new-upload` when an earlier answer was lost: no call finds the file again */
  private async announceFile(
    context: StepContext,
    client: AppStoreConnectClient,
  ): Promise<readonly UploadOperation[]> {
    const { submission } = context;
    const progress = progressOf(submission);
    if (progress.hasBegunFile === true) throw fileUnknown();
    await context.save({ external: { ...progress, hasBegunFile: true } });
    const { sizeInBytes } = submission;
    const { id: fileId, operations } = await this.createFile(context, client);
    await context.save({
      external: { ...progressOf(submission), fileId, sentParts: 0 },
      sealedUpload: this.sealed.seal(submission, operationsToText(operations)),
      sentBytes: 0,
    });
    await context.log(`Uploading the ipa: ${sizeInBytes.toLocaleString('en')} bytes.`);
    return operations;
  }
}
