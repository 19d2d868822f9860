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
import { CreateDestinationDto, UpdateDestinationDto } from './create-destination.dto.js';
import { DestinationGovernanceService } from './destination-governance.service.js';
import {
  DeleteDestinationQuery,
  DestinationDto,
  ListDestinationsQuery,
  toDestinationDto,
} from './destination.dto.js';
import { DestinationsService } from './destinations.service.js';

@ApiTags('Destinations')
@Controller('apps/:appId/destinations')
export class DestinationsController {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly governance: DestinationGovernanceService,
  ) {}

  /** Lists the destinations of an app, by name. */
  @Get()
  @Requires('destinations:read')
  @ApiPage(DestinationDto)
  async list(
    @CurrentApp() app: App,
    @Query() query: ListDestinationsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DestinationDto[]> {
    return sendPage(response, query, await this.destinations.list(app.id, query), toDestinationDto);
  }

  /**
   * Creates a destination. Upload the file of its key first. Approvals, freeze windows and `allowedRefs` require the
   * permission `channels:govern`, and so does a destination that leads to the same place as one that has them.
   */
  @Post()
  @Requires('destinations:write')
  @ApiErrors('destination_name_taken', 'store_key_not_found', 'limit_reached')
  async create(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @Body() body: CreateDestinationDto,
  ): Promise<DestinationDto> {
    await this.governance.authorizeCreation(caller, app.id, body);
    return toDestinationDto(await this.destinations.create(app.id, body));
  }

  /** Gets a destination. */
  @Get(':destinationId')
  @Requires('destinations:read')
  async get(@CurrentApp() app: App, @IdParam('destinationId') id: string): Promise<DestinationDto> {
    return toDestinationDto(await this.destinations.get(app.id, id));
  }

  /**
   * Updates a destination. Omitted fields do not change; `null` clears a field. Submissions that are open keep what they
   * began with, but for the key. Approvals, freeze windows and `allowedRefs`, and the name and the place of a destination that has
   * them, require the permission `channels:govern`, and so does letting a destination lead to the same place as such a one.
   */
  @Patch(':destinationId')
  @Requires('destinations:write')
  @ApiErrors('destination_name_taken', 'store_key_not_found')
  async update(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('destinationId') id: string,
    @Body() body: UpdateDestinationDto,
  ): Promise<DestinationDto> {
    await this.governance.authorizeChange(caller, app.id, id, body);
    return toDestinationDto(await this.destinations.update(app.id, id, body));
  }

  /**
   * Deletes the destination with this name, its deployments and what is known of their submissions. A destination with
   * approvals, a freeze or `allowedRefs` requires the permission `channels:govern`.
   */
  @Delete()
  @HttpCode(204)
  @Requires('destinations:write')
  @ApiErrors('destination_not_found', 'destination_in_use')
  async deleteByName(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @Query() { name, platform }: DeleteDestinationQuery,
  ): Promise<void> {
    await this.governance.authorizeDeletion(caller, app.id, { name, platform });
    await this.destinations.delete(app.id, { name, platform });
  }

  /**
   * Deletes a destination, its deployments and what is known of their submissions. A destination with approvals, a freeze
   * or `allowedRefs` requires the permission `channels:govern`.
   */
  @Delete(':destinationId')
  @HttpCode(204)
  @Requires('destinations:write')
  @ApiErrors('destination_in_use')
  async delete(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('destinationId') id: string,
  ): Promise<void> {
    await this.governance.authorizeDeletion(caller, app.id, { id });
    await this.destinations.delete(app.id, { id });
  }
}
