import type { BuildNumbersOutcome } from '../../common/build-numbers.js';

/** How long the store is asked, in milliseconds. */
const ASKED_FOR = 30 * 60_000;
/** Held jobs end after an hour: see `UnmatchedJobs`. The reason for the end is ours until then. */
const HELD_FOR = 55 * 60_000;
/** Longest wait that the store has not asked for, in seconds. */
const MAX_SECONDS = 120;

/** What the store has said. */
type Refused = Exclude<BuildNumbersOutcome, { kind: 'found' }>;

/**
 * When to ask the store again.
 *
 * @param refused with the count of refusals, this one included
 * @param since when the number was requested
 * @param createdAt of the job
 * @returns seconds from now; `null`: it is refused for good, or the build has waited long enough
 */
export function nextAttemptIn(
  refused: Refused & { readonly attempts: number },
  { since, createdAt, now }: { readonly since: Date; readonly createdAt: Date; readonly now: Date },
): number | null {
  if (refused.kind === 'refused') return null;
  const { attempts, maxAttempts, afterSeconds } = refused;
  if (maxAttempts !== null && attempts >= maxAttempts) return null;
  const growing = Math.min(MAX_SECONDS, Math.max(afterSeconds, 1) * 2 ** (attempts - 1));
  const seconds = Math.max(growing, afterSeconds);
  const end = Math.min(since.getTime() + ASKED_FOR, createdAt.getTime() + HELD_FOR);
  return now.getTime() + seconds * 1000 <= end ? seconds : null;
}
