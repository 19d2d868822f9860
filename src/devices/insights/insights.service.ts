import { Injectable } from '@nestjs/common';
import type { Page } from '../../common/pagination/page.js';
import { DeploymentsService } from '../../live-updates/deployments/deployments.service.js';
import { dayAfter, daysOf } from './days.js';
import type { ActiveDevicesDto, AdoptionDto, DeviceGroupsDto, DownloadsDto } from './insights.dto.js';
import type { DaysQuery, DevicesByQuery, DownloadsQuery } from './insights-query.dto.js';
import { InsightsQueries } from './insights.queries.js';

/** Days of the beginning of a deployment that are returned when the caller does not say which. */
const DEFAULT_ADOPTION_DAYS = 30;

@Injectable()
export class InsightsService {
  constructor(
    private readonly queries: InsightsQueries,
    private readonly deployments: DeploymentsService,
  ) {}

  /** @throws InvalidRequestError for days that are none or too many */
  activeDevices(appId: string, query: DaysQuery): Promise<ActiveDevicesDto[]> {
    return this.queries.activeDevices(appId, daysOf(query, dayAfter(Date.now(), -1)));
  }

  /** @throws InvalidRequestError for days that are none or too many */
  devicesBy(appId: string, query: DevicesByQuery): Promise<DeviceGroupsDto[]> {
    return this.queries.devicesBy(appId, query.groupBy, daysOf(query, dayAfter(Date.now(), -1)));
  }

  /**
   * @throws NotFoundError for an unknown deployment
   * @throws InvalidRequestError for days that are none or too many
   */
  async adoption(appId: string, deploymentId: string, query: DaysQuery): Promise<AdoptionDto[]> {
    const { channelId, buildId, createdAt } = await this.deployments.get(appId, deploymentId);
    const live = dayAfter(createdAt.getTime(), 0);
    const { from = live, to = dayAfter(Date.parse(from), DEFAULT_ADOPTION_DAYS - 1) } = query;
    const days = daysOf({ from, to }, to);
    const bundleId = await this.queries.bundleOf(buildId);
    const since = { from: days.from < live ? live : days.from, to: days.to };
    return this.queries.adoption(appId, { channelId, bundleId }, since);
  }

  /** @throws InvalidRequestError for days that are none or too many */
  downloads(appId: string, query: DownloadsQuery): Promise<Page<DownloadsDto>> {
    return this.queries.downloads(appId, daysOf(query, dayAfter(Date.now(), 0)), query);
  }
}
