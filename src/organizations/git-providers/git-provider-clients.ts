import { Injectable } from '@nestjs/common';
import { Outbound } from '../../common/http/outbound/outbound.js';
import { AzureDevOps } from './azure-devops.js';
import { BitbucketCloud } from './bitbucket-cloud.js';
import { BitbucketDataCenter } from './bitbucket-data-center.js';
import { GitHttp } from './git-http.js';
import { GitHub } from './github.js';
import { GitLab } from './gitlab.js';
import type { GitAccess, GitProviderClient } from './git-provider.js';
import type { GitProvider } from '../git-connections/git-connection.entity.js';
import { Gitea } from './gitea.js';

/** The clients of all kinds of git servers. */
@Injectable()
export class GitProviderClients {
  private readonly clients: Readonly<Record<GitProvider, GitProviderClient>>;
  private readonly bitbucketDataCenter: GitProviderClient;

  constructor(outbound: Outbound) {
    this.bitbucketDataCenter = new BitbucketDataCenter(outbound);
    this.clients = {
      azure_devops: new AzureDevOps(outbound),
      bitbucket: new BitbucketCloud(outbound),
      git_http: new GitHttp(outbound),
      gitea: new Gitea(outbound),
      github: new GitHub(outbound),
      gitlab: new GitLab(outbound),
    };
  }

  /** The client for a server. Bitbucket's own servers have another API than its cloud. */
  of({ provider, baseUrl }: Pick<GitAccess, 'provider' | 'baseUrl'>): GitProviderClient {
    return provider === 'bitbucket' && baseUrl !== null ? this.bitbucketDataCenter : this.clients[provider];
  }
}
