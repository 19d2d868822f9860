import { InvalidRequestError } from '../../common/errors/app-error.js';
import type { ErrorCodeOf } from '../../common/errors/catalogue/error-catalogue.js';

/** Maximum number of problems in one response. */
const NAMED = 20;

/**
 * A refusal to publish: the message names the first problem, `errors` the first twenty.
 *
 * @param summary what that means, such as `The bundle is not complete`
 * @param problems each without a full stop; at least one
 */
export function refusal(
  summary: string,
  code: ErrorCodeOf<400>,
  field: string,
  problems: readonly string[],
): InvalidRequestError {
  const [first = '', ...others] = problems;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const errors = problems.slice(0, NAMED).map((message) => ({ field, message: `${message}.` }));
  return new InvalidRequestError(`${summary}: ${first}${more}.`, code, errors);
}

/** A refusal because of signatures that no key of the app verifies. */
export function invalidSignature(field: string, problems: readonly string[]): InvalidRequestError {
  return refusal('The bundle is not signed with a key of the app', 'invalid_signature', field, problems);
}
