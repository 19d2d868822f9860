/** What is known about a key and the calls of the last hour. */
export interface KeyUse {
  /** Calls of the organization that asks. */
  readonly own: number;
  /** Calls of all organizations. */
  readonly all: number;
  /** Organizations with calls, and the one that asks. */
  readonly organizations: number;
  /** `null`: Apple has not said it. */
  readonly hourLimit: number | null;
  /** Calls that Apple has said are left, within the last minutes; `null`: it has not. */
  readonly remaining: number | null;
  /** Seconds for which Apple wants no call. */
  readonly pausedSeconds: number;
}

/** Why a call has to wait, and for how long. */
export interface CallWait {
  readonly why: 'pause' | 'used-up' | 'share';
  readonly seconds: number;
}

/** What Apple allows a key in an hour, as far as its answers show: https://developer.apple.com/documentation/appstoreconnectapi/identifying-rate-limits */
const DEFAULT_HOUR_LIMIT = 3600;
/** Part of the limit that is left for people and other tools. */
const RESERVE = 0.05;
/** Seconds until the next look, when calls of the hour have to end first. A look calls nothing. */
const LOOK_AGAIN = 60;

/**
 * Decides whether an organization may make a call with a key. Alone, it may use all calls of the hour but the reserve. While
 * several use the key, each may use an equal share. The first call of an organization may use the reserve: until Apple has
 * answered it, the organization does not count.
 *
 * @returns `null`: it may
 */
export function waitFor(use: KeyUse): CallWait | null {
  const { own, all, organizations, pausedSeconds } = use;
  if (pausedSeconds > 0) return { why: 'pause', seconds: Math.ceil(pausedSeconds) };
  if (own === 0) return null;
  const hourLimit = use.hourLimit ?? DEFAULT_HOUR_LIMIT;
  const reserve = Math.floor(hourLimit * RESERVE);
  // Other tools use the key as well; Apple has counted their calls.
  const left = Math.min(hourLimit - all, use.remaining ?? hourLimit) - reserve;
  if (left <= 0) return { why: 'used-up', seconds: LOOK_AGAIN };
  const share = (all + left) / organizations;
  return organizations > 1 && own >= share ? { why: 'share', seconds: LOOK_AGAIN } : null;
}
