import { generateKeyPairSync, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { type AppleError, refused } from './apple-error.ts';

/** https://developer.apple.com/documentation/appstoreconnectapi/userrole */
export type Role =
  'ADMIN' | 'APP_MANAGER' | 'DEVELOPER' | 'MARKETING' | 'SALES' | 'FINANCE' | 'CUSTOMER_SUPPORT';

/** A team with its own apps. Its id is the issuer of its keys. */
export interface Team {
  readonly id: string;
  /** An agreement waits for the Account Holder. */
  lacksAgreement: boolean;
}

/** An API key. */
export interface ApiKey {
  readonly keyId: string;
  readonly team: Team;
  readonly publicKey: KeyObject;
  readonly isIndividual: boolean;
  role: Role;
  isRevoked: boolean;
}

/** An API key as App Store Connect lets it be downloaded, once. */
export interface ApiKeyFile {
  readonly keyId: string;
  /** `null`: the key of a person, which has no issuer. */
  readonly issuerId: string | null;
  /** The text of the `.p8`. */
  readonly p8: string;
}

/** What a test wants of an API key. */
export interface NewApiKey {
  readonly team?: Team;
  readonly role?: Role;
  readonly isIndividual?: boolean;
}

const AUDIENCE = 'appstoreconnect-v1';
/** "Tokens that expire more than 20 minutes into the future are not valid" for these calls. */
const LONGEST_MINUTES = 20;
const TOLERANCE_SECONDS = 60;

/**
 * Signs in API keys:
 * https://developer.apple.com/documentation/appstoreconnectapi/generating-tokens-for-api-requests
 */
export class ApiKeys {
  /** How far the clock of Apple is ahead of the machine's, in milliseconds. */
  clockOffset = 0;
  private readonly keys = new Map<string, ApiKey>();

  now(): Date {
    return new Date(Date.now() + this.clockOffset);
  }

  /** A new key. */
  add(team: Team, { role = 'APP_MANAGER', isIndividual = false }: NewApiKey = {}): ApiKeyFile {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const keyId = randomBytes(5).toString('hex').toUpperCase();
    this.keys.set(keyId, { keyId, team, publicKey, isIndividual, role, isRevoked: false });
    const p8 = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    return { keyId, issuerId: isIndividual ? null : team.id, p8 };
  }

  get(keyId: string): ApiKey {
    const key = this.keys.get(keyId);
    if (key === undefined) throw new Error(`There is no API key ${keyId}.`);
    return key;
  }

  /** No token of it is valid any more. */
  revoke(keyId: string): void {
    this.get(keyId).isRevoked = true;
  }

  /** Which key a request names, valid or not. */
  keyIdOf(authorization: string | undefined): string | undefined {
    try {
      return decodeProtectedHeader(tokenOf(authorization)).kid;
    } catch {
      return undefined;
    }
  }

  /** The key of a request. @throws AppleError 401 */
  async authenticate(authorization: string | undefined): Promise<ApiKey> {
    const key = this.keys.get(this.keyIdOf(authorization) ?? '');
    if (key === undefined || key.isRevoked) throw notAuthorized();
    const now = this.now();
    const token = tokenOf(authorization);
    try {
      const { exp = 0, iat = 0, iss, sub } = decodeJwt(token);
      const seconds = now.getTime() / 1000;
      if (exp <= seconds || exp > seconds + LONGEST_MINUTES * 60 || iat > seconds + TOLERANCE_SECONDS)
        throw notAuthorized();
      // Keys of a person have no issuer, but a subject, which is always "user".
      const isOwn = key.isIndividual ? iss === undefined && sub === 'user' : iss === key.team.id;
      if (!isOwn) throw notAuthorized();
      await jwtVerify(token, key.publicKey, { algorithms: ['ES256'], audience: AUDIENCE, currentDate: now });
    } catch {
      throw notAuthorized();
    }
    return key;
  }
}

function tokenOf(authorization: string | undefined): string {
  return /^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '';
}

/** As the API answers without a token. */
export function notAuthorized(): AppleError {
  return refused(
    401,
    'NOT_AUTHORIZED',
    'Authentication credentials are missing or invalid.',
    'Provide a properly configured and signed bearer token, and make sure that it has not expired. Learn more about Generating Tokens for API Requests https://developer.apple.com/go/?id=api-generating-tokens',
  );
}

/** https://github.com/AvdLee/appstoreconnect-swift-sdk/issues/182 */
export function forbidden(detail = 'The API key in use does not allow this request'): AppleError {
  return refused(403, 'FORBIDDEN_ERROR', 'This request is forbidden for security reasons', detail);
}

/** https://github.com/fastlane/fastlane: spaceship names the code. */
export function agreementMissing(): AppleError {
  return refused(
    403,
    'FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED',
    'A required agreement is missing or has expired.',
    'This request requires an in-effect agreement that has not been signed or has expired.',
  );
}

export function newTeam(): Team {
  return { id: randomUUID(), lacksAgreement: false };
}
