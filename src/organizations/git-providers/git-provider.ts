import type { OutboundCalls } from '../../common/http/outbound/outbound.js';
import type { GitProvider } from '../git-connections/git-connection.entity.js';
import { COMMIT_ID } from '../git-remotes/git-ref.js';
import { findRemoteRefs, listRemoteRefs, type Remote, type RemoteRefs } from '../git-remotes/remote-refs.js';

/** How Slipway signs in to a git server. */
export interface GitCredential {
  readonly kind: 'basic' | 'token';
  /** Only of `basic`. */
  readonly username: string | null;
  /** The token, or the password. */
  readonly secret: string;
}

/** A git server and how to sign in to it. */
export interface GitAccess {
  readonly provider: GitProvider;
  /** Without a slash at the end; `null`: the cloud of the provider. */
  readonly baseUrl: string | null;
  /** `null`: without signing in. */
  readonly credential: GitCredential | null;
}

/** A repository as its server describes it. */
export interface GitRepository {
  readonly id: string;
  readonly name: string;
  /** The path without the name. */
  readonly namespace: string;
  /** Such as `owner/name`. */
  readonly path: string;
  readonly isPrivate: boolean;
  readonly webUrl: string;
  /** Without `refs/heads/`; `null`: unknown, or the repository is empty. */
  readonly defaultBranch: string | null;
}

export const gitNamespaceKinds = ['user', 'organization', 'group', 'workspace', 'project'] as const;

/** What owns repositories. */
export interface GitNamespace {
  readonly id: string;
  readonly name: string;
  /** What `namespace` of a repository begins with. */
  readonly slug: string;
  readonly kind: (typeof gitNamespaceKinds)[number];
  readonly parent: string | null;
  readonly avatarUrl: string | null;
}

export interface GitCommit {
  /** 40 or 64 lower-case hexadecimal digits. */
  readonly sha: string;
  readonly message: string | null;
  /** The id of its first parent; `null`: it has none, or the server does not say. */
  readonly parent: string | null;
}

/** Which repositories to list. */
export interface RepositoryFilter {
  readonly namespace?: string;
  /** Part of the name or the path, ignoring case. */
  readonly query?: string;
}

/**
 * One kind of git server: its REST API, and how git reaches it. Every call goes through the outbound guard.
 *
 * All methods with a promise throw `CredentialsRefusedError` when the server does not accept the credential, and
 * `GitServerError` when it cannot be used.
 */
export abstract class GitProviderClient {
  constructor(protected readonly outbound: OutboundCalls) {}

  /** The repositories that the credential can see, at most about 1,000, by path. */
  abstract repositories(access: GitAccess, filter: RepositoryFilter): Promise<GitRepository[]>;

  /** @param organization only for providers whose namespaces are projects of organizations */
  abstract namespaces(access: GitAccess, organization?: string): Promise<GitNamespace[]>;

  /** @param path from `parseRepositoryPath` @returns `null` when the credential sees no such repository */
  abstract repository(access: GitAccess, path: string): Promise<GitRepository | null>;

  /**
   * A repository by the id that its server gave it.
   *
   * @param path that it had @returns `null` when the credential sees none of this id, `'unknown'` when the server cannot say
   */
  repositoryById(_access: GitAccess, _id: string, _path: string): Promise<GitRepository | null | 'unknown'> {
    return Promise.resolve('unknown');
  }

  /** @param revision a commit id, maybe abbreviated @returns `null` when there is none, or the server cannot say */
  abstract commit(access: GitAccess, path: string, revision: string): Promise<GitCommit | null>;

  /** The first parents of a commit down to another one, without it; none if that is not among the nearest `most`. */
  async parentsUntil(
    access: GitAccess,
    path: string,
    { parent: first }: GitCommit,
    { until, most }: { readonly until: string; readonly most: number },
  ): Promise<GitCommit[]> {
    const found: GitCommit[] = [];
    for (let parent = first; parent !== until;) {
      if (parent === null || !COMMIT_ID.test(parent) || found.length === most) return [];
      const commit = await this.commit(access, path, parent);
      if (commit === null) return [];
      found.push(commit);
      ({ parent } = commit);
    }
    return found;
  }

  /**
   * Asks git itself for refs.
   *
   * @param names whole names, such as `refs/heads/main`
   * @returns `null` when the credential sees no such repository
   */
  refs(access: GitAccess, path: string, names: readonly string[]): Promise<RemoteRefs | null> {
    return findRemoteRefs(this.outbound, this.remote(access, path), names);
  }

  /** As `refs`, for all refs whose whole names begin with one of the prefixes. */
  listRefs(access: GitAccess, path: string, prefixes: readonly string[]): Promise<RemoteRefs | null> {
    return listRemoteRefs(this.outbound, this.remote(access, path), prefixes);
  }

  /** How git reaches a repository. */
  remote(access: GitAccess, path: string): Remote {
    return { url: this.cloneUrl(access, path), authorization: this.gitAuthorization(access) };
  }

  /** The address that git fetches from, without credentials. */
  abstract cloneUrl(access: GitAccess, path: string): string;

  /** The header `Authorization` for git; `null`: none. */
  abstract gitAuthorization(access: GitAccess): string | null;
}

/** `Authorization` of a REST API, with a password or a token; `null`: without signing in. */
export function apiAuthorization(credential: GitCredential | null, scheme = 'Bearer'): string | null {
  if (credential === null) return null;
  if (credential.kind === 'basic') return basic(credential.username ?? '', credential.secret);
  return `${scheme} ${credential.secret}`;
}

/** `Authorization` with a user name and a password. */
export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
