import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import {
  CreateGitConnectionDto,
  GitConnectionDto,
  toGitConnectionDto,
  ListGitConnectionsQuery,
  ListGitNamespacesQuery,
  ListGitRepositoriesQuery,
  ResolveGitConnectionsQuery,
  UpdateGitConnectionDto,
} from './git-connection.dto.js';
import { GitConnectionRepositoriesService } from './git-connection-repositories.service.js';
import { GitConnectionsService } from './git-connections.service.js';
import {
  GitNamespaceDto,
  GitRepositoryDto,
  ResolvedGitConnectionsDto,
  toGitNamespaceDto,
  toGitRepositoryDto,
} from './git-repository.dto.js';

/** Why a git server does not answer. */
const serverErrors = ['git_connection_restricted', 'git_credentials_refused', 'git_server_failed'] as const;

@ApiTags('Git connections')
@Controller('organizations/:organizationId/git-connections')
export class GitConnectionsController {
  constructor(
    private readonly connections: GitConnectionsService,
    private readonly repositoriesService: GitConnectionRepositoriesService,
  ) {}

  /** Lists the git connections of an organization, by name. */
  @Get()
  @Requires('git-connections:read')
  @ApiPage(GitConnectionDto)
  async list(
    @IdParam('organizationId') organizationId: string,
    @Query() query: ListGitConnectionsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<GitConnectionDto[]> {
    return sendPage(response, query, await this.connections.list(organizationId, query), toGitConnectionDto);
  }

  /**
   * Creates a git connection. Slipway encrypts the credential and never returns it; it is used for the first time when you
   * list or link a repository.
   */
  @Post()
  @Requires('git-connections:write')
  @ApiErrors('git_connection_name_taken', 'app_not_found', 'limit_reached')
  async create(
    @Caller() caller: Principal,
    @IdParam('organizationId') organizationId: string,
    @Body() body: CreateGitConnectionDto,
  ): Promise<GitConnectionDto> {
    return toGitConnectionDto(await this.connections.create(organizationId, caller.userId, body));
  }

  /** Finds the connections to the server of a git remote that you can use: those of the app first. */
  @Get('resolve')
  @Requires('git-connections:read')
  @ApiErrors('app_not_found')
  async resolve(
    @Caller() caller: Principal,
    @IdParam('organizationId') organizationId: string,
    @Query() query: ResolveGitConnectionsQuery,
  ): Promise<ResolvedGitConnectionsDto> {
    const found = await this.repositoriesService.resolve(organizationId, caller.userId, query);
    const { connections, path, provider } = found;
    return { gitConnections: connections.map(toGitConnectionDto), path, provider };
  }

  /** Gets a git connection. */
  @Get(':gitConnectionId')
  @Requires('git-connections:read')
  async get(
    @IdParam('organizationId') organizationId: string,
    @IdParam('gitConnectionId') gitConnectionId: string,
  ): Promise<GitConnectionDto> {
    return toGitConnectionDto(await this.connections.get(organizationId, gitConnectionId));
  }

  /**
   * Updates a git connection. Omitted fields do not change. A new `authKind` or `baseUrl` requires the matching credential
   * in the same request. New credentials clear `brokenAt`. Only its creator can change `restricted`.
   */
  @Patch(':gitConnectionId')
  @Requires('git-connections:write')
  @ApiErrors('git_connection_name_taken')
  async update(
    @Caller() caller: Principal,
    @IdParam('organizationId') organizationId: string,
    @IdParam('gitConnectionId') gitConnectionId: string,
    @Body() body: UpdateGitConnectionDto,
  ): Promise<GitConnectionDto> {
    return toGitConnectionDto(
      await this.connections.update(organizationId, caller.userId, gitConnectionId, body),
    );
  }

  /** Deletes a git connection. Apps stay linked to their repositories, which Slipway can then read only if they are public. */
  @Delete(':gitConnectionId')
  @HttpCode(204)
  @Requires('git-connections:write')
  async delete(
    @IdParam('organizationId') organizationId: string,
    @IdParam('gitConnectionId') gitConnectionId: string,
  ): Promise<void> {
    await this.connections.delete(organizationId, gitConnectionId);
  }

  /** Lists the repositories that the connection can see, by path, at most about 1,000. This list has no pages. */
  @Get(':gitConnectionId/repositories')
  @Requires('git-connections:read')
  @ApiErrors(...serverErrors)
  async repositories(
    @Caller() caller: Principal,
    @IdParam('organizationId') organizationId: string,
    @IdParam('gitConnectionId') gitConnectionId: string,
    @Query() query: ListGitRepositoriesQuery,
  ): Promise<GitRepositoryDto[]> {
    const { userId } = caller;
    const found = await this.repositoriesService.repositories(organizationId, gitConnectionId, userId, query);
    return found.map(toGitRepositoryDto);
  }

  /** Lists the owners, groups and workspaces that the connection can see. This list has no pages. */
  @Get(':gitConnectionId/namespaces')
  @Requires('git-connections:read')
  @ApiErrors(...serverErrors)
  async namespaces(
    @Caller() caller: Principal,
    @IdParam('organizationId') organizationId: string,
    @IdParam('gitConnectionId') gitConnectionId: string,
    @Query() query: ListGitNamespacesQuery,
  ): Promise<GitNamespaceDto[]> {
    const { userId } = caller;
    const found = await this.repositoriesService.namespaces(organizationId, gitConnectionId, userId, query);
    return found.map(toGitNamespaceDto);
  }
}
