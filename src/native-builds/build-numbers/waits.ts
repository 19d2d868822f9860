/** How long the store is asked, in milliseconds. */
const ASKED_FOR = 30 * 60_000;
/** Held jobs end after an hour: see `UnmatchedJobs`. The reason for the end is ours until then. */
const HELD_FOR = 55 * 60_000;
/** Longest wait that the store has not asked for, in seconds. */
const MAX_SECONDS = 120;

/**
 * When to ask the store again.
 *
 * @param attempts how many it has refused, with this one
 * @param askedSeconds what the store asks for at least
 * @param since when the number was requested
 * @param createdAt of the job
 * @returns seconds from now; `null`: the build has waited long enough
 */
export function nextAttemptIn(
  { attempts, askedSeconds }: { readonly attempts: number; readonly askedSeconds: number },
  { since, createdAt, now }: { readonly since: Date; readonly createdAt: Date; readonly now: Date },
): number | null {
  const growing = Math.min(MAX_SECONDS, Math.max(askedSeconds, 1) * 2 ** (attempts - 1));
  const seconds = Math.max(growing, askedSeconds);
  const end = Math.min(since.getTime() + ASKED_FOR, createdAt.getTime() + HELD_FOR);
  return now.getTime() + seconds * 1000 <= end ? seconds : null;
}
