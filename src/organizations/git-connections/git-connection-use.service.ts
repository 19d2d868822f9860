import { Injectable } from '@nestjs/common';
import { Limits } from '../../common/background/limits.js';
import type { ProcessLimit } from '../../common/background/shared-capacity.js';
import { ForbiddenError, InvalidRequestError } from '../../common/errors/app-error.js';
import type { GitAccess, GitProviderClient } from '../git-providers/git-provider.js';
import { GitProviderClients } from '../git-providers/git-provider-clients.js';
import { CredentialsRefusedError, GitServerError } from '../git-remotes/git-errors.js';
import type { GitConnection } from './git-connection.entity.js';
import { GitConnectionsQueries } from './git-connections.queries.js';
import { GitConnectionsService, isUsableBy } from './git-connections.service.js';

/** Whose turn a call takes: that of calls that people wait for, or of looks at repositories. */
export type GitCallLimit = Extract<ProcessLimit, 'git-calls' | 'git-looks'>;

/** What to do at a git server. */
export type GitWork<R> = (client: GitProviderClient, access: GitAccess) => Promise<R>;

/**
 * Lets code call git servers with the credentials of connections, and notes whether they work. It waits for other
 * servers: never call it inside a transaction.
 */
@Injectable()
export class GitConnectionUseService {
  constructor(
    private readonly connections: GitConnectionsService,
    private readonly queries: GitConnectionsQueries,
    private readonly clients: GitProviderClients,
    private readonly limits: Limits,
  ) {}

  /**
   * Calls a server with a connection.
   *
   * @param userId who uses it
   * @throws ForbiddenError when only another user can use the connection
   * @throws InvalidRequestError when the server refuses the credentials or cannot be used
   * @throws ServerBusyError
   */
  async use<R>(
    connection: GitConnection,
    userId: string,
    work: GitWork<R>,
    limit: GitCallLimit = 'git-calls',
  ): Promise<R> {
    requireUsable(connection, userId);
    try {
      const result = await this.run(connection.organizationId, this.accessOf(connection), work, limit);
      await this.queries.recordSuccess(connection.id);
      return result;
    } catch (error) {
      if (!(error instanceof CredentialsRefusedError)) throw error;
      await this.queries.recordRefusal(connection.id, connection.sealedSecret);
      throw new InvalidRequestError(
        `${error.host} refuses the credentials of the git connection ${connection.name}: give it new ones.`,
        'git_credentials_refused',
      );
    }
  }

  /**
   * Calls a server without credentials.
   *
   * @param organizationId whose work it is
   * @throws InvalidRequestError when the server cannot be used
   * @throws ServerBusyError
   */
  useAnonymously<R>(
    organizationId: string,
    server: Pick<GitAccess, 'provider' | 'baseUrl'>,
    work: GitWork<R>,
    limit: GitCallLimit = 'git-calls',
  ): Promise<R> {
    return this.run(organizationId, { ...server, credential: null }, work, limit);
  }

  /**
   * What a client knows about a server without calling it, with the credential of a connection.
   *
   * @param organizationId whose work it is
   */
  describe<R>(
    organizationId: string,
    server: GitConnection | Pick<GitAccess, 'provider' | 'baseUrl'>,
    describe: (client: GitProviderClient, access: GitAccess) => R,
  ): R {
    const access = 'id' in server ? this.accessOf(server) : { ...server, credential: null };
    return describe(this.clients.of(access, organizationId), access);
  }

  /** The server of a connection and its credential in clear. */
  private accessOf(connection: GitConnection): GitAccess {
    const { provider, baseUrl, authKind, authUsername } = connection;
    const secret = this.connections.secretOf(connection);
    const credential = secret === null ? null : { kind: authKind, username: authUsername, secret };
    return { provider, baseUrl, credential };
  }

  private async run<R>(
    organizationId: string,
    access: GitAccess,
    work: GitWork<R>,
    limit: GitCallLimit,
  ): Promise<R> {
    try {
      return await this.limits.run(limit, organizationId, () =>
        work(this.clients.of(access, organizationId), access),
      );
    } catch (error) {
      if (!(error instanceof GitServerError)) throw error;
      throw new InvalidRequestError(error.message, 'git_server_failed');
    }
  }
}

/** @throws ForbiddenError when only another user can use the connection */
export function requireUsable(connection: GitConnection, userId: string): void {
  if (isUsableBy(connection, userId)) return;
  throw new ForbiddenError(
    `Only its creator can use the git connection ${connection.name}.`,
    'git_connection_restricted',
  );
}
