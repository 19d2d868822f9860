import { Injectable } from '@nestjs/common';
import type { StepContext, StepResult } from '../../store.js';
import { StoreRefusal } from '../../refusals/refusal.js';
import { PlayAccounts } from './play-account.service.js';
import { editOf } from './play-progress.js';
import { quoteOf } from '../../refusals/refused.js';

/** Lets Google Play check the edit, before anything is published. */
@Injectable()
export class ValidateStep {
  constructor(private readonly accounts: PlayAccounts) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const { submission } = context;
    const client = await this.accounts.clientOf(context);
    await context.log('Google Play checks the edit.');
    try {
      await client.validate(editOf(submission));
    } catch (error) {
      // Only the commit has the parameter that this asks for.
      if (!(error instanceof StoreRefusal) || error.refusal.does !== 'not-sent-for-review') throw error;
      await context.log(
        'Google Play takes the changes only without sending them for review.',
        ...quoteOf('Google Play', error),
      );
    }
    return { kind: 'next', step: 'commit' };
  }
}
