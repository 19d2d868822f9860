import type { AppleError } from './apple-error.ts';
import type { Call } from './resources/routes.ts';

/** A refusal that a test can ask for by its name. */
export interface Refusal {
  /** Where Apple answers it; the first one unless a test says otherwise. */
  readonly calls: readonly Call[];
  readonly error: () => AppleError;
}

/** One row. @param calls separated by commas */
export function row(calls: string, error: () => AppleError): Refusal {
  return { calls: calls.split(',') as Call[], error };
}
