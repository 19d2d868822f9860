import { databaseNow } from '../../common/database-clock.js';
import { ForbiddenError } from '../errors/app-error.js';
import type { Principal } from './principal.js';

/** How long after a sign-in sensitive actions need no further proof, in minutes. */
export const PROOF_VALID_MINUTES = 15;

/** Whether the user has proved their identity within the last 15 minutes. */
export function isRecentlyProved({ provedAt }: Pick<Principal, 'provedAt'>): boolean {
  return provedAt != null && provedAt.getTime() > databaseNow(-PROOF_VALID_MINUTES * 60_000).getTime();
}

/**
 * Requires a recent proof of a session: its token may have leaked since the sign-in. API tokens need none, because their
 * scope limits them.
 *
 * @throws ForbiddenError when the sign-in is older than 15 minutes
 */
export function requireRecentProof(caller: Principal): void {
  if (caller.sessionId === undefined || isRecentlyProved(caller)) return;
  throw new ForbiddenError(
    `The sign-in is older than ${PROOF_VALID_MINUTES} minutes. Sign in again, or do this at /settings/tokens.`,
    'recent_sign_in_required',
  );
}
