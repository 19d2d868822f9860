import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { memberErrors, Requires } from '../../common/access/requires.decorator.js';
import type { IfMatch as Condition } from '../../common/etags/if-match.js';
import { IfMatch } from '../../common/etags/if-match.decorator.js';
import { sendVersioned } from '../../common/etags/version.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { CurrentApp } from '../app-access/current-app.decorator.js';
import {
  AppDto,
  toAppDto,
  CreateAppDto,
  CreateAppQuery,
  GetAppQuery,
  ListAppsQuery,
  TransferAppDto,
  UpdateAppDto,
} from './app.dto.js';
import { App } from './app.entity.js';
import { AppsService } from './apps.service.js';
import { LinkedRepositories } from './linked-repositories.js';

@ApiTags('Apps')
@Controller('apps')
export class AppsController {
  constructor(
    private readonly apps: AppsService,
    private readonly repositories: LinkedRepositories,
  ) {}

  /** Lists the apps that the caller can see, by name. */
  @Get()
  @Requires('account:read')
  @ApiPage(AppDto)
  @ApiErrors('organization_not_found', ...memberErrors)
  async list(
    @Caller() caller: Principal,
    @Query() query: ListAppsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AppDto[]> {
    return sendPage(response, query, await this.apps.list(caller, query), (app) => toAppDto(app));
  }

  /** Creates an app and its default channel. Requires the permission `apps:write` in the organization. */
  @Post()
  @Requires('account:write')
  @ApiErrors('organization_not_found', 'organization_suspended', 'limit_reached', ...memberErrors)
  async create(
    @Caller() caller: Principal,
    @Query() query: CreateAppQuery,
    @Body() body: CreateAppDto,
  ): Promise<AppDto> {
    return toAppDto(await this.apps.create(caller, body, query.organizationId ?? body.organizationId));
  }

  /** Gets an app. */
  @Get(':appId')
  @Requires('apps:read')
  async get(
    @CurrentApp() app: App,
    @Query() { relations = [] }: GetAppQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AppDto> {
    const repository = relations.includes('repository') ? await this.repositories.find(app.id) : undefined;
    return sendVersioned(response, app, toAppDto(app, repository));
  }

  /** Updates an app. Omitted fields do not change; `null` clears a field. */
  @Patch(':appId')
  @Requires('apps:write')
  @ApiErrors('channel_not_found', 'environment_not_found')
  async update(
    @CurrentApp() app: App,
    @Body() body: UpdateAppDto,
    @IfMatch() ifMatch?: Condition,
  ): Promise<AppDto> {
    return toAppDto(await this.apps.update(app.id, body, ifMatch));
  }

  /** Deletes an app with its channels, builds, bundles, deployments and devices. */
  @Delete(':appId')
  @HttpCode(204)
  @Requires('apps:write')
  @ApiErrors('legal_hold')
  async delete(@CurrentApp() app: App, @IfMatch() ifMatch?: Condition): Promise<void> {
    await this.apps.delete(app.id, ifMatch);
  }

  /**
   * Transfers an app with everything in it to another organization. Requires the permission `apps:write` there, too. The
   * app leaves its teams and git connections; devices are not affected. Does nothing if the organization already owns the app.
   */
  @Post(':appId/transfer')
  @HttpCode(200)
  @Requires('apps:write')
  @ApiErrors('organization_not_found', 'limit_reached')
  async transfer(
    @Caller() caller: Principal,
    @CurrentApp() app: App,
    @Body() body: TransferAppDto,
  ): Promise<AppDto> {
    return toAppDto(await this.apps.transfer(caller, app, body.organizationId));
  }
}
