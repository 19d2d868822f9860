import { Injectable, Logger } from '@nestjs/common';
import * as client from 'openid-client';
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { Config } from '../../config/config.js';
import { isPlainHttp } from '../../config/issuer.decorator.js';
import { AppError, NotFoundError } from '../../common/errors/app-error.js';
import { PROOF_VALID_MINUTES } from '../../common/access/recent-proof.js';
import { type Profile, readProfile } from './profile.js';
import { signInExpired, providerFailed, providerUnavailable, signInDenied } from './oidc-errors.js';

/** Limit for each request to the provider. */
const TIMEOUT_SECONDS = 10;
/** How much the clocks of the provider and of this server may differ. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** How long the metadata of the provider is cached. */
const METADATA_CACHED_FOR_MS = 60 * 60_000;

/** What is kept until the provider sends the browser back. */
export interface Authorization {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** Whether the provider was to ask the user again. */
  readonly again: boolean;
}

/** Client of the OpenID provider: authorization code flow with PKCE. */
@Injectable()
export class OidcProvider {
  private readonly logger = new Logger(OidcProvider.name);
  private discovered:
    { readonly until: number; readonly provider: Promise<client.Configuration> } | undefined;

  constructor(private readonly config: Config) {}

  /**
   * Starts a sign-in.
   *
   * @param redirectUri where the provider sends the browser back to
   * @param again whether the provider is to ask a user whom it knows for the password again
   * @returns where to send the browser, and what to keep
   * @throws AppError when the provider does not answer, or its response is not valid
   */
  begin(
    redirectUri: string,
    again: boolean,
  ): Promise<{ readonly url: string; readonly authorization: Authorization }> {
    return this.ask(async (provider) => {
      const codeVerifier = client.randomPKCECodeVerifier();
      const state = client.randomState();
      const nonce = client.randomNonce();
      const url = client.buildAuthorizationUrl(provider, {
        redirect_uri: redirectUri,
        scope: this.config.oidc.scopes,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        state,
        nonce,
        ...(again ? { prompt: 'login', max_age: '0' } : {}),
      });
      return { url: url.href, authorization: { redirectUri, state, nonce, codeVerifier, again } };
    });
  }

  /**
   * Finishes a sign-in: exchanges the code, checks the ID token and reads the profile.
   *
   * @param search the query with which the provider sent the browser back
   * @throws AppError when it was denied, has expired, or the provider does not answer, or its response is not valid
   */
  finish(search: URLSearchParams, authorization: Authorization): Promise<Profile> {
    return this.ask(async (provider) => {
      const callback = new URL(authorization.redirectUri);
      callback.search = search.toString();
      const tokens = await client.authorizationCodeGrant(provider, callback, {
        expectedState: authorization.state,
        expectedNonce: authorization.nonce,
        pkceCodeVerifier: authorization.codeVerifier,
        idTokenExpected: true,
      });
      const idToken = tokens.claims();
      if (idToken === undefined) throw new Error('The provider sent no ID token.');
      // Not every provider says when it asked the user.
      if (authorization.again && isLongAgo(idToken.auth_time)) throw signInExpired();
      const hasUserInfo = provider.serverMetadata().userinfo_endpoint !== undefined;
      const userInfo = hasUserInfo
        ? await client.fetchUserInfo(provider, tokens.access_token, idToken.sub)
        : {};
      const profile = readProfile(this.config.oidc, idToken, userInfo);
      if (profile === null) throw new Error('The subject is not valid.');
      return profile;
    });
  }

  /** Of an error that the provider reports, only the code reaches a page or the log. */
  private async ask<R>(work: (provider: client.Configuration) => Promise<R>): Promise<R> {
    const { name } = this.config.oidc;
    try {
      return await work(await this.discover());
    } catch (error) {
      if (error instanceof AppError) throw error;
      const { refusal, reason } = toOidcError(error, name);
      this.logger.warn({ reason }, 'Sign-in by the OpenID provider failed');
      throw refusal;
    }
  }

  /** The metadata of the provider. Sign-ins at the same time share one request; a failure is not cached. */
  private discover(): Promise<client.Configuration> {
    if (this.discovered !== undefined && this.discovered.until > Date.now()) return this.discovered.provider;
    const provider = this.fetchMetadata();
    const discovered = { until: Date.now() + METADATA_CACHED_FOR_MS, provider };
    this.discovered = discovered;
    provider.catch(() => {
      if (this.discovered === discovered) this.discovered = undefined;
    });
    return provider;
  }

  private async fetchMetadata(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret } = this.config.oidc;
    if (issuer === null || clientId === null) throw new NotFoundError('Resource');
    const provider = await client.discovery(
      new URL(issuer),
      clientId,
      { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      authenticationBy(clientSecret),
      {
        timeout: TIMEOUT_SECONDS,
        // The signature of ID tokens is checked even though they come from the provider directly.
        execute: isPlainHttp(issuer)
          ? [client.enableNonRepudiationChecks, client.allowInsecureRequests]
          : [client.enableNonRepudiationChecks],
      },
    );
    // The library accepts any tenant of some providers, and with it every user of that provider.
    if (new URL(provider.serverMetadata().issuer).href !== new URL(issuer).href) {
      throw new Error('The issuer is not the one that is configured.');
    }
    return provider;
  }
}

/** The secret goes into the header, unless the metadata says that the provider takes it in the body only. */
function authenticationBy(secret: string | null): client.ClientAuth {
  if (secret === null) return client.None();
  const inHeader = client.ClientSecretBasic(secret);
  const inBody = client.ClientSecretPost(secret);
  return (server, metadata, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const bodyOnly = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
    return (bodyOnly ? inBody : inHeader)(server, metadata, body, headers);
  };
}

/** Whether the provider asked the user too long ago. @param authTime seconds since 1970; `undefined`: not known */
function isLongAgo(authTime: number | undefined): boolean {
  const oldest = Date.now() / 1000 - PROOF_VALID_MINUTES * 60 - CLOCK_TOLERANCE_SECONDS;
  return authTime !== undefined && authTime < oldest;
}

/**
 * Translates an error of the library.
 *
 * @param name of the provider
 * @returns the error for the visitor, and a word for the log
 */
function toOidcError(error: unknown, name: string): { refusal: AppError; reason: string } {
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
