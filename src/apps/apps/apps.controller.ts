import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import type { IfMatch as Condition } from '../../common/etags/if-match.js';
import { IfMatch } from '../../common/etags/if-match.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { CurrentApp } from '../app-access/current-app.decorator.js';
import { AppDto, toAppDto } from './app.dto.js';
import { App } from './app.entity.js';
import { AppsService } from './apps.service.js';
import { CreateAppDto, CreateAppQuery } from './create-app.dto.js';
import { ListAppsQuery } from './list-apps-query.dto.js';
import { TransferAppDto } from './transfer-app.dto.js';
import { UpdateAppDto } from './update-app.dto.js';

@ApiTags('Apps')
@Controller('apps')
export class AppsController {
  constructor(private readonly apps: AppsService) {}

  /** The apps that the caller can reach, by name. */
  @Get()
  @Requires('account:read')
  @ApiPage(AppDto)
  @ApiErrors(404)
  async list(
    @Caller() caller: Principal,
    @Query() query: ListAppsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AppDto[]> {
    return sendPage(response, query, await this.apps.list(caller, query), toAppDto);
  }

  /** Creates an app and its default channel. Needs the permission `apps:write` in the organization. */
  @Post()
  @Requires('account:write')
  @ApiErrors(404)
  async create(
    @Caller() caller: Principal,
    @Query() query: CreateAppQuery,
    @Body() body: CreateAppDto,
  ): Promise<AppDto> {
    return toAppDto(await this.apps.create(caller, body, query.organizationId ?? body.organizationId));
  }

  /** One app. */
  @Get(':appId')
  @Requires('apps:read')
  get(@CurrentApp() app: App): AppDto {
    return toAppDto(app);
  }

  /** Changes an app; absent fields stay as they are, `null` clears. */
  @Patch(':appId')
  @Requires('apps:write')
  @ApiErrors(409)
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
  @ApiErrors(409)
  async delete(@CurrentApp() app: App, @IfMatch() ifMatch?: Condition): Promise<void> {
    await this.apps.delete(app.id, ifMatch);
  }

  /**
   * Moves an app with everything in it to another organization. Needs the permission `apps:write` there, too. The app is
   * in no team afterwards; devices notice nothing. To the organization that owns it already, nothing happens.
   */
  @Post(':appId/transfer')
  @HttpCode(200)
  @Requires('apps:write')
  @ApiErrors(404)
  async transfer(
    @Caller() caller: Principal,
    @CurrentApp() app: App,
    @Body() body: TransferAppDto,
  ): Promise<AppDto> {
    return toAppDto(await this.apps.transfer(caller, app, body.organizationId));
  }
}
