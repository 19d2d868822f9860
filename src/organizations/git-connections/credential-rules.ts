import { invalidField } from '../../common/errors/app-error.js';
import type { GitAuthKind, GitProvider } from './git-connection.entity.js';

/** How a connection signs in, before or after a change. */
export interface SignIn {
  readonly provider: GitProvider;
  readonly authKind: GitAuthKind;
  readonly authUsername: string | null;
  readonly baseUrl: string | null;
  /** Whether it has a token or password. */
  readonly hasSecret: boolean;
}

/** What a request says about it; `undefined`: nothing. */
export interface SignInChanges {
  readonly authKind?: GitAuthKind;
  readonly baseUrl?: string | null;
  readonly token?: string;
  readonly username?: string;
  readonly password?: string;
}

/** What to store. */
export interface NewSignIn {
  readonly authKind: GitAuthKind;
  readonly authUsername: string | null;
  readonly baseUrl: string | null;
  /** `undefined`: as before; `null`: none. */
  readonly secret: string | null | undefined;
}

/**
 * Decides how a connection signs in after a request. The stored credential never goes to another server, nor in another
 * way: a new kind or address needs the matching credential in the same request.
 *
 * @param before `null`: the connection is new
 * @throws InvalidRequestError
 */
export function signInAfter(before: SignIn | null, provider: GitProvider, changes: SignInChanges): NewSignIn {
  const authKind = changes.authKind ?? before?.authKind ?? 'token';
  const baseUrl = changes.baseUrl === undefined ? (before?.baseUrl ?? null) : changes.baseUrl;
  if (provider === 'git_http' && baseUrl === null) {
    throw invalidField('baseUrl', 'baseUrl is required for git_http: there is no cloud of it.');
  }
  refuseOtherKind(authKind, changes);
  const isNew = before === null || authKind !== before.authKind || baseUrl !== before.baseUrl;
  if (authKind === 'token') {
    if (isNew && changes.token === undefined) throw required('token', before, authKind);
    return { authKind, authUsername: null, baseUrl, secret: changes.token };
  }
  const { username, password } = changes;
  const hadSecret = before?.hasSecret === true;
  if (provider === 'git_http' && !hadSecret && username === undefined && password === undefined) {
    return { authKind, authUsername: null, baseUrl, secret: null };
  }
  if (isNew || !hadSecret) {
    if (username === undefined) throw required('username', before, authKind);
    if (password === undefined) throw required('password', before, authKind);
  }
  return { authKind, authUsername: username ?? before?.authUsername ?? null, baseUrl, secret: password };
}

function refuseOtherKind(authKind: GitAuthKind, { token, username, password }: SignInChanges): void {
  if (authKind === 'basic' && token !== undefined) {
    throw invalidField('token', 'token belongs to authKind token, and this connection has authKind basic.');
  }
  if (authKind === 'basic') return;
  const field = username === undefined ? (password === undefined ? null : 'password') : 'username';
  if (field === null) return;
  throw invalidField(field, `${field} belongs to authKind basic, and this connection has authKind token.`);
}

function required(field: string, before: SignIn | null, authKind: GitAuthKind): Error {
  return invalidField(
    field,
    before === null
      ? `${field} is required for authKind ${authKind}.`
      : `${field} is required in the same request when authKind or baseUrl changes.`,
  );
}
