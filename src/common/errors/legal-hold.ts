import { type AppError, errorOf } from './app-error.js';

/**
 * For deletions that may delete a bundle by cascade: the trigger `bundles_legal_hold` refuses them for a held bundle.
 */
export const legalHoldViolations: Readonly<Record<string, () => AppError>> = {
  bundles_legal_hold: () => errorOf('legal_hold'),
};
