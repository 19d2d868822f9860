import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { BlobsService } from '../../../../storage/blobs/blobs.service.js';
import type { StepContext, StepResult } from '../../store.js';
import { PlayAccounts } from './play-account.service.js';
import { editOf, progressOf } from './play-progress.js';
import { refused } from '../../refusals/refused.js';
import { codeOf, playArtifactType } from '../track-releases/release-of.js';
import { TransferService } from '../transfer.service.js';

/** Uploads the file. */
@Injectable()
export class UploadStep {
  constructor(
    private readonly accounts: PlayAccounts,
    private readonly transfers: TransferService,
    private readonly blobs: BlobsService,
  ) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const { submission } = context;
    const editId = editOf(submission);
    const type = playArtifactType(submission);
    const client = await this.accounts.clientOf(context);
    const { acknowledgesSizeWarning = false } = progressOf(submission);
    const sent = await this.transfers.send(context, client, {
      what: `the ${type}`,
      sizeInBytes: submission.sizeInBytes,
      read: async (start, length) =>
        buffer(await this.blobs.openRange({ id: submission.blobId }, { start, length })),
      begin: () => client.startUpload(editId, type, submission.sizeInBytes, { acknowledgesSizeWarning }),
    });
    if (sent === null) return { kind: 'on' };
    const { versionCode, sha256 } = sent.artifact ?? { versionCode: 0, sha256: null };
    if (versionCode !== codeOf(submission)) throw wrongCode(versionCode, submission.versionCode);
    if (sha256 !== null && sha256 !== submission.sha256) throw damaged();
    await context.save({ state: 'preparing', external: { ...progressOf(submission), hasFile: true } });
    return { kind: 'next', step: 'symbols' };
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
