import { errorOf } from '../errors/app-error.js';

/**
 * Refuses a token in a query or a body: there it would end up in logs and histories.
 *
 * @param fields the query or the body of a request
 * @throws InvalidRequestError when it has a field `access_token` (RFC 6750 allows it there)
 */
export function refuseTokenIn(fields: unknown): void {
  if (typeof fields === 'object' && fields !== null && 'access_token' in fields) {
    throw errorOf('token_outside_header');
  }
}
