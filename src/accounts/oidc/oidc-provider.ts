import { Injectable, Logger } from '@nestjs/common';
import * as client from 'openid-client';
import { Config } from '../../config/config.js';
import { isPlainHttp } from '../../config/issuer.decorator.js';
import { AppError, NotFoundError } from '../../common/errors/app-error.js';
import { type Profile, readProfile } from './profile.js';
import { toOidcError } from './to-oidc-error.js';

/** For each call of the provider. */
const TIMEOUT_SECONDS = 10;
/** How far the clocks of the provider and of this machine may be apart. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** How long the provider's description of itself is believed. */
const DISCOVERED_FOR_MS = 60 * 60_000;

/** What must be remembered until the provider sends the browser back. */
export interface Authorization {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** The OpenID provider: authorization code flow with PKCE. */
@Injectable()
export class OidcProvider {
  private readonly logger = new Logger(OidcProvider.name);
  private discovered:
    { readonly until: number; readonly provider: Promise<client.Configuration> } | undefined;

  constructor(private readonly config: Config) {}

  /**
   * Begins a sign-in.
   *
   * @param redirectUri where the provider sends the browser back to
   * @returns where to send the browser, and what to remember
   * @throws AppError when the provider does not answer properly
   */
  begin(redirectUri: string): Promise<{ readonly url: string; readonly authorization: Authorization }> {
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
      });
      return { url: url.href, authorization: { redirectUri, state, nonce, codeVerifier } };
    });
  }

  /**
   * Finishes a sign-in: exchanges the code, checks the ID token and asks who it is.
   *
   * @param search the query with which the provider sent the browser back
   * @throws AppError when it was denied, has expired, or the provider does not answer properly
   */
  finish(search: URLSearchParams, authorization: Authorization): Promise<Profile> {
    return this.ask(async (provider) => {
      const answer = new URL(authorization.redirectUri);
      answer.search = search.toString();
      const tokens = await client.authorizationCodeGrant(provider, answer, {
        expectedState: authorization.state,
        expectedNonce: authorization.nonce,
        pkceCodeVerifier: authorization.codeVerifier,
        idTokenExpected: true,
      });
      const idToken = tokens.claims();
      if (idToken === undefined) throw new Error('The provider sent no ID token.');
      const knowsMore = provider.serverMetadata().userinfo_endpoint !== undefined;
      const userInfo = knowsMore
        ? await client.fetchUserInfo(provider, tokens.access_token, idToken.sub)
        : {};
      const profile = readProfile(this.config.oidc, idToken, userInfo);
      if (profile === null) throw new Error('The subject is not valid.');
      return profile;
    });
  }

  /** Nothing of what the provider says reaches a page or the log but the code of an error. */
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

  /** Asks the provider to describe itself, once for all who wait. A failure is not remembered. */
  private discover(): Promise<client.Configuration> {
    if (this.discovered !== undefined && this.discovered.until > Date.now()) return this.discovered.provider;
    const provider = this.askForDescription();
    const discovered = { until: Date.now() + DISCOVERED_FOR_MS, provider };
    this.discovered = discovered;
    provider.catch(() => {
      if (this.discovered === discovered) this.discovered = undefined;
    });
    return provider;
  }

  private async askForDescription(): Promise<client.Configuration> {
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
    // The library lets some providers answer for every tenant that they have, and so for everybody in the world.
    if (new URL(provider.serverMetadata().issuer).href !== new URL(issuer).href) {
      throw new Error('The issuer is not the one that is configured.');
    }
    return provider;
  }
}

/** As the provider's description says: in the header unless it takes secrets in the body only. */
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
