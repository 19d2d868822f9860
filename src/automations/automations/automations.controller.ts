import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import {
  AutomationCountDto,
  AutomationDto,
  CountAutomationsQuery,
  CreateAutomationDto,
  ListAutomationsQuery,
  toAutomationDto,
  UpdateAutomationDto,
} from './automation.dto.js';
import { AutomationsService } from './automations.service.js';

@ApiTags('Automations')
@Controller('apps/:appId/automations')
export class AutomationsController {
  constructor(private readonly automations: AutomationsService) {}

  /** Lists the automations of an app, by name. */
  @Get()
  @Requires('automations:read')
  @ApiPage(AutomationDto)
  async list(
    @CurrentApp() app: App,
    @Query() query: ListAutomationsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AutomationDto[]> {
    return sendPage(response, query, await this.automations.list(app.id, query), toAutomationDto);
  }

  /** Counts the automations of an app. */
  @Get('count')
  @Requires('automations:read')
  async count(@CurrentApp() app: App, @Query() query: CountAutomationsQuery): Promise<AutomationCountDto> {
    return { count: await this.automations.count(app.id, query) };
  }

  /**
   * Creates an automation, which acts as the caller. What its builds do takes the permissions for it, too: `builds:write`,
   * with channels or a destination `deployments:write`, with a destination `submissions:write`. The branches and tags that
   * there are now start nothing.
   */
  @Post()
  @Requires('automations:write')
  @ApiErrors(
    'automation_name_taken',
    'certificate_not_found',
    'channel_not_found',
    'configuration_not_found',
    'destination_not_found',
    'environment_not_found',
    'limit_reached',
    'use_restricted',
  )
  async create(
    @Caller() caller: Principal,
    @CurrentApp() app: App,
    @Body() body: CreateAutomationDto,
  ): Promise<AutomationDto> {
    return toAutomationDto(await this.automations.create(caller, app, body));
  }

  /** Gets an automation. */
  @Get(':automationId')
  @Requires('automations:read')
  async get(@CurrentApp() app: App, @IdParam('automationId') id: string): Promise<AutomationDto> {
    return toAutomationDto(await this.automations.get(app.id, id));
  }

  /**
   * Updates an automation. Omitted fields do not change; `null` clears a field. `{ "enabled": false }` alone only disables
   * it. Everything else saves it: from then on, it acts as the caller, who needs the permissions for all that its builds do,
   * and an automation that Slipway has stopped is enabled.
   */
  @Patch(':automationId')
  @Requires('automations:write')
  @ApiErrors(
    'automation_name_taken',
    'certificate_not_found',
    'channel_not_found',
    'configuration_not_found',
    'destination_not_found',
    'environment_not_found',
    'use_restricted',
  )
  async update(
    @Caller() caller: Principal,
    @CurrentApp() app: App,
    @IdParam('automationId') id: string,
    @Body() body: UpdateAutomationDto,
  ): Promise<AutomationDto> {
    return toAutomationDto(await this.automations.update(caller, app, id, body));
  }

  /** Deletes an automation. Its builds stay, and go on. */
  @Delete(':automationId')
  @HttpCode(204)
  @Requires('automations:write')
  async delete(@CurrentApp() app: App, @IdParam('automationId') id: string): Promise<void> {
    await this.automations.delete(app.id, id);
  }
}
