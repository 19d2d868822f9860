import { Body, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ListBodyPipe } from '../../common/validation/list-body.pipe.js';
import {
  EnvironmentValueDto,
  SetEnvironmentValuesDto,
  UnsetEnvironmentValuesDto,
  UpdateEnvironmentValueDto,
  EnvironmentVariableDto,
  toEnvironmentVariableDto,
} from './environment-value.dto.js';
import { EnvironmentValuesService } from './environment-values.service.js';

@ApiTags('Environments')
@Controller('apps/:appId/environments/:environmentId/variables')
export class EnvironmentVariablesController {
  constructor(private readonly values: EnvironmentValuesService) {}

  /** Lists all variables of an environment, by key. This list has no pages. */
  @Get()
  @Requires('environments:read')
  async list(
    @CurrentApp() app: App,
    @IdParam('environmentId') environmentId: string,
  ): Promise<EnvironmentVariableDto[]> {
    const found = await this.values.list('variable', { appId: app.id, id: environmentId });
    return found.map(toEnvironmentVariableDto);
  }

  /** Creates a variable. If the use of the environment is restricted, this requires the permission `environments:use`. */
  @Post()
  @Requires('environments:write')
  @ApiErrors('environment_full', 'environment_key_taken')
  async create(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('environmentId') environmentId: string,
    @Body() body: EnvironmentValueDto,
  ): Promise<EnvironmentVariableDto> {
    const target = { appId: app.id, id: environmentId };
    return toEnvironmentVariableDto(await this.values.create('variable', caller, target, body));
  }

  /**
   * Adds variables and replaces those with the same keys; others stay. The body is an array. Requires the same permission
   * as creating one.
   */
  @Post('set')
  @HttpCode(204)
  @Requires('environments:write')
  @ApiErrors('environment_full')
  @ApiBody({ type: [EnvironmentValueDto] })
  async set(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('environmentId') environmentId: string,
    @Body(new ListBodyPipe(SetEnvironmentValuesDto)) values: EnvironmentValueDto[],
  ): Promise<void> {
    await this.values.set('variable', caller, { appId: app.id, id: environmentId }, values);
  }

  /** Removes variables by key; unknown keys are ignored. Requires the same permission as creating one. */
  @Post('unset')
  @HttpCode(204)
  @Requires('environments:write')
  @ApiBody({ schema: { type: 'array', items: { type: 'string', example: 'API_URL' }, maxItems: 500 } })
  async unset(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('environmentId') environmentId: string,
    @Body(new ListBodyPipe(UnsetEnvironmentValuesDto)) keys: string[],
  ): Promise<void> {
    await this.values.unset('variable', caller, { appId: app.id, id: environmentId }, keys);
  }

  /** Updates a variable. Omitted fields do not change. Requires the same permission as creating one. */
  @Patch(':environmentVariableId')
  @Requires('environments:write')
  @ApiErrors('environment_full', 'environment_key_taken')
  async update(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('environmentId') environmentId: string,
    @IdParam('environmentVariableId') id: string,
    @Body() body: UpdateEnvironmentValueDto,
  ): Promise<EnvironmentVariableDto> {
    const target = { appId: app.id, id: environmentId };
    return toEnvironmentVariableDto(await this.values.update('variable', caller, target, id, body));
  }

  /** Deletes a variable. Requires the same permission as creating one. */
  @Delete(':environmentVariableId')
  @HttpCode(204)
  @Requires('environments:write')
  async delete(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('environmentId') environmentId: string,
    @IdParam('environmentVariableId') id: string,
  ): Promise<void> {
    await this.values.delete('variable', caller, { appId: app.id, id: environmentId }, id);
  }
}
