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
  EnvironmentSecretDto,
  SetEnvironmentSecretsDto,
  toEnvironmentSecretDto,
  toSetEnvironmentSecretsDto,
} from './environment-value.dto.js';
import { EnvironmentValuesService } from './environment-values.service.js';

@ApiTags('Environments')
@Controller('apps/:appId/environments/:environmentId/secrets')
export class EnvironmentSecretsController {
  constructor(private readonly values: EnvironmentValuesService) {}

  /** Lists all secrets of an environment, by key, without their values. This list has no pages. */
  @Get()
  @Requires('environments:read')
  async list(
    @CurrentApp() app: App,
    @IdParam('environmentId') environmentId: string,
  ): Promise<EnvironmentSecretDto[]> {
    const found = await this.values.list('secret', { appId: app.id, id: environmentId });
    return found.map(toEnvironmentSecretDto);
  }

  /** Creates a secret. If the use of the environment is restricted, this requires the permission `environments:use`. */
  @Post()
  @Requires('environments:write')
  @ApiErrors('environment_full', 'environment_key_taken')
  async create(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('environmentId') environmentId: string,
    @Body() body: EnvironmentValueDto,
  ): Promise<EnvironmentSecretDto> {
    const target = { appId: app.id, id: environmentId };
    return toEnvironmentSecretDto(await this.values.create('secret', caller, target, body));
  }

  /**
   * Adds secrets and replaces those with the same keys; others stay. The body is an array. Requires the same permission as
   * creating one.
   */
  @Post('set')
  @HttpCode(200)
  @Requires('environments:write')
  @ApiErrors('environment_full')
  @ApiBody({ type: [EnvironmentValueDto] })
  async set(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('environmentId') environmentId: string,
    @Body(new ListBodyPipe(SetEnvironmentValuesDto)) values: EnvironmentValueDto[],
  ): Promise<SetEnvironmentSecretsDto> {
    await this.values.set('secret', caller, { appId: app.id, id: environmentId }, values);
    return toSetEnvironmentSecretsDto(values);
  }

  /** Removes secrets by key; unknown keys are ignored. Requires the same permission as creating one. */
  @Post('unset')
  @HttpCode(204)
  @Requires('environments:write')
  @ApiBody({ schema: { type: 'array', items: { type: 'string', example: 'API_KEY' }, maxItems: 500 } })
  async unset(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('environmentId') environmentId: string,
    @Body(new ListBodyPipe(UnsetEnvironmentValuesDto)) keys: string[],
  ): Promise<void> {
    await this.values.unset('secret', caller, { appId: app.id, id: environmentId }, keys);
  }

  /** Updates a secret. Omitted fields do not change. Requires the same permission as creating one. */
  @Patch(':environmentSecretId')
  @Requires('environments:write')
  @ApiErrors('environment_full', 'environment_key_taken')
  async update(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('environmentId') environmentId: string,
    @IdParam('environmentSecretId') id: string,
    @Body() body: UpdateEnvironmentValueDto,
  ): Promise<EnvironmentSecretDto> {
    const target = { appId: app.id, id: environmentId };
    return toEnvironmentSecretDto(await this.values.update('secret', caller, target, id, body));
  }

  /** Deletes a secret. Requires the same permission as creating one. */
  @Delete(':environmentSecretId')
  @HttpCode(204)
  @Requires('environments:write')
  async delete(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('environmentId') environmentId: string,
    @IdParam('environmentSecretId') id: string,
  ): Promise<void> {
    await this.values.delete('secret', caller, { appId: app.id, id: environmentId }, id);
  }
}
