import { AppError } from '../../common/errors/app-error.js';
import type { ErrorCode } from '../../common/errors/catalogue/error-catalogue.js';

const RETRY_AFTER_SECONDS = 30;

/** A sign-in at the OpenID provider failed. */
class OidcError extends AppError {
  constructor(
    message: string,
    code: Extract<ErrorCode, `oidc_${string}`>,
    override readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message, code);
  }
}

/** 503: the provider does not answer. @param name of the provider */
export function providerUnavailable(name: string): AppError {
  return new OidcError(
    `Signing in with ${name} is not possible at the moment, because it does not answer. Try again in a minute.`,
    'oidc_unavailable',
    { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  );
}

/** 502: the response of the provider is not valid, so it is not trusted. @param name of the provider */
export function providerFailed(name: string): AppError {
  return new OidcError(
    `Signing in with ${name} failed: its answer is not valid. Try again, or contact your administrator.`,
    'oidc_failed',
  );
}

/** 403: the user or the provider rejected the sign-in. @param name of the provider */
export function signInDenied(name: string): AppError {
  return new OidcError(`The sign-in with ${name} was cancelled or denied.`, 'oidc_denied');
}

/** 400: this browser has no such sign-in in progress. */
export function signInExpired(): AppError {
  return new OidcError(
    'This sign-in took too long, was used already or was begun elsewhere. Sign in again.',
    'oidc_expired',
  );
}

/** 403: the profile from the provider does not suffice for a user. @param reason a sentence */
export function accountRefused(reason: string): AppError {
  return new OidcError(reason, 'oidc_account_refused');
}
