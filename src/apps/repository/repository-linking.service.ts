import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/access/principal.js';
import {
  AppError,
  ForbiddenError,
  NotFoundError,
  ServerBusyError,
  type FieldError,
  invalidField,
  invalidFields,
} from '../../common/errors/app-error.js';
import type {
  GitConnection,
  GitProvider,
} from '../../organizations/git-connections/git-connection.entity.js';
import {
  GitConnectionUseService,
  requireUsable,
} from '../../organizations/git-connections/git-connection-use.service.js';
import { GitConnectionsService } from '../../organizations/git-connections/git-connections.service.js';
import type { GitRepository } from '../../organizations/git-providers/git-provider.js';
import { OrganizationAccessService } from '../../organizations/organization-access/organization-access.service.js';
import type { App } from '../apps/app.entity.js';
import { parseRepositoryPath } from '../../organizations/git-remotes/repository-path.js';
import type { LinkRepositoryDto, UpdateRepositoryDto } from './app-repository.dto.js';
import {
  LinkedRepositoryService,
  type RepositoryColumns,
  type RepositorySettings,
} from './linked-repository.service.js';
import { RepositoryNotFoundError } from './repository-not-found.error.js';

/** Milliseconds after which no further connection is tried. */
const SEARCH_MS = 30_000;

/** What a search has found, or why not. */
interface Search {
  readonly endsAt: number;
  readonly problems: string[];
}

/** Finds the repository that an app is to be linked to, with the credentials that see it. */
@Injectable()
export class RepositoryLinkingService {
  constructor(
    private readonly links: LinkedRepositoryService,
    private readonly connections: GitConnectionsService,
    private readonly gitUse: GitConnectionUseService,
    private readonly organizations: OrganizationAccessService,
  ) {}

  /**
   * Links an app to a repository. With a connection that every app can use, the caller also needs `git-connections:read`
   * in the organization: otherwise a token for one app could read every repository of the organization.
   *
   * @throws InvalidRequestError when the body is neither form, or the server refuses the credentials or cannot be used
   * @throws NotFoundError when there is no such connection
   * @throws RepositoryNotFoundError
   * @throws ForbiddenError when the caller cannot use the connection
   * @throws ServerBusyError when many other git calls of the account wait
   */
  async link(caller: Principal, app: App, body: LinkRepositoryDto): Promise<void> {
    const target = linkTargetOf(body);
    const columns =
      'gitConnectionId' in target
        ? await this.findWith(caller, app, target.gitConnectionId, target.path)
        : await this.findAnywhere(caller, app, target.provider, requirePath(target.provider, target.path));
    await this.links.put(app, columns, settingsIn(body));
  }

  /**
   * Changes the settings of the link. Who adds a submodule must be able to use the connection, as who links the app.
   *
   * @throws AppNotLinkedError
   * @throws ForbiddenError when the caller cannot use the connection
   */
  async update(caller: Principal, app: App, body: UpdateRepositoryDto): Promise<void> {
    const settings = settingsIn(body);
    if (Object.keys(settings).length === 0) return;
    await this.links.setSettings(app, settings, async ({ connection }, added) => {
      if (connection === null || added.length === 0) return;
      if (connection.appId === null) await this.requireShared(caller, app);
      requireUsable(connection, caller.userId);
    });
  }

  private async findWith(caller: Principal, app: App, id: string, text: string): Promise<RepositoryColumns> {
    const connection = await this.connections.find(app.organizationId, id);
    if (connection === null || (connection.appId !== null && connection.appId !== app.id)) {
      throw new NotFoundError('Git connection');
    }
    if (connection.appId === null) await this.requireShared(caller, app);
    const path = requirePath(connection.provider, text);
    const found = await this.see(connection, caller.userId, path);
    if (found !== null) return columnsOf(connection, connection.id, path, found);
    throw new RepositoryNotFoundError(`The git connection ${connection.name} does not see ${path}.`);
  }

  /** Tries the connections of the app, then those of the organization, then none. */
  private async findAnywhere(
    caller: Principal,
    app: App,
    provider: GitProvider,
    path: string,
  ): Promise<RepositoryColumns> {
    const search: Search = { endsAt: performance.now() + SEARCH_MS, problems: [] };
    const usable = await this.connections.listUsable(app.organizationId, app.id, caller.userId);
    const fitting = usable.filter((connection) => connection.provider === provider);
    const own = fitting.filter(({ appId }) => appId !== null);
    const shared = fitting.filter(({ appId }) => appId === null);
    const refusal = shared.length === 0 ? null : await this.refusalOfShared(caller, app);
    for (const connection of [...own, ...(refusal === null ? shared : [])]) {
      const found = await this.attempt(search, () => this.see(connection, caller.userId, path));
      if (found !== null) return columnsOf(connection, connection.id, path, found);
    }
    const cloud = { provider, baseUrl: null };
    const open = await this.attempt(search, () =>
      this.gitUse.useAnonymously(app.organizationId, cloud, (client, access) =>
        client.repository(access, path),
      ),
    );
    if (open !== null && !open.isPrivate) return columnsOf(cloud, null, path, open);
    if (refusal !== null) throw refusal;
    throw new RepositoryNotFoundError(
      [
        `No git connection sees ${path}.`,
        `Add one with POST /v1/organizations/${app.organizationId}/git-connections, or make the repository public.`,
        ...search.problems,
      ].join(' '),
    );
  }

  /** What a connection sees, or `null`, also when it cannot be used: another one may do. */
  private async attempt(
    { endsAt, problems }: Search,
    see: () => Promise<GitRepository | null>,
  ): Promise<GitRepository | null> {
    if (performance.now() > endsAt) return null;
    try {
      return await see();
    } catch (error) {
      if (!(error instanceof AppError) || error instanceof ServerBusyError) throw error;
      problems.push(error.message);
      return null;
    }
  }

  private see(connection: GitConnection, userId: string, path: string): Promise<GitRepository | null> {
    return this.gitUse.use(connection, userId, (client, access) => client.repository(access, path));
  }

  private requireShared(caller: Principal, { organizationId }: App): Promise<void> {
    return this.organizations.require(caller, organizationId, 'git-connections:read');
  }

  private async refusalOfShared(caller: Principal, app: App): Promise<ForbiddenError | null> {
    try {
      await this.requireShared(caller, app);
      return null;
    } catch (error) {
      if (error instanceof ForbiddenError) return error;
      throw error;
    }
  }
}

function columnsOf(
  { provider, baseUrl }: Pick<GitConnection, 'provider' | 'baseUrl'>,
  gitConnectionId: string | null,
  path: string,
  found: GitRepository,
): RepositoryColumns {
  // The spelling of the server, if it is the same repository: the path leads to the address that git fetches from.
  const isSame = found.path.toLowerCase() === path.toLowerCase();
  return {
    gitConnectionId,
    provider,
    providerBaseUrl: baseUrl,
    providerRepositoryId: found.id,
    name: found.name,
    path: isSame ? found.path : path,
    webUrl: found.webUrl,
  };
}

/** Those that a request has. */
function settingsIn({ submoduleRepositories, gitDepth }: RepositorySettings): RepositorySettings {
  return {
    ...(submoduleRepositories !== undefined && { submoduleRepositories }),
    ...(gitDepth !== undefined && { gitDepth }),
  };
}

/** What a request wants to link. */
type LinkTarget =
  | { readonly gitConnectionId: string; readonly path: string }
  | { readonly provider: GitProvider; readonly path: string };

/** Reads either form of the body. @throws InvalidRequestError */
function linkTargetOf(dto: LinkRepositoryDto): LinkTarget {
  const { gitConnectionId, path, provider, ownerSlug, projectSlug, repositorySlug } = dto;
  if (gitConnectionId !== undefined || path !== undefined) {
    if (gitConnectionId === undefined || path === undefined) throw missing({ gitConnectionId, path });
    return { gitConnectionId, path };
  }
  if (provider === undefined || ownerSlug === undefined || repositorySlug === undefined) {
    throw missing({ provider, ownerSlug, repositorySlug });
  }
  const parts = [ownerSlug, ...(projectSlug === undefined ? [] : [projectSlug]), repositorySlug];
  return { provider: provider === 'azure' ? 'azure_devops' : provider, path: parts.join('/') };
}

/** @throws InvalidRequestError when it cannot be the path of a repository of the provider */
function requirePath(provider: GitProvider, text: string): string {
  const path = parseRepositoryPath(text, provider === 'git_http');
  if (path === null) throw invalidField('path', 'path must be the path of a repository, such as acme/shop.');
  const parts = path.split('/').length;
  if (provider === 'azure_devops' && parts !== 3) {
    throw invalidField('path', 'path must be organization/project/repository for azure_devops.');
  }
  if (provider !== 'git_http' && parts < 2) throw invalidField('path', 'path must be owner/repository.');
  return path;
}

function missing(fields: Readonly<Record<string, unknown>>): Error {
  const errors: FieldError[] = Object.entries(fields)
    .filter(([, value]) => value === undefined)
    .map(([field]) => ({ field, message: `${field} is required.` }));
  return invalidFields(errors);
}
