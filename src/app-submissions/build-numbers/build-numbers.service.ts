import { Injectable } from '@nestjs/common';
import type { BuildNumbersOutcome, NumberedApp, UsedBuildNumbers } from '../../common/build-numbers.js';
import { InvalidRequestError, NotFoundError } from '../../common/errors/app-error.js';
import { DestinationsService } from '../destinations/destinations.service.js';
import { keyIsGone, type StoreRefusal } from '../calls/refusals/refusal.js';
import { refusalOfError } from '../calls/refusals/retry-delay.js';
import { StoreCalls } from '../calls/store-calls.service.js';
import { REQUEST_PATIENCE_MS, type StoreSession } from '../calls/store-session.js';
import { AppleBuildNumbers, PlayVersionCodes } from './store-numbers.service.js';
import { BuildNumbersQueries, type SubmittedNumber } from './build-numbers.queries.js';
import { type NumberSources, numberSourcesOf } from './number-sources.js';
import { countVersionCodes, type SubmittedCode } from './version-codes.js';

/** Between two attempts at least, in seconds, unless the store asks for more. */
const RETRY_SECONDS = 5;
/** Attempts at a sign-in that a store refuses: a new key may not be known everywhere yet. */
const TOKEN_ATTEMPTS = 3;

/** Asks stores which build numbers an app has used. */
@Injectable()
export class BuildNumbersService {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly play: PlayVersionCodes,
    private readonly apple: AppleBuildNumbers,
    private readonly queries: BuildNumbersQueries,
    private readonly calls: StoreCalls,
  ) {}

  /** @throws InvalidRequestError when no destination of the app can say which build numbers its store has */
  async requireSource(app: NumberedApp): Promise<void> {
    const found = await this.sourcesOf(app);
    if (found.store === null) throw new InvalidRequestError(found.missing, 'build_number_unavailable');
  }

  /**
   * Asks the store with the keys of the destinations, until one is accepted. Never call it inside a transaction.
   *
   * @param organizationId whose calls they are
   * @throws Error what is about this server
   */
  async ask(app: NumberedApp, organizationId: string): Promise<BuildNumbersOutcome> {
    const found = await this.sourcesOf(app);
    if (found.store === null) return { kind: 'refused', message: found.missing };
    const session = this.calls.of({ organizationId, submissionId: null, patienceMs: REQUEST_PATIENCE_MS });
    const refusals: StoreRefusal[] = [];
    for (const ask of this.questionsOf(found, session)) {
      try {
        return { kind: 'found', used: await ask() };
      } catch (error) {
        refusals.push(toRefusal(error));
      }
    }
    return outcomeOf(refusals);
  }

  private async sourcesOf(app: NumberedApp): Promise<NumberSources> {
    return numberSourcesOf(app, await this.destinations.ofPlatform(app.appId, app.platform));
  }

  /** One question for each key. */
  private questionsOf(
    found: Exclude<NumberSources, { store: null }>,
    session: StoreSession,
  ): (() => Promise<UsedBuildNumbers>)[] {
    if (found.store === 'google-play') {
      const { formFactor } = found;
      return found.sources.map((source) => async () => {
        const { packageName } = source;
        const codes = await this.play.list(source, session);
        const submitted = await this.queries.submitted(source.appId, found.store, packageName);
        const counted = countVersionCodes(codes, submitted.map(toSubmittedCode), formFactor);
        return { packageName, store: 'Google Play', formFactor, ...counted };
      });
    }
    return found.sources.map((source) => async () => {
      const { bundleId, buildNumbers } = await this.apple.list(source, session);
      const submitted = await this.queries.submitted(source.appId, found.store, bundleId);
      const inStore = highestNumberOf(buildNumbers);
      return {
        packageName: bundleId,
        store: 'App Store Connect',
        formFactor: 'phone',
        inStore: inStore === null ? null : { number: inStore, shown: String(inStore) },
        submitted: highestNumberOf(submitted.map(({ number }) => number)),
        other: null,
        used: [],
      };
    });
  }
}

function toSubmittedCode({ number, track }: SubmittedNumber): SubmittedCode {
  return { code: Number(number), track };
}

/** @throws Error what is about this server */
function toRefusal(error: unknown): StoreRefusal {
  if (error instanceof NotFoundError) return keyIsGone('key');
  const refusal = refusalOfError(error);
  if (refusal === null) throw error;
  return refusal;
}

/** A store that may respond later comes before one that refuses: another key may still be accepted. */
function outcomeOf(refusals: readonly StoreRefusal[]): BuildNumbersOutcome {
  const again = refusals.filter(({ refusal }) => refusal.retry === 'again');
  const passing = again.find(({ refusal }) => refusal.does !== 'new-token') ?? again[0];
  const message = toBuildSentence((passing ?? refusals[0])?.message ?? '');
  if (passing === undefined) return { kind: 'refused', message };
  return {
    kind: 'later',
    message,
    afterSeconds: passing.refusal.afterSeconds ?? RETRY_SECONDS,
    maxAttempts: passing.refusal.does === 'new-token' ? TOKEN_ATTEMPTS : null,
  };
}

/** What a refusal of a store says to people whose build it concerns: they submit nothing. */
export function toBuildSentence(sentence: string): string {
  return sentence
    .replace(/\b(s)ubmit (?:this build )?again\b/gi, (_, letter: string) =>
      letter === 'S' ? 'Start the build again' : 'start the build again',
    )
    .replace(/: nothing is uploaded twice/g, '');
}

/**
 * The highest build number of a list; `null`: there is none. Of numbers with dots, such as 42.1.3, the part before the first
 * dot counts: the next whole number is above all of them. Texts that are no build numbers do not count. Numbers above 2^53
 * are not exact.
 */
export function highestNumberOf(texts: readonly string[]): number | null {
  const numbers = texts.flatMap((text) => {
    const [, digits] = /^(\d{1,18})(?:\.\d+)*$/.exec(text.trim()) ?? [];
    return digits === undefined ? [] : [Number(digits)];
  });
  return numbers.reduce<number | null>((highest, number) => Math.max(highest ?? 0, number), null);
}
