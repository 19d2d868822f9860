import { Injectable } from '@nestjs/common';
import type { SymbolFile } from '../../../submissions/submission.entity.js';
import type { StepContext, StepResult } from '../../store.js';
import { PlayAccounts } from './play-account.service.js';
import { editOf, progressOf } from './play-progress.js';
import { codeOf } from './release-of.js';
import { TransferService } from './transfer.service.js';

const NAMES: Readonly<Record<SymbolFile['type'], string>> = {
  proguard: 'the mapping of R8',
  nativeCode: 'the native symbols',
};

/** Uploads what makes crash reports readable. */
@Injectable()
export class SymbolsStep {
  constructor(
    private readonly accounts: PlayAccounts,
    private readonly transfers: TransferService,
  ) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const { submission, session } = context;
    const sentSymbolFiles = progressOf(submission).sentSymbolFiles ?? 0;
    const file = submission.symbolFiles[sentSymbolFiles];
    if (file === undefined) return { kind: 'next', step: 'track' };
    const editId = editOf(submission);
    const client = await this.accounts.signIn(
      await this.accounts.of(submission),
      submission.packageName,
      session,
    );
    const sent = await this.transfers.send(context, client, {
      what: NAMES[file.type],
      blobId: file.blobId,
      sizeInBytes: file.sizeInBytes,
      begin: () => client.startSymbolUpload(editId, codeOf(submission), file.type, file.sizeInBytes),
    });
    if (sent === null) return { kind: 'on' };
    await context.save({ external: { ...progressOf(submission), sentSymbolFiles: sentSymbolFiles + 1 } });
    return { kind: 'next', step: 'symbols' };
  }
}
