import { type KeyObject, generateKeyPairSync, randomUUID } from 'node:crypto';
import { decodeJwt, jwtVerify } from 'jose';
import { GoogleError } from './google-error.ts';

/** What a service account may do with an app, as invited in the Play Console. */
export type Right = 'view' | 'testing' | 'production';

const RIGHTS: readonly Right[] = ['view', 'testing', 'production'];
const SCOPE = 'https://www.googleapis.com/auth/androidpublisher';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** Whatever the address of the request: "this value is always", says the page below. */
const AUDIENCE = 'https://oauth2.googleapis.com/token';
const TOKEN_SECONDS = 3599;

/** A service account of Google Cloud with one key. */
export interface ServiceAccount {
  readonly email: string;
  readonly keyId: string;
  readonly publicKey: KeyObject;
  /** By package. */
  readonly rights: Map<string, ReadonlySet<Right>>;
  isDisabled: boolean;
}

/** What a test wants of a service account. */
export interface NewServiceAccount {
  readonly email?: string;
  /** Where it was invited: everything, or what the test says. */
  readonly packages?: readonly string[] | Readonly<Record<string, readonly Right[]>>;
}

/** A service account, and its key as Google lets it be downloaded. */
export interface ServiceAccountKey {
  readonly email: string;
  readonly json: string;
}

/** A response of the token endpoint. */
export interface TokenReply {
  readonly status: number;
  readonly body: object;
}

/** Signs in service accounts: https://developers.google.com/identity/protocols/oauth2/service-account#httprest */
export class ServiceAccounts {
  private readonly accounts = new Map<string, ServiceAccount>();
  /** By access token. */
  private readonly tokens = new Map<string, { email: string; expiresAt: number }>();

  /** A new service account with its key. */
  add({ email, packages = [] }: NewServiceAccount = {}): ServiceAccountKey {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const address = email ?? `publisher-${randomUUID().slice(0, 8)}@example-project.iam.gserviceaccount.com`;
    const keyId = randomUUID().replaceAll('-', '');
    const given = isList(packages)
      ? packages.map((name) => [name, RIGHTS] as const)
      : Object.entries(packages);
    const rights = new Map(given.map(([name, list]) => [name, new Set(list)]));
    this.accounts.set(address, { email: address, keyId, publicKey, rights, isDisabled: false });
    const file = {
      type: 'service_account',
      project_id: 'example-project',
      private_key_id: keyId,
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      client_email: address,
      client_id: '100000000000000000001',
      auth_uri: 'https://accounts.google.com/o/oauth2/auth',
      token_uri: AUDIENCE,
      auth_provider_x509_cert_url: 'https://www.googleapis.com/oauth2/v1/certs',
      client_x509_cert_url: `https://www.googleapis.com/robot/v1/metadata/x509/${encodeURIComponent(address)}`,
      universe_domain: 'googleapis.com',
    };
    return { email: address, json: JSON.stringify(file, null, 2) };
  }

  get(email: string): ServiceAccount {
    const account = this.accounts.get(email);
    if (account === undefined) throw new Error(`There is no service account ${email}.`);
    return account;
  }

  /** All access tokens end, as they do after an hour. Their keys stay valid. */
  expireTokens(): void {
    this.tokens.clear();
  }

  /** The key was deleted: it gets no token, and those that it has end. */
  revoke(email: string): void {
    this.accounts.delete(email);
    for (const [token, owner] of this.tokens) if (owner.email === email) this.tokens.delete(token);
  }

  /** `POST /token`. */
  async token(form: URLSearchParams): Promise<TokenReply> {
    if (form.get('grant_type') !== GRANT) {
      return refused('unsupported_grant_type', `Invalid grant_type: ${form.get('grant_type')}`);
    }
    const assertion = form.get('assertion') ?? '';
    let issuer: string | undefined;
    try {
      issuer = decodeJwt(assertion).iss;
    } catch {
      return refused('invalid_request', 'Bad Request');
    }
    const account = this.accounts.get(issuer ?? '');
    if (account === undefined) return refused('invalid_grant', 'Invalid grant: account not found');
    if (account.isDisabled) return refused('invalid_grant', 'Invalid grant: account is disabled');
    try {
      const options = { algorithms: ['RS256'], audience: AUDIENCE, clockTolerance: 60 };
      const { payload, protectedHeader } = await jwtVerify(assertion, account.publicKey, options);
      if (protectedHeader.kid !== undefined && protectedHeader.kid !== account.keyId) throw new Error('kid');
      // "This has a maximum of 1 hour after the issued time."
      const { iat = 0, exp = Infinity } = payload;
      if (exp - iat > 3600 || Math.abs(iat - Date.now() / 1000) > 3600)
        return refused('invalid_grant', STALE);
      if (payload['scope'] !== SCOPE) {
        return refused('invalid_scope', 'Invalid OAuth scope or ID token audience provided.');
      }
    } catch (error) {
      const isStale = (error as { code?: string }).code === 'ERR_JWT_EXPIRED';
      return refused('invalid_grant', isStale ? STALE : 'Invalid JWT Signature.');
    }
    const token = `ya29.${randomUUID()}${randomUUID()}`;
    this.tokens.set(token, { email: account.email, expiresAt: Date.now() + TOKEN_SECONDS * 1000 });
    return { status: 200, body: { access_token: token, expires_in: TOKEN_SECONDS, token_type: 'Bearer' } };
  }

  /**
   * The service account of a request.
   *
   * @throws GoogleError 401
   */
  authenticate(authorization: string | undefined): ServiceAccount {
    const owner = this.tokens.get(/^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '');
    const account = owner === undefined ? undefined : this.accounts.get(owner.email);
    if (owner === undefined || owner.expiresAt <= Date.now() || account === undefined)
      throw unauthenticated();
    return account;
  }
}

const STALE =
  'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.';

/** https://cloud.google.com/docs/authentication/troubleshoot-adc, and what the API answers without a token. */
export function unauthenticated(): GoogleError {
  return new GoogleError(
    401,
    'UNAUTHENTICATED',
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.',
  );
}

function refused(error: string, description: string): TokenReply {
  return { status: error === 'invalid_client' ? 401 : 400, body: { error, error_description: description } };
}

function isList(packages: NonNullable<NewServiceAccount['packages']>): packages is readonly string[] {
  return Array.isArray(packages);
}
