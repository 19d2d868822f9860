import { Injectable } from '@nestjs/common';
import { Outbound, type OutboundCalls } from '../../common/http/outbound/outbound.js';
import type { GitProvider } from '../git-connections/git-connection.entity.js';
import { AzureDevOps } from './azure-devops.js';
import { BitbucketCloud } from './bitbucket-cloud.js';
import { BitbucketDataCenter } from './bitbucket-data-center.js';
import { GitHttp } from './git-http.js';
import { GitHub } from './github.js';
import { GitLab } from './gitlab.js';
import type { GitAccess, GitProviderClient } from './git-provider.js';
import { Gitea } from './gitea.js';

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
