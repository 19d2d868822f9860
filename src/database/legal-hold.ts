import { LegalHoldError } from '../common/errors/app-error.js';
import type { Violations } from './rows.js';

/** For deletions that a bundle may fall with: the trigger `bundles_legal_hold` refuses them when it is held. */
export const legalHoldViolations: Violations = { bundles_legal_hold: () => new LegalHoldError() };
