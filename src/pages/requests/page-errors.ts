import { isRecentlyProved } from '../../common/access/recent-proof.js';
import type { SignedInVisit } from '../views/page.js';
import type { ReturnPath } from '../views/site-map.js';

/** The page is for visitors who have signed in. */
export class SignInRequired extends Error {
  /** @param next the page to return to after the sign-in */
  constructor(readonly next: ReturnPath) {
    super('Sign in first.');
  }
}

/** The visitor has signed in, but too long ago for what the page does. */
export class ConfirmationRequired extends Error {
  /** @param next the page to return to after the confirmation */
  constructor(readonly next: ReturnPath) {
    super('Confirm that it is you first.');
  }
}

/** Requires that the visitor signed in within the last 15 minutes. @throws ConfirmationRequired */
export function requireConfirmed(visit: SignedInVisit, next: ReturnPath): void {
  if (!isRecentlyProved(visit)) throw new ConfirmationRequired(next);
}
