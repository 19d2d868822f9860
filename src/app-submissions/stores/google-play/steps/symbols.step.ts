import { Injectable } from '@nestjs/common';
import { BlobsService } from '../../../../storage/blobs/blobs.service.js';
import { DamagedZipError, ZipMember } from '../../../../storage/zips/zip-member.js';
import type { SymbolFile } from '../../../submissions/submission.entity.js';
import type { StepContext, StepResult } from '../../store.js';
import { PlayAccounts } from './play-account.service.js';
import { editOf, progressOf } from './play-progress.js';
import { codeOf } from '../track-releases/release-of.js';
import { TransferService } from '../transfer.service.js';

const NAMES: Readonly<Record<SymbolFile['type'], string>> = {
  proguard: 'the mapping of R8',
  nativeCode: 'the native symbols',
};

/** More than the runner packs. */
const MAX_BYTES = 2 * 1024 ** 3;

/** Uploads what makes crash reports readable. A release does not fail for files that cannot be read. */
@Injectable()
export class SymbolsStep {
  constructor(
    private readonly accounts: PlayAccounts,
    private readonly transfers: TransferService,
    private readonly blobs: BlobsService,
  ) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const { submission } = context;
    const file = submission.symbolFiles[progressOf(submission).sentSymbolFiles ?? 0];
    if (file === undefined) return { kind: 'next', step: 'track' };
    try {
      return await this.send(context, file);
    } catch (error) {
      if (!(error instanceof DamagedZipError)) throw error;
      await context.log(
        `${file.path}, ${NAMES[file.type]}, is not sent: the zip with the symbols of the build is damaged.`,
      );
      return this.next(context);
    }
  }

  private async send(context: StepContext, file: SymbolFile): Promise<StepResult> {
    const { submission } = context;
    const member = await ZipMember.find(
      (range) => this.blobs.openRange({ id: file.blobId }, range),
      file.sizeInBytes,
      file.path,
      MAX_BYTES,
    );
    if (member === null) return this.next(context);
    try {
      const editId = editOf(submission);
      const client = await this.accounts.clientOf(context);
      const { sizeInBytes } = member;
      const sent = await this.transfers.send(context, client, {
        what: NAMES[file.type],
        sizeInBytes,
        read: (start, length) => member.read(start, length),
        begin: () => client.startSymbolUpload(editId, codeOf(submission), file.type, sizeInBytes),
      });
      return sent === null ? { kind: 'on' } : await this.next(context);
    } finally {
      member.close();
    }
  }

  private async next({ submission, save }: StepContext): Promise<StepResult> {
    const progress = progressOf(submission);
    const sentSymbolFiles = (progress.sentSymbolFiles ?? 0) + 1;
    await save({ sealedUpload: null, external: { ...progress, sentSymbolFiles } });
    return { kind: 'next', step: 'symbols' };
  }
}
