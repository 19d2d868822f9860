import {
  basic,
  type GitAccess,
  type GitCommit,
  GitProviderClient,
  type GitRepository,
} from './git-provider.js';
import type { JsonValue } from '../../common/json-value.js';
import type { RestApi } from './rest-api.js';

/** Ids of repositories: numbers and UUIDs, of Bitbucket Cloud in braces. */
const ID = /^[\w{}-]+$/;

/** How a REST API gives the commits of a repository. */
export interface CommitFormat {
  /** Between the path of the repository and the revision. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly sha: string;
  readonly message: readonly string[];
  /** The field with the parents, and the field of each that is its id; none: each is an id. */
  readonly parents: readonly [list: string, ...id: string[]];
}

/** A git server with a REST API. */
export abstract class RestProvider extends GitProviderClient {
  protected abstract readonly commits: CommitFormat;
  /** The user name that git sends with a token. */
  protected abstract readonly tokenUsername: string;

  override async repository(access: GitAccess, path: string): Promise<GitRepository | null> {
    const found = await this.api(access).get(this.pathOf(path));
    return found === null ? null : this.toRepository(found, path);
  }

  override async repositoryById(
    access: GitAccess,
    id: string,
    path: string,
  ): Promise<GitRepository | null | 'unknown'> {
    const byId = ID.test(id) ? this.pathOfId(encodeURIComponent(id), path) : null;
    if (byId === null) return 'unknown';
    const answer = await this.api(access).get(byId);
    const found = answer && this.toRepository(answer, path);
    return found?.id === id ? found : null;
  }

  override async commit(access: GitAccess, path: string, revision: string): Promise<GitCommit | null> {
    const { commits } = this;
    const url = `${this.pathOf(path)}/${commits.path}/${encodeURIComponent(revision)}`;
    const found = await this.api(access).get(url, commits.query);
    const sha = found?.get(commits.sha).text ?? null;
    if (found === null || sha === null) return null;
    const [list, ...id] = commits.parents;
    const parent = found.get(list).items[0]?.get(...id).text ?? null;
    return { sha, message: found.get(...commits.message).longText, parent };
  }

  override gitAuthorization({ credential }: GitAccess): string | null {
    return credential === null ? null : basic(credential.username ?? this.tokenUsername, credential.secret);
  }

  protected abstract api(access: GitAccess): RestApi;

  /** Where the API has a repository. */
  protected abstract pathOf(path: string): string;

  /** The same by its id, which fits into a path. @param path that it had @returns `null`: the API has none by their ids */
  protected pathOfId(_id: string, _path: string): string | null {
    return null;
  }

  protected abstract toRepository(repository: JsonValue, path: string): GitRepository | null;
}
