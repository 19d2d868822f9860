import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../../../../common/database-clock.js';
import { StoreRefusal } from '../../../refusals/refusal.js';
import { quoteOf } from '../../../refusals/refused.js';
import type { StepContext, StepResult } from '../../../store.js';
import type { AppVersion } from '../../app-store/app-store-resources.js';
import { notChangeable, releaseUnclear } from '../../app-store/review-refusals.js';
import { AppleReleases, lookAfter, type OpenRelease } from './apple-releases.service.js';

type Wanted = 'ACTIVE' | 'PAUSED' | 'COMPLETE';

const IN_WORDS: Readonly<Record<Wanted, string>> = {
  ACTIVE: 'resumed',
  PAUSED: 'paused',
  COMPLETE: 'completed',
};

/** Pauses, resumes or completes the phased release of a version. Apple sets its shares. */
@Injectable()
export class RolloutStep {
  constructor(private readonly releases: AppleReleases) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const open = await this.releases.open(context);
    const wanted = wantedOf(context.submission.userFraction);
    const { version } = open;
    // An earlier attempt, or a person, has done it.
    if (isSo(version, wanted)) return done(context, open, version, wanted);
    requireChangeable(open, wanted);
    await this.change(context, open, wanted);
    const present = await open.client.appStore.version(version.id);
    if (!isSo(present, wanted)) throw releaseUnclear(IN_WORDS[wanted], lookAfter(open, present).link);
    return done(context, open, present, wanted);
  }

  private async change(context: StepContext, open: OpenRelease, wanted: Wanted): Promise<void> {
    const { phasedRelease } = open.version;
    if (phasedRelease === null) return;
    await context.save({ commitSentAt: databaseNow() });
    try {
      await open.client.appStore.setPhasedRelease(phasedRelease.id, wanted);
    } catch (error) {
      // It is so already, or complete: what is read next decides.
      if (!(error instanceof StoreRefusal) || error.refusal.does !== 'done') throw error;
      await context.log(...quoteOf('App Store Connect', error));
    }
  }
}

function wantedOf(userFraction: number): Wanted {
  if (userFraction === 0) return 'PAUSED';
  return userFraction === 1 ? 'COMPLETE' : 'ACTIVE';
}

function isSo({ state, phasedRelease }: AppVersion, wanted: Wanted): boolean {
  if (state !== 'READY_FOR_DISTRIBUTION') return false;
  if (phasedRelease === null) return wanted === 'COMPLETE';
  return phasedRelease.state === wanted;
}

/** @throws StoreRefusal */
function requireChangeable(open: OpenRelease, wanted: Wanted): void {
  const { state, phasedRelease } = open.version;
  const isRunning = state === 'READY_FOR_DISTRIBUTION' && phasedRelease !== null;
  if (isRunning && phasedRelease.state !== 'COMPLETE') return;
  const { message, link } = lookAfter(open, open.version);
  throw notChangeable(IN_WORDS[wanted], message, link);
}

async function done(
  context: StepContext,
  open: OpenRelease,
  version: AppVersion,
  wanted: Wanted,
): Promise<StepResult> {
  const release = lookAfter(open, version);
  const message = `The phased release is ${IN_WORDS[wanted]}. ${release.message}`;
  await context.log(message);
  return { kind: 'done', state: 'prepared', message, release };
}
