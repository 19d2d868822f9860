import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiSuccess } from '../../common/openapi/api-success.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { ActiveDevicesDto, AdoptionDto, DeviceGroupsDto, DownloadsDto } from './insights.dto.js';
import { DaysQuery, DevicesByQuery, DownloadsQuery } from './insights-query.dto.js';
import { InsightsService } from './insights.service.js';

@ApiTags('Insights')
@Controller('apps/:appId/insights')
export class InsightsController {
  constructor(private readonly insights: InsightsService) {}

  /**
   * Lists daily, weekly and monthly active devices, by day. The numbers of today grow until the day (UTC) ends. Days without
   * counts are missing.
   */
  @Get('active-devices')
  @Requires('insights:read')
  activeDevices(@CurrentApp() app: App, @Query() query: DaysQuery): Promise<ActiveDevicesDto[]> {
    return this.insights.activeDevices(app.id, query);
  }

  /** Lists active devices by channel, bundle, native version, platform or country, by day. */
  @Get('devices')
  @ApiSuccess('The active devices of each group, by day.')
  @Requires('insights:read')
  devices(@CurrentApp() app: App, @Query() query: DevicesByQuery): Promise<DeviceGroupsDto[]> {
    return this.insights.devicesBy(app.id, query);
  }

  /**
   * Lists the share of the channel's devices that run the bundle of a deployment, by day. Starts with the day of the
   * deployment, by default with 30 days.
   */
  @Get('deployments/:deploymentId/adoption')
  @ApiSuccess('The share of devices that run the bundle, by day.')
  @Requires('insights:read')
  @ApiErrors('deployment_to_store')
  adoption(
    @CurrentApp() app: App,
    @IdParam('deploymentId') deploymentId: string,
    @Query() query: DaysQuery,
  ): Promise<AdoptionDto[]> {
    return this.insights.adoption(app.id, deploymentId, query);
  }

  /** Lists downloads of bundles and their bytes, by day, latest first. */
  @Get('downloads')
  @Requires('insights:read')
  @ApiPage(DownloadsDto)
  async downloads(
    @CurrentApp() app: App,
    @Query() query: DownloadsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DownloadsDto[]> {
    return sendPage(response, query, await this.insights.downloads(app.id, query), (downloads) => downloads);
  }
}
