import { LegalHoldError } from '../common/errors/app-error.js';
import type { Violations } from './rows.js';

/**
 * For deletions that may delete a bundle by cascade: the trigger `bundles_legal_hold` refuses them for a held bundle.
 */
export const legalHoldViolations: Violations = { bundles_legal_hold: () => new LegalHoldError() };
