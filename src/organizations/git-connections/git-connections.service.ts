import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, IsNull, type Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { ForbiddenError, NotFoundError, errorOf } from '../../common/errors/app-error.js';
import type { Page } from '../../common/pagination/page.js';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { nameKey } from '../../common/validation/name.decorator.js';
import { CountLimits } from '../../database/count-limits.js';
import {
  deleteOrThrow,
  findOrThrow,
  findPage,
  insertOrThrow,
  lockOrThrow,
  updateOrThrow,
} from '../../database/rows.js';
import { containsText } from '../../database/text-filters.js';
import { transaction } from '../../database/transactions/transaction.js';
import { type NewSignIn, type SignInChanges, signInAfter } from './credential-rules.js';
import type {
  CreateGitConnectionDto,
  ListGitConnectionsQuery,
  UpdateGitConnectionDto,
} from './git-connection.dto.js';
import {
  GIT_CONNECTIONS_APP_FKEY,
  GIT_CONNECTIONS_NAME_KEY,
  GIT_CONNECTIONS_ORGANIZATION_FKEY,
  GitConnection,
  type GitProvider,
} from './git-connection.entity.js';
import { GitConnectionsQueries } from './git-connections.queries.js';
import { normalizeBaseUrl } from './git-credential.decorators.js';

const violations = {
  [GIT_CONNECTIONS_NAME_KEY]: () => errorOf('git_connection_name_taken'),
  [GIT_CONNECTIONS_ORGANIZATION_FKEY]: () => new NotFoundError('Organization'),
  [GIT_CONNECTIONS_APP_FKEY]: () => new NotFoundError('App'),
};

/** How connections without a name are called. */
const NAMES: Readonly<Record<GitProvider, string>> = {
  azure_devops: 'Azure DevOps',
  bitbucket: 'Bitbucket',
  gitea: 'Gitea',
  git_http: 'Git',
  github: 'GitHub',
  gitlab: 'GitLab',
};

@Injectable()
export class GitConnectionsService {
  constructor(
    @InjectRepository(GitConnection) private readonly connections: Repository<GitConnection>,
    private readonly queries: GitConnectionsQueries,
    private readonly secrets: SecretBox,
    private readonly limits: CountLimits,
  ) {}

  /** The git connections of an organization, by name. */
  list(organizationId: string, query: ListGitConnectionsQuery): Promise<Page<GitConnection>> {
    const where: FindOptionsWhere<GitConnection> = { organizationId };
    if (query.name !== undefined) where.nameLower = nameKey(query.name);
    if (query.query !== undefined) where.name = containsText(query.query);
    if (query.provider !== undefined) where.provider = query.provider;
    if (query.restricted !== undefined) where.restricted = query.restricted === 'true';
    if (query.appId !== undefined) where.appId = query.appId;
    if (query.scope !== undefined) where.appId = IsNull();
    return findPage(this.connections, where, query, { nameLower: 'ASC' });
  }

  /**
   * The connections that a user can use, for every app or for one.
   *
   * @param appId `null`: no app
   * @returns those of the app first, then the working ones, then by name
   */
  async listUsable(organizationId: string, appId: string | null, userId: string): Promise<GitConnection[]> {
    const found = await this.connections.find({
      where: [{ organizationId, appId: IsNull() }, ...(appId === null ? [] : [{ organizationId, appId }])],
      order: { nameLower: 'ASC' },
    });
    const rank = (each: GitConnection): number =>
      (each.appId === null ? 2 : 0) + (each.brokenAt === null ? 0 : 1);
    return found.filter((each) => isUsableBy(each, userId)).toSorted((a, b) => rank(a) - rank(b));
  }

  /** @throws NotFoundError */
  get(organizationId: string, id: string): Promise<GitConnection> {
    return findOrThrow(this.connections, { organizationId, id });
  }

  /** @returns `null` when the organization has no such connection, for example because the app was transferred */
  find(organizationId: string, id: string): Promise<GitConnection | null> {
    return this.connections.findOneBy({ organizationId, id });
  }

  /** @throws NotFoundError when the organization has no such app */
  async requireApp(organizationId: string, appId: string): Promise<void> {
    if (!(await this.queries.lockApp(organizationId, appId))) throw new NotFoundError('App');
  }

  /**
   * @throws InvalidRequestError when the credential does not match the kind
   * @throws NotFoundError when the organization has no such app
   * @throws ConflictError when the name is taken, or the organization has as many connections as the server allows
   */
  create(organizationId: string, userId: string, dto: CreateGitConnectionDto): Promise<GitConnection> {
    const id = uuid();
    const signIn = signInAfter(null, dto.provider, changesOf(dto));
    const name = dto.name ?? nameOfConnection(dto.provider, id);
    return transaction(async () => {
      const counted = { organizationId };
      await this.limits.requireRoom(
        'gitConnectionsPerOrganization',
        organizationId,
        this.connections,
        counted,
      );
      if (dto.appId != null) await this.requireApp(organizationId, dto.appId);
      const values = {
        id,
        organizationId,
        appId: dto.appId ?? null,
        name,
        nameLower: nameKey(name),
        provider: dto.provider,
        restricted: dto.restricted ?? false,
        createdBy: userId,
        ...this.columnsOf(id, signIn),
      };
      return insertOrThrow(this.connections, values, violations);
    });
  }

  /**
   * Changes of one connection wait for each other, so that each is judged by what it changes.
   *
   * @throws NotFoundError
   * @throws InvalidRequestError when the kind or the address changes without the matching credential
   * @throws ForbiddenError when another user than its creator changes whether others can use it
   * @throws ConflictError when the name is taken
   */
  update(
    organizationId: string,
    userId: string,
    id: string,
    dto: UpdateGitConnectionDto,
  ): Promise<GitConnection> {
    return transaction(async () => {
      const before = await lockOrThrow(this.connections, { organizationId, id });
      if (
        dto.restricted !== undefined &&
        dto.restricted !== before.restricted &&
        before.createdBy !== userId
      ) {
        throw new ForbiddenError('Only its creator can change who can use this git connection.');
      }
      const hasSecret = before.sealedSecret !== null;
      const signIn = signInAfter({ ...before, hasSecret }, before.provider, changesOf(dto));
      const changes = {
        name: dto.name,
        nameLower: dto.name === undefined ? undefined : nameKey(dto.name),
        restricted: dto.restricted,
        ...this.columnsOf(id, signIn),
      };
      return updateOrThrow(this.connections, { organizationId, id }, changes, violations);
    });
  }

  /** Deletes a connection. Repositories that were linked through it stay linked without one. @throws NotFoundError */
  delete(organizationId: string, id: string): Promise<void> {
    return deleteOrThrow(this.connections, { organizationId, id });
  }

  /** Deletes the connections that only one app can use, when it leaves its organization. */
  async deleteOfApp(appId: string): Promise<void> {
    await this.connections.delete({ appId });
  }

  /** The token or password in clear; `null`: none. @throws Error when its encryption key is no longer configured */
  secretOf({ id, sealedSecret }: GitConnection): string | null {
    return sealedSecret === null ? null : this.secrets.open(sealedSecret, contextOf(id));
  }

  /** New credentials may work, so the connection is no longer broken. */
  private columnsOf(id: string, { secret, ...columns }: NewSignIn): Partial<GitConnection> {
    if (secret === undefined) return columns;
    const sealedSecret = secret === null ? null : this.secrets.seal(secret, contextOf(id));
    return { ...columns, sealedSecret, brokenAt: null };
  }
}

/** Whether a user can use a connection: a restricted one only its creator. */
export function isUsableBy({ restricted, createdBy }: GitConnection, userId: string): boolean {
  return !restricted || createdBy === userId;
}

function changesOf(dto: UpdateGitConnectionDto): SignInChanges {
  const { authKind, baseUrl, token, username, password } = dto;
  return {
    ...(authKind !== undefined && { authKind }),
    ...(baseUrl !== undefined && { baseUrl: baseUrl === null ? null : normalizeBaseUrl(baseUrl) }),
    ...(token !== undefined && { token }),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  };
}

/** A name for a connection that got none, such as `GitHub 8f3a2c`. The end of an id is random. */
function nameOfConnection(provider: GitProvider, id: string): string {
  return `${NAMES[provider]} ${id.slice(-6)}`;
}

function contextOf(id: string): string {
  return `git_connections:${id}`;
}
