import { Injectable } from '@nestjs/common';
import { StoreRefusal } from '../../../refusals/refusal.js';
import { quoteOf } from '../../../refusals/refused.js';
import type { StepContext, StepResult } from '../../../store.js';
import type { VersionLocalization } from '../../app-store/app-store-resources.js';
import { versionTexts } from '../../app-store/version-texts.js';
import { AppleAccounts } from '../apple-accounts.service.js';
import { progressOf, reached } from '../apple-progress.js';

/** Locales that one run writes; the next one continues. */
const MAX_WRITES = 10;
const NEXT = { kind: 'next', step: 'submit-review' } as const;

/** Writes the release notes into What's New of the version, in each language that it has. */
@Injectable()
export class WhatsNewStep {
  constructor(private readonly accounts: AppleAccounts) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const { submission } = context;
    if (submission.releaseNotes === null) return NEXT;
    const { isFirstVersion, primaryLocale = null, writtenTexts = [] } = progressOf(submission);
    if (isFirstVersion === true) {
      await context.log(
        "The first version of an app has no What's New, so the release notes are for testers only.",
      );
      return NEXT;
    }
    const { defaultLanguage, client } = await this.accounts.withClient(context);
    const present = await client.appStore.localizations(reached(submission, 'versionId'));
    const { texts, unknown } = versionTexts(
      submission.releaseNotes,
      present.map(({ locale }) => locale),
      defaultLanguage ?? primaryLocale,
    );
    // Apple may keep a text in another form than it was sent, so each is written once.
    const missing = present.filter((one) => !writtenTexts.includes(one.locale) && differs(one, texts));
    if (missing.length === 0) {
      await context.log(...linesAbout(texts, unknown));
      return NEXT;
    }
    const written = [...writtenTexts];
    for (const { id, locale } of missing.slice(0, MAX_WRITES)) {
      try {
        await client.appStore.updateWhatsNew(id, texts.get(locale) ?? '');
      } catch (error) {
        if (!(error instanceof StoreRefusal) || error.refusal.does !== 'done') throw error;
        await context.log(error.message, ...quoteOf('App Store Connect', error));
        return NEXT;
      }
      written.push(locale);
      await context.save({ external: { ...progressOf(submission), writtenTexts: [...written] } });
    }
    return { kind: 'on' };
  }
}

function differs({ locale, whatsNew }: VersionLocalization, texts: ReadonlyMap<string, string>): boolean {
  const text = texts.get(locale);
  return text !== undefined && text !== whatsNew;
}

function linesAbout(texts: ReadonlyMap<string, string>, unknown: readonly string[]): string[] {
  return [
    ...(texts.size === 0 ? [] : [`What's New: ${[...texts.keys()].join(', ')}.`]),
    ...(unknown.length === 0
      ? []
      : [
          `The version has no texts in ${unknown.join(', ')}, so these notes are for testers only. Add the language in App Store Connect to use them.`,
        ]),
  ];
}
