import { Injectable } from '@nestjs/common';
import { StoreRefusal } from '../../refusals/refusal.js';
import { quoteOf } from '../../refusals/refused.js';
import type { StepContext, StepResult } from '../../store.js';
import type { AppStoreConnectClient } from '../app-store-connect-client.js';
import type { BetaLocalization } from '../apple-resources.js';
import { toBetaNotes } from '../testflight-builds/beta-notes.js';
import { AppleAccounts } from './apple-accounts.service.js';
import { progressOf, reached } from './apple-progress.js';

/** Locales that one run writes; the next one continues. */
const MAX_WRITES = 10;

/** Writes the release notes for testers, each where App Store Connect has another text. */
@Injectable()
export class NotesStep {
  constructor(private readonly accounts: AppleAccounts) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const { submission } = context;
    if (submission.releaseNotes === null) return { kind: 'next', step: 'groups' };
    const { defaultLanguage, client } = await this.accounts.withClient(context);
    const { locales = [], primaryLocale = null, writtenNotes = [] } = progressOf(submission);
    const present = await client.betaLocalizations(reached(submission, 'buildId'));
    const notes = toBetaNotes(submission.releaseNotes, {
      known: [...locales, ...present.map(({ locale }) => locale)],
      fallback: defaultLanguage ?? primaryLocale,
    });
    // Apple may keep a text in another form than it was sent, so each is written once.
    const missing = [...notes].filter(
      ([locale, text]) => textOf(present, locale) !== text && !writtenNotes.includes(locale),
    );
    if (missing.length === 0) return this.done(context, [...notes.keys()]);
    const written = [...writtenNotes];
    for (const [locale, text] of missing.slice(0, MAX_WRITES)) {
      const isKept = await this.write(context, client, present, locale, text);
      if (!isKept) return { kind: 'next', step: 'groups' };
      written.push(locale);
      await context.save({ external: { ...progressOf(submission), writtenNotes: [...written] } });
    }
    return { kind: 'on' };
  }

  private async done(context: StepContext, locales: readonly string[]): Promise<StepResult> {
    if (locales.length > 0) await context.log(`Notes for testers: ${locales.join(', ')}.`);
    return { kind: 'next', step: 'groups' };
  }

  /** @returns whether App Store Connect takes notes now */
  private async write(
    context: StepContext,
    client: AppStoreConnectClient,
    present: readonly BetaLocalization[],
    locale: string,
    text: string,
  ): Promise<boolean> {
    const known = present.find((one) => one.locale === locale);
    try {
      await (known === undefined
        ? client.createBetaLocalization(reached(context.submission, 'buildId'), locale, text)
        : client.updateBetaLocalization(known.id, text));
      return true;
    } catch (error) {
      if (!(error instanceof StoreRefusal) || error.refusal.does !== 'done') throw error;
      await context.log(
        'App Store Connect takes no notes for this build now, so it gets none.',
        ...quoteOf('App Store Connect', error),
      );
      return false;
    }
  }
}

function textOf(present: readonly BetaLocalization[], locale: string): string | null {
  return present.find((one) => one.locale === locale)?.whatsNew ?? null;
}
