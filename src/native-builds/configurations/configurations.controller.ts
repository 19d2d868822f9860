import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import {
  DeleteConfigurationQuery,
  ListConfigurationsQuery,
  ConfigurationDto,
  toConfigurationDto,
  CreateConfigurationDto,
  UpdateConfigurationDto,
} from './configuration.dto.js';
import { ConfigurationsService } from './configurations.service.js';

@ApiTags('Configurations')
@Controller('apps/:appId/configurations')
export class ConfigurationsController {
  constructor(private readonly configurations: ConfigurationsService) {}

  /** Lists the native configurations of an app, by name. */
  @Get()
  @Requires('configurations:read')
  @ApiPage(ConfigurationDto)
  async list(
    @CurrentApp() app: App,
    @Query() query: ListConfigurationsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ConfigurationDto[]> {
    return sendPage(response, query, await this.configurations.list(app.id, query), toConfigurationDto);
  }

  /** Creates a native configuration: what builds of Android and iOS overwrite in their projects. */
  @Post()
  @Requires('configurations:write')
  @ApiErrors('configuration_name_taken', 'limit_reached')
  async create(@CurrentApp() app: App, @Body() body: CreateConfigurationDto): Promise<ConfigurationDto> {
    return toConfigurationDto(await this.configurations.create(app.id, body));
  }

  /** Gets a native configuration. */
  @Get(':configurationId')
  @Requires('configurations:read')
  async get(@CurrentApp() app: App, @IdParam('configurationId') id: string): Promise<ConfigurationDto> {
    return toConfigurationDto(await this.configurations.get(app.id, id));
  }

  /** Updates a native configuration. Omitted fields do not change; `null` clears a field. */
  @Patch(':configurationId')
  @Requires('configurations:write')
  @ApiErrors('configuration_name_taken')
  async update(
    @CurrentApp() app: App,
    @IdParam('configurationId') id: string,
    @Body() body: UpdateConfigurationDto,
  ): Promise<ConfigurationDto> {
    return toConfigurationDto(await this.configurations.update(app.id, id, body));
  }

  /** Deletes the native configuration with this name. */
  @Delete()
  @HttpCode(204)
  @Requires('configurations:write')
  @ApiErrors('configuration_not_found')
  async deleteByName(@CurrentApp() app: App, @Query() { name }: DeleteConfigurationQuery): Promise<void> {
    await this.configurations.delete(app.id, { name });
  }

  /** Deletes a native configuration. */
  @Delete(':configurationId')
  @HttpCode(204)
  @Requires('configurations:write')
  async delete(@CurrentApp() app: App, @IdParam('configurationId') id: string): Promise<void> {
    await this.configurations.delete(app.id, { id });
  }
}
