import { signInBelow, type GitRemote } from './git-remote.js';

/** Which submodules of a repository get its credential. */
export interface SubmoduleAccess {
  /** Whether it is at the host of the repository, which may be one that builds cannot reach. */
  readonly isOwnHost: boolean;
  /** The settings of git that sign in; none: no credential. */
  readonly signIn: Record<string, string>;
  /** The path to list, so that it gets the credential of the repository; `null`: it does, or that would not help. */
  readonly unlisted: string | null;
}

/**
 * Compares the address of a submodule with the list of the app. Only addresses in their plain form get a credential: of
 * others, such as those with `..` or `%2F`, the server could see another path than the list was compared with.
 *
 * @param address as git uses it: absolute, `https` or `http`, without a user name
 */
export function accessOf({ url: own, credential }: GitRemote, address: string): SubmoduleAccess {
  const url = new URL(address);
  const isOwnHost = url.origin === own.origin;
  const none = { isOwnHost, signIn: {}, unlisted: null };
  if (!isOwnHost || credential === null) return none;
  const path = plainPathOf(address);
  if (path === null) return none;
  const { authorization, submoduleRepositories, hasExactPaths } = credential;
  const key = (text: string): string => (hasExactPaths ? text : withoutSuffix(text).toLowerCase());
  const isListed = submoduleRepositories.some((listed) => key(listed) === key(path));
  if (isListed) return { ...none, signIn: signInBelow(url.href, authorization) };
  return { ...none, unlisted: hasExactPaths ? path : withoutSuffix(path) };
}

/** The path in an address, without slashes around it; `null`: the address has more than that, or is not plain. */
function plainPathOf(address: string): string | null {
  const [, text = ''] = /^https?:\/\/[^/?#]+\/([^?#]+)$/i.exec(address) ?? [];
  const path = decoded(text.replace(/\/$/, ''));
  if (path === null || /[\p{C}\\%?#]/u.test(path)) return null;
  // Otherwise a part was encoded that separates others, or means another folder.
  const parts = path.split('/');
  const isPlain = parts.length === text.replace(/\/$/, '').split('/').length;
  return isPlain && parts.every((part) => part !== '' && part !== '.' && part !== '..') ? path : null;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function withoutSuffix(path: string): string {
  return path.replace(/\.git$/i, '');
}
