import { ForbiddenError } from '../../common/errors/app-error.js';
import type { ReturnPath } from './return-path.js';

/** The page is for visitors who have signed in. */
export class SignInRequired extends Error {
  constructor(readonly next: ReturnPath) {
    super('Sign in first.');
  }
}

/** The form does not come from a page that this visitor was shown. */
export class CsrfError extends ForbiddenError {
  constructor() {
    super(
      'This form is out of date or came from another site. Go back, reload the page and try again.',
      'foreign_form',
    );
  }
}
