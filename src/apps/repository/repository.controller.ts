import { Body, Controller, Delete, Get, HttpCode, Patch, Put } from '@nestjs/common';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { CurrentApp } from '../app-access/current-app.decorator.js';
import { AppDto, toAppDto } from '../apps/app.dto.js';
import { App } from '../apps/app.entity.js';
import {
  AppRepositoryDto,
  toAppRepositoryDto,
  LinkRepositoryDto,
  UpdateRepositoryDto,
} from './app-repository.dto.js';
import { LinkedRepositoryService } from './linked-repository.service.js';
import { RepositoryLinkingService } from './repository-linking.service.js';

@ApiTags('Apps')
@Controller('apps/:appId/repository')
export class RepositoryController {
  constructor(
    private readonly links: LinkedRepositoryService,
    private readonly linking: RepositoryLinkingService,
  ) {}

  /** Gets the git repository that an app is built from. */
  @Get()
  @Requires('apps:read')
  @ApiErrors('app_repository_not_found')
  async get(@CurrentApp() app: App): Promise<AppRepositoryDto> {
    return toAppRepositoryDto(await this.links.get(app.id));
  }

  /**
   * Links an app to a git repository, in place of its former one. Send `gitConnectionId` and `path`, or `provider`,
   * `ownerSlug` and `repositorySlug`: then Slipway uses the first connection of that provider that sees the repository,
   * those of the app first. A public repository needs no connection. A connection that is for every app requires the
   * permission `git-connections:read` in the organization, too.
   */
  @Put()
  @OwnTransactions()
  @Requires('apps:write')
  @ApiErrors(
    'git_connection_not_found',
    'git_repository_not_found',
    'git_connection_restricted',
    'git_credentials_refused',
    'git_server_failed',
  )
  async link(
    @Caller() caller: Principal,
    @CurrentApp() app: App,
    @Body() body: LinkRepositoryDto,
  ): Promise<AppDto> {
    await this.linking.link(caller, app, body);
    return toAppDto(app);
  }

  /**
   * Changes which submodules builds fetch with the credential of the git connection, and how much of the history they
   * fetch. To add a path, you must be able to use the connection: one that is for every app requires the permission `git-connections:read` in the organization, too.
   */
  @Patch()
  @Requires('apps:write')
  @ApiErrors('app_repository_not_found', 'git_connection_restricted')
  async update(
    @Caller() caller: Principal,
    @CurrentApp() app: App,
    @Body() body: UpdateRepositoryDto,
  ): Promise<AppRepositoryDto> {
    await this.linking.update(caller, app, body);
    return toAppRepositoryDto(await this.links.get(app.id));
  }

  /** Unlinks an app from its git repository. */
  @Delete()
  @HttpCode(204)
  @Requires('apps:write')
  @ApiErrors('app_repository_not_found')
  async unlink(@CurrentApp() app: App): Promise<void> {
    await this.links.delete(app.id);
  }
}
