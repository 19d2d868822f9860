import { ForbiddenError } from '../../common/errors/app-error.js';
import type { ReturnPath } from '../views/site-map.js';

/** The page is for visitors who have signed in. */
export class SignInRequired extends Error {
  /** @param next the page to return to after the sign-in */
  constructor(readonly next: ReturnPath) {
    super('Sign in first.');
  }
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
