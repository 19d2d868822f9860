import { StoreRefusal } from '../../calls/refusals/refusal.js';
import type { AppVersion } from '../api/responses/app-store-resources.js';
import { notChangeable, releaseUnclear } from '../review/rules/review-refusals.js';
import type { ChangeRun } from '../apple-state.js';
import type { Connect } from '../connect.js';
import { lookAfter, type OpenRelease, openRelease, takeBackIfRefused } from './releases.js';

type Wanted = 'ACTIVE' | 'PAUSED' | 'COMPLETE';

const IN_WORDS: Readonly<Record<Wanted, string>> = {
  ACTIVE: 'resumed',
  PAUSED: 'paused',
  COMPLETE: 'completed',
};

/**
 * Pauses, resumes or completes the phased release of a version. Apple sets its shares.
 *
 * @throws StoreRefusal @throws StoreUnreachableError
 */
export async function setPhasedRelease(run: ChangeRun, connect: Connect): Promise<void> {
  const open = await openRelease(run, connect);
  const wanted = wantedOf(run.submission.userFraction);
  const { version, client } = open;
  // An earlier attempt, or a person, has done it.
  if (isSo(version, wanted)) return end(run, open, version, wanted);
  requireChangeable(open, wanted);
  await change(run, open, wanted);
  const present = await client.appStore.version(version.id);
  if (!isSo(present, wanted)) throw releaseUnclear(IN_WORDS[wanted], lookAfter(open, present).link);
  return end(run, open, present, wanted);
}

async function change(run: ChangeRun, { client, version }: OpenRelease, wanted: Wanted): Promise<void> {
  const { phasedRelease } = version;
  if (phasedRelease === null) return;
  const isRepeated = run.submission.commitSentAt !== null;
  if (!isRepeated) await run.announceCommit();
  try {
    await client.appStore.setPhasedRelease(phasedRelease.id, wanted);
  } catch (error) {
    // It is so already, or complete: what is read next decides.
    if (error instanceof StoreRefusal && error.refusal.does === 'done') return run.quote(error);
    if (!isRepeated) await takeBackIfRefused(run, error);
    throw error;
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

async function end(run: ChangeRun, open: OpenRelease, version: AppVersion, wanted: Wanted): Promise<never> {
  const release = lookAfter(open, version);
  const message = `The phased release is ${IN_WORDS[wanted]}. ${release.message}`;
  await run.log(message);
  return run.done({ state: 'prepared', message, release });
}
