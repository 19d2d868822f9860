import { isRecentlyProved } from '../../common/access/recent-proof.js';
import { ForbiddenError } from '../../common/errors/app-error.js';
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

/** 403: the form does not come from a page that this server showed to this visitor. */
export class CsrfError extends ForbiddenError {
  constructor() {
    super(
      'This form is out of date or came from another site. Go back, reload the page and try again.',
      'foreign_form',
    );
  }
}
