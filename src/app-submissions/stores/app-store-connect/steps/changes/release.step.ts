import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../../../../common/database-clock.js';
import { StoreRefusal } from '../../../refusals/refusal.js';
import { quoteOf } from '../../../refusals/refused.js';
import type { StepContext, StepResult } from '../../../store.js';
import type { AppVersion } from '../../app-store/app-store-resources.js';
import { notChangeable } from '../../app-store/review-refusals.js';
import { progressOf } from '../apple-progress.js';
import { AppleReleases, lookAfter, type OpenRelease } from './apple-releases.service.js';

/** States in which Apple releases a version, or has released it. */
const RELEASED: readonly (string | null)[] = [
  'PENDING_APPLE_RELEASE',
  'PROCESSING_FOR_DISTRIBUTION',
  'READY_FOR_DISTRIBUTION',
];
/** How often a version is looked at after a lost answer. */
const MAX_LOOKS = 5;
const LOOK_AFTER = 5;
const WAITS = 'PENDING_DEVELOPER_RELEASE';

/** Releases a version that Apple has approved. */
@Injectable()
export class ReleaseStep {
  constructor(private readonly releases: AppleReleases) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const open = await this.releases.open(context);
    const { version } = open;
    // An earlier attempt, or a person, has done it.
    if (RELEASED.includes(version.state)) return done(context, open, version);
    if (version.state !== WAITS) {
      const { message, link } = lookAfter(open, version, { status: 'waiting_for_review' });
      throw notChangeable('released', message, link);
    }
    const again = await this.request(context, open);
    return again ?? done(context, open, await open.client.appStore.version(version.id));
  }

  /** @returns `null`: Apple releases it */
  private async request(context: StepContext, { client, version }: OpenRelease): Promise<StepResult | null> {
    const { submission } = context;
    const { requestedAt } = progressOf(submission);
    if (requestedAt === undefined) {
      await context.log('Asking Apple to release the version; that cannot be canceled from here on.');
      await context.save({
        external: { ...progressOf(submission), requestedAt: databaseNow().toISOString() },
        commitSentAt: databaseNow(),
      });
    }
    try {
      await client.appStore.requestRelease(version.id);
    } catch (error) {
      // After a lost answer, a refusal can mean that it is released already: Apple shows that a moment later.
      const isRepeated = requestedAt !== undefined && error instanceof StoreRefusal && error.status === 409;
      if (!isRepeated || submission.stepAttempts >= MAX_LOOKS) throw error;
      await context.log(...quoteOf('App Store Connect', error));
      return { kind: 'again', afterSeconds: LOOK_AFTER };
    }
    return null;
  }
}

async function done(context: StepContext, open: OpenRelease, version: AppVersion): Promise<StepResult> {
  const shown = version.state === WAITS ? { ...version, state: 'PROCESSING_FOR_DISTRIBUTION' } : version;
  const release = lookAfter(open, shown);
  await context.log(release.message);
  return { kind: 'done', state: 'prepared', message: release.message, release };
}
