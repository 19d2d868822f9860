import { ConflictError } from '../common/errors/app-error.js';
import type { Violations } from './rows.js';

/** What the trigger calls itself that refuses to delete a bundle under legal hold, alone or as a part of anything. */
export const LEGAL_HOLD = 'bundles_legal_hold';

/** For deletions that a bundle may fall with. */
export const legalHoldViolations: Violations = {
  [LEGAL_HOLD]: () =>
    new ConflictError(
      'It cannot be deleted: a bundle is under legal hold. Release the hold first.',
      'legal_hold',
    ),
};
