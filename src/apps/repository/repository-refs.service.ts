import { Injectable } from '@nestjs/common';
import { InvalidRequestError } from '../../common/errors/app-error.js';
import {
  type GitCallLimit,
  GitConnectionUseService,
  type GitWork,
} from '../../organizations/git-connections/git-connection-use.service.js';
import { isUsableBy } from '../../organizations/git-connections/git-connections.service.js';
import type { GitAccess, GitProviderClient } from '../../organizations/git-providers/git-provider.js';
import {
  CredentialsRefusedError,
  GitServerError,
  RedirectedError,
} from '../../organizations/git-remotes/git-errors.js';
import type { RemoteRefs } from '../../organizations/git-remotes/remote-refs.js';
import { COMMIT_ID, parseRef } from '../../organizations/git-remotes/git-ref.js';
import { type LinkedRepository, LinkedRepositoryService, sourceOf } from './linked-repository.service.js';
import { goneMessage, RepositoryGoneError } from './repository-not-found.error.js';

/** What a ref names. */
export interface ResolvedRef {
  /** As it was given, without spaces around it. */
  readonly ref: string;
  /** 40 or 64 lower-case hexadecimal digits. */
  readonly commitSha: string;
  /** `null`: the server has no API that says it. */
  readonly commitMessage: string | null;
  /** The branch or tag that was found, such as `refs/heads/main`; `null`: the ref is a commit. */
  readonly fullName: string | null;
  /** Whether that is the default branch. A commit is none, not even the newest one of that branch. */
  readonly isDefaultBranch: boolean;
}

const NO_BRANCH = { fullName: null, isDefaultBranch: false } as const;

/** Refs, and where they were read. */
export interface SourcedRefs extends RemoteRefs {
  /** From `sourceOf`. */
  readonly source: string;
}

/** Commits that are read at most besides the newest one, which says that it is not to be built. */
const MAX_PARENTS = 20;

/** A commit, as far as the API of its server describes it. */
export interface DescribedCommit {
  readonly sha: string;
  /** `null`: the server does not say. */
  readonly message: string | null;
}

/** What the API of a server says about a commit. */
export interface ReadCommit {
  readonly tip: DescribedCommit;
  /** The tip, unless another commit is to be taken instead. */
  readonly commit: DescribedCommit;
  /** Whether the path of the repository leads to another one than the linked one. */
  readonly isOtherRepository: boolean;
}

/** What a runner needs to fetch. */
export interface Checkout {
  /** Without credentials. */
  readonly url: string;
  /** Commits of the history; 0: all. */
  readonly depth: number;
  /** `null`: none. */
  readonly credential: CheckoutCredential | null;
}

/** How a runner signs in to the server, and for what. */
export interface CheckoutCredential {
  /** The header `Authorization`, a secret. */
  readonly authorization: string;
  /** Paths of the repositories of this server that submodules may be fetched from with it, too. */
  readonly submoduleRepositories: string[];
  /** Whether case and a final `.git` make a difference in these paths. */
  readonly hasExactPaths: boolean;
}

/** Reads the repositories that apps are linked to, by HTTP: Slipway never starts git. */
@Injectable()
export class RepositoryRefsService {
  constructor(
    private readonly links: LinkedRepositoryService,
    private readonly gitUse: GitConnectionUseService,
  ) {}

  /**
   * Finds the commit that a branch, a tag or a commit id names. A branch goes before a tag of the same name. A whole commit
   * id is not looked up. Waits for another server, so call it before a transaction.
   *
   * @param ref such as `main`, `v1.2.0`, `refs/tags/v1.2.0` or a commit id
   * @param principalUserId who builds: a restricted connection is for its creator only
   * @throws AppNotLinkedError
   * @throws InvalidRequestError when the ref is malformed, unknown or not allowed, or the server cannot be used
   * @throws ForbiddenError when the connection is for another user only
   * @throws ServerBusyError when many other git calls of the account wait
   */
  async resolveRef(appId: string, ref: string, principalUserId: string): Promise<ResolvedRef> {
    const linked = await this.links.getWithConnection(appId);
    const parsed = parseRef(ref.trim());
    if (typeof parsed === 'string') throw new InvalidRequestError(parsed, 'invalid_git_ref');
    const { path } = linked.repository;
    const found = await this.read(linked, principalUserId, async (client, access) => {
      const names = parsed.kind === 'names' ? parsed.names : [];
      const refs = await client.refs(access, path, names);
      if (refs === null) throw goneError(path);
      if (parsed.kind === 'commit')
        return { ...(await this.describe(client, access, path, parsed.sha)), ...NO_BRANCH };
      const name = names.find((each) => refs.commits.has(each));
      const sha = name === undefined ? null : (refs.commits.get(name) ?? null);
      if (name !== undefined && sha !== null) {
        const defaultBranch = fullNameOf(refs.defaultBranch);
        const fullName = name === 'HEAD' ? (defaultBranch ?? name) : name;
        return {
          ...(await this.describe(client, access, path, sha)),
          fullName,
          isDefaultBranch: fullName === defaultBranch,
        };
      }
      if (parsed.abbreviation === null) return null;
      const commit = await client.commit(access, path, parsed.abbreviation);
      return commit?.sha.startsWith(parsed.abbreviation) === true && COMMIT_ID.test(commit.sha)
        ? { ...commit, ...NO_BRANCH }
        : null;
    });
    if (found !== null) {
      const { sha, message, fullName, isDefaultBranch } = found;
      return { ref: ref.trim(), commitSha: sha, commitMessage: message, fullName, isDefaultBranch };
    }
    throw new InvalidRequestError(
      `The repository ${path} has no branch or tag ${ref.trim()}.`,
      'invalid_git_ref',
    );
  }

  /**
   * The default branch of the repository of an app. Waits for another server, so call it before a transaction.
   *
   * @param userId who asks: a restricted connection is for its creator only
   * @returns such as `refs/heads/main`; `null`: the server does not say
   * @throws AppNotLinkedError
   * @throws InvalidRequestError when the repository is gone, or the server cannot be used
   * @throws ForbiddenError when the connection is for another user only
   */
  async defaultBranchOf(appId: string, userId: string): Promise<string | null> {
    const linked = await this.links.getWithConnection(appId);
    const { path } = linked.repository;
    return this.read(linked, userId, async (client, access) => {
      const refs = await client.refs(access, path, []);
      if (refs === null) throw goneError(path);
      return fullNameOf(refs.defaultBranch);
    });
  }

  /**
   * Checks again that a user may use the connection of an app, which can be another one than when `resolveRef` checked.
   *
   * @param userId `null`: deleted
   * @returns why not, in a sentence; `null`: the user may, or none is needed
   * @throws AppNotLinkedError
   */
  async findLostUse(appId: string, userId: string | null): Promise<string | null> {
    const { connection } = await this.links.getWithConnection(appId);
    if (connection === null || isUsableBy(connection, userId ?? '')) return null;
    return `The build may not use the git connection ${connection.name} any more: only its creator can.`;
  }

  /**
   * Where and how to fetch the repository of an app. Asks no server, and does not check who builds: `resolveRef` and
   * `findLostUse` do.
   *
   * @throws AppNotLinkedError
   */
  async checkoutOf(appId: string): Promise<Checkout> {
    const { organizationId, repository, connection } = await this.links.getWithConnection(appId);
    const { url, authorization } = this.gitUse.describe(
      organizationId,
      connection ?? serverOf(repository),
      (client, access) => client.remote(access, repository.path),
    );
    const { submoduleRepositories, provider, gitDepth: depth } = repository;
    if (authorization === null) return { url, depth, credential: null };
    return {
      url,
      depth,
      credential: { authorization, submoduleRepositories, hasExactPaths: provider === 'git_http' },
    };
  }

  /**
   * The refs of the repository of an app whose whole names begin with one of the prefixes. For looks, which let calls that
   * people wait for pass. A repository that was renamed is found by its id, where the API of its server can, and the link gets
   * its new path.
   *
   * @param userId as whom: a restricted connection is for its creator only
   * @throws RepositoryGoneError when its server says that there is no repository of this id, or none that can be seen
   * @throws as `defaultBranchOf`
   */
  async listRefs(appId: string, prefixes: readonly string[], userId: string): Promise<SourcedRefs> {
    const linked = await this.links.getWithConnection(appId);
    const { path } = linked.repository;
    const refs = await this.read(
      linked,
      userId,
      (client, access) => atPath(client.listRefs(access, path, prefixes)),
      'git-looks',
    );
    if (refs !== null) return { ...refs, source: sourceOf(linked) };
    switch (await this.followRename(linked, userId)) {
      case 'followed':
        throw renamedError(path);
      case 'gone':
        throw new RepositoryGoneError(path);
      default:
        throw unusable(`The repository ${path} is gone, can no longer be seen, or was moved.`);
    }
  }

  /**
   * What the API of the server says about a commit, and whether the path of the repository has come to lead to another one.
   *
   * @param userId as whom: a restricted connection is for its creator only
   * @param instead which commits are passed: the newest other one is taken, if it is, by first parents and at most 20 back, one
   *   since the commit `until`
   * @throws as `defaultBranchOf`, and when the repository was renamed: the link has its new path then
   */
  async readCommit(
    appId: string,
    sha: string,
    userId: string,
    instead: { isPassed(commit: DescribedCommit): boolean; readonly until: string | null },
  ): Promise<ReadCommit> {
    const linked = await this.links.getWithConnection(appId);
    const { path, provider, providerRepositoryId } = linked.repository;
    // Without an API, there is no more to know.
    const unknown = { sha, message: null };
    if (provider === 'git_http') return { tip: unknown, commit: unknown, isOtherRepository: false };
    const read = await this.read(
      linked,
      userId,
      async (client, access) => {
        const id = (await atPath(client.repository(access, path)))?.id ?? null;
        if (id !== providerRepositoryId) return { id, tip: unknown, commit: unknown };
        const tip = await client.commit(access, path, sha);
        if (tip === null) return { id, tip: unknown, commit: unknown };
        const { isPassed, until } = instead;
        if (!isPassed(tip) || until === null) return { id, tip, commit: tip };
        const since = await client.parentsUntil(access, path, tip, { until, most: MAX_PARENTS });
        return { id, tip, commit: since.find((each) => !isPassed(each)) ?? tip };
      },
      'git-looks',
    );
    const { id, tip, commit } = read;
    if (id === providerRepositoryId) return { tip, commit, isOtherRepository: false };
    if ((await this.followRename(linked, userId)) === 'followed') throw renamedError(path);
    if (id === null) throw unusable(goneMessage(path));
    return { tip: unknown, commit: unknown, isOtherRepository: true };
  }

  /** Looks for a repository by its id, and gives the link its new path. `unknown`: the server cannot look for ids. */
  private async followRename(
    linked: LinkedRepository,
    userId: string,
  ): Promise<'followed' | 'gone' | 'unknown'> {
    const { path, providerRepositoryId: id } = linked.repository;
    const found = await this.read(
      linked,
      userId,
      (client, access) => client.repositoryById(access, id, path),
      'git-looks',
    );
    if (found === 'unknown') return 'unknown';
    if (found === null || found.path === path) return 'gone';
    await this.links.follow(linked.repository, found);
    return 'followed';
  }

  private read<R>(
    { organizationId, repository, connection }: LinkedRepository,
    userId: string,
    work: GitWork<R>,
    limit: GitCallLimit = 'git-calls',
  ): Promise<R> {
    if (connection !== null) return this.gitUse.use(connection, userId, work, limit);
    return this.gitUse.useAnonymously(organizationId, serverOf(repository), work, limit);
  }

  /** Adds the message if the API of the server says it: some credentials are for git only. */
  private async describe(
    client: GitProviderClient,
    access: GitAccess,
    path: string,
    sha: string,
  ): Promise<{ sha: string; message: string | null }> {
    try {
      return { sha, message: (await client.commit(access, path, sha))?.message ?? null };
    } catch (error) {
      if (error instanceof GitServerError || error instanceof CredentialsRefusedError)
        return { sha, message: null };
      throw error;
    }
  }
}

function fullNameOf(branch: string | null): string | null {
  return branch === null ? null : `refs/heads/${branch}`;
}

function goneError(path: string): GitServerError {
  return new GitServerError(goneMessage(path));
}

/** What the server has at the path of a repository; `null`: nothing, or it leads to another path. */
async function atPath<R>(found: Promise<R | null>): Promise<R | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof RedirectedError) return null;
    throw error;
  }
}

/** As `read` refuses what cannot be done at the server. */
function unusable(message: string): InvalidRequestError {
  return new InvalidRequestError(message, 'git_server_failed');
}

function renamedError(path: string): InvalidRequestError {
  return unusable(`The repository ${path} was renamed: it is read at its new path next.`);
}

function serverOf(repository: LinkedRepository['repository']): Pick<GitAccess, 'provider' | 'baseUrl'> {
  return { provider: repository.provider, baseUrl: repository.providerBaseUrl };
}
