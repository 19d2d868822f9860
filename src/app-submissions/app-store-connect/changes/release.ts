import { StoreRefusal } from '../../calls/refusals/refusal.js';
import type { AppVersion } from '../api/responses/app-store-resources.js';
import { notChangeable } from '../review/rules/review-refusals.js';
import type { ChangeRun } from '../apple-state.js';
import type { Connect } from '../connect.js';
import { lookAfter, type OpenRelease, openRelease, takeBackIfRefused } from './releases.js';

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

/** Releases a version that Apple has approved. @throws StoreRefusal @throws StoreUnreachableError */
export async function releaseVersion(run: ChangeRun, connect: Connect): Promise<void> {
  const open = await openRelease(run, connect);
  const { version, client } = open;
  // An earlier attempt, or a person, has done it.
  if (RELEASED.includes(version.state)) return end(run, open, version);
  if (version.state !== WAITS) {
    const { message, link } = lookAfter(open, version, { status: 'waiting_for_review' });
    throw notChangeable('released', message, link);
  }
  const isRepeated = run.state.requestedAt !== undefined;
  if (!isRepeated) {
    await run.log('Asking Apple to release the version; that cannot be canceled from here on.');
    await run.announceCommit({ requestedAt: run.now().toISOString() });
  }
  try {
    await client.appStore.requestRelease(version.id);
  } catch (error) {
    if (!isRepeated) await takeBackIfRefused(run, error);
    // After a lost answer, a refusal can mean that it is released already: Apple shows that a moment later.
    const isMaybeDone = isRepeated && error instanceof StoreRefusal && error.status === 409;
    if (!isMaybeDone || run.attempts >= MAX_LOOKS) throw error;
    await run.quote(error);
    return run.tryAgain({ afterSeconds: LOOK_AFTER });
  }
  return end(run, open, await client.appStore.version(version.id));
}

async function end(run: ChangeRun, open: OpenRelease, version: AppVersion): Promise<never> {
  const shown = version.state === WAITS ? { ...version, state: 'PROCESSING_FOR_DISTRIBUTION' } : version;
  const release = lookAfter(open, shown);
  await run.log(release.message);
  return run.done({ state: 'prepared', message: release.message, release });
}
