import { Injectable } from '@nestjs/common';
import { Outbound, type OutboundCalls } from '../../common/http/outbound/outbound.js';
import type { GitProvider } from '../git-connections/git-connection.entity.js';
import { AzureDevOps } from './azure-devops.js';
import { BitbucketCloud } from './bitbucket-cloud.js';
import { BitbucketDataCenter } from './bitbucket-data-center.js';
import { GitHub } from './github.js';
import { GitLab } from './gitlab.js';
import {
  type GitAccess,
  GitProviderClient,
  basic,
  type GitCommit,
  type GitNamespace,
  type GitRepository,
} from './git-provider.js';
import { Gitea } from './gitea.js';
import { splitPath } from './repository-filter.js';
import { encodePath } from './rest-api.js';

/** Any server that speaks git's smart HTTP protocol. There is no API beside it, so it lists nothing. */
class GitHttp extends GitProviderClient {
  override repositories(): Promise<GitRepository[]> {
    return Promise.resolve([]);
  }

  override namespaces(): Promise<GitNamespace[]> {
    return Promise.resolve([]);
  }

  override async repository(access: GitAccess, path: string): Promise<GitRepository | null> {
    const refs = await this.refs(access, path, []);
    if (refs === null) return null;
    const { namespace, name } = splitPath(path);
    return {
      id: path,
      name: name.replace(/\.git$/, ''),
      namespace,
      path,
      isPrivate: access.credential !== null,
      webUrl: this.cloneUrl(access, path),
      defaultBranch: refs.defaultBranch,
    };
  }

  override commit(): Promise<GitCommit | null> {
    return Promise.resolve(null);
  }

  override cloneUrl({ baseUrl }: GitAccess, path: string): string {
    return `${baseUrl ?? ''}/${encodePath(path)}`;
  }

  override gitAuthorization({ credential }: GitAccess): string | null {
    // Servers that take tokens take them as passwords of any user.
    return credential === null ? null : basic(credential.username ?? 'git', credential.secret);
  }
}

const CLIENTS: Readonly<Record<GitProvider, new (outbound: OutboundCalls) => GitProviderClient>> = {
  azure_devops: AzureDevOps,
  bitbucket: BitbucketCloud,
  git_http: GitHttp,
  gitea: Gitea,
  github: GitHub,
  gitlab: GitLab,
};

/** The clients of all kinds of git servers. */
@Injectable()
export class GitProviderClients {
  constructor(private readonly outbound: Outbound) {}

  /**
   * The client for a server. Bitbucket's own servers have another API than its cloud.
   *
   * @param organizationId whose work it does
   */
  of(
    { provider, baseUrl }: Pick<GitAccess, 'provider' | 'baseUrl'>,
    organizationId: string,
  ): GitProviderClient {
    const outbound = this.outbound.of(organizationId);
    const isOwnBitbucket = provider === 'bitbucket' && baseUrl !== null;
    return isOwnBitbucket ? new BitbucketDataCenter(outbound) : new CLIENTS[provider](outbound);
  }
}
