import { Injectable } from '@nestjs/common';
import { invalidField } from '../../common/errors/app-error.js';
import type { GitNamespace, GitRepository } from '../git-providers/git-provider.js';
import { pathAtServer } from './path-at-server.js';
import { cloudProviderOf, parseRemoteUrl } from '../git-remotes/remote-url.js';
import { parseRepositoryPath } from '../git-remotes/repository-path.js';
import { GitConnectionUseService } from './git-connection-use.service.js';
import type { GitConnection } from './git-connection.entity.js';
import { GitConnectionsService } from './git-connections.service.js';
import type {
  ListGitNamespacesQuery,
  ListGitRepositoriesQuery,
  ResolveGitConnectionsQuery,
} from './git-connection.dto.js';

/** The connections that fit a git remote. */
export interface ResolvedGitConnections {
  readonly connections: GitConnection[];
  readonly path: string;
  readonly provider: GitConnection['provider'] | null;
}

/** What can be seen through git connections. */
@Injectable()
export class GitConnectionRepositoriesService {
  constructor(
    private readonly connections: GitConnectionsService,
    private readonly use: GitConnectionUseService,
  ) {}

  /**
   * Lists the repositories that a connection sees, by path.
   *
   * @throws NotFoundError when there is no such connection
   * @throws InvalidRequestError when the filter does not fit the provider, or the server cannot be used
   * @throws ForbiddenError when only another user can use the connection
   */
  async repositories(
    organizationId: string,
    id: string,
    userId: string,
    { namespace, path, query }: ListGitRepositoriesQuery,
  ): Promise<GitRepository[]> {
    const connection = await this.connections.get(organizationId, id);
    const { provider } = connection;
    if (path !== undefined) {
      const exact = parseRepositoryPath(path, provider === 'git_http');
      const isPath = exact !== null && (provider !== 'azure_devops' || exact.split('/').length === 3);
      if (!isPath) return [];
      const found = await this.use.use(connection, userId, (client, access) =>
        client.repository(access, exact),
      );
      return found === null ? [] : [found];
    }
    if (provider === 'azure_devops' && !/^[^/]+\/[^/]+$/.test(namespace ?? '')) {
      throw invalidField('namespace', 'namespace is required for azure_devops, as organization/project.');
    }
    const filter = { ...(namespace !== undefined && { namespace }), ...(query !== undefined && { query }) };
    return this.use.use(connection, userId, (client, access) => client.repositories(access, filter));
  }

  /** Lists the namespaces that a connection sees. Throws as `repositories` does. */
  async namespaces(
    organizationId: string,
    id: string,
    userId: string,
    { organization }: ListGitNamespacesQuery,
  ): Promise<GitNamespace[]> {
    const connection = await this.connections.get(organizationId, id);
    return this.use.use(connection, userId, (client, access) => client.namespaces(access, organization));
  }

  /**
   * Finds the connections to the server of a git remote that a user can use. Calls no server.
   *
   * @throws InvalidRequestError when the remote cannot be read
   * @throws NotFoundError when the organization has no such app
   */
  async resolve(
    organizationId: string,
    userId: string,
    { remoteUrl, appId }: ResolveGitConnectionsQuery,
  ): Promise<ResolvedGitConnections> {
    const remote = parseRemoteUrl(remoteUrl.trim());
    if (remote === null) {
      throw invalidField(
        'remoteUrl',
        'remoteUrl must be the address of a git remote, such as git@github.com:acme/shop.git.',
      );
    }
    if (appId !== undefined) await this.connections.requireApp(organizationId, appId);
    const usable = await this.connections.listUsable(organizationId, appId ?? null, userId);
    const fitting = usable.flatMap((connection) => {
      const path = pathAtServer(connection, remote);
      return path === null ? [] : [{ connection, path }];
    });
    return {
      connections: fitting.map(({ connection }) => connection),
      path: fitting[0]?.path ?? remote.path.replace(/\.git$/, ''),
      provider: fitting[0]?.connection.provider ?? cloudProviderOf(remote.host),
    };
  }
}
