import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import type { AppError } from '../../common/errors/app-error.js';
import { providerFailed, providerUnavailable, signInDenied, signInExpired } from './oidc-errors.js';

/**
 * Translates an error of the library.
 *
 * @param name of the provider
 * @returns the error for the visitor, and a word for the log
 */
export function toOidcError(error: unknown, name: string): { refusal: AppError; reason: string } {
  if (error instanceof AuthorizationResponseError) return fromCode(error.error, name);
  if (error instanceof ResponseBodyError) return fromCode(error.error, name);
  if (error instanceof WWWAuthenticateChallengeError) {
    return fromCode(error.cause[0]?.parameters.error ?? 'unauthorized', name);
  }
  if (error instanceof ClientError) {
    const reason = error.code ?? error.message;
    const down = reason === 'OAUTH_TIMEOUT' || (error.cause instanceof Response && error.cause.status >= 500);
    return { refusal: down ? providerUnavailable(name) : providerFailed(name), reason };
  }
  // `fetch` throws a plain `TypeError` when it cannot connect, or the connection breaks.
  if (error instanceof TypeError && error.message !== '' && !('code' in error)) {
    return { refusal: providerUnavailable(name), reason: error.message };
  }
  return { refusal: providerFailed(name), reason: error instanceof Error ? error.message : 'unknown' };
}

/** The codes of OAuth 2.0 (RFC 6749, 4.1.2.1 and 5.2). A browser can send any code, so others are not logged. */
function fromCode(code: string, name: string): { refusal: AppError; reason: string } {
  switch (code) {
    case 'access_denied':
      return { refusal: signInDenied(name), reason: code };
    case 'invalid_grant':
      return { refusal: signInExpired(), reason: code };
    case 'temporarily_unavailable':
    case 'server_error':
      return { refusal: providerUnavailable(name), reason: code };
    default:
      return { refusal: providerFailed(name), reason: /^[a-z_]{1,50}$/.test(code) ? code : 'unknown' };
  }
}
