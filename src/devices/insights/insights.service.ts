import { Injectable } from '@nestjs/common';
import type { Page } from '../../common/pagination/page.js';
import { DeploymentsService } from '../../live-updates/deployments/deployments.service.js';
import { CurrentCounts } from './current-counts.js';
import { dayAfter, type Days, daysOf } from './days.js';
import { ALL } from './dimensions.js';
import type { ActiveDevicesDto, AdoptionDto, DeviceGroupsDto, DownloadsDto } from './insights.dto.js';
import type { DaysQuery, DevicesByQuery, DownloadsQuery } from './insights-query.dto.js';
import { InsightsQueries, type Target } from './insights.queries.js';

/** Days of the beginning of a deployment that are returned when the caller does not say which. */
const DEFAULT_ADOPTION_DAYS = 30;

/** The counts of days that have ended, followed by those of today. */
@Injectable()
export class InsightsService {
  constructor(
    private readonly queries: InsightsQueries,
    private readonly current: CurrentCounts,
    private readonly deployments: DeploymentsService,
  ) {}

  /** @throws InvalidRequestError for days that are none or too many */
  async activeDevices(appId: string, query: DaysQuery): Promise<ActiveDevicesDto[]> {
    const days = daysOf(query, today());
    const current = await this.current.of(appId, days, [ALL]);
    return joined(
      await this.queries.activeDevices(appId, days),
      current.map(({ day, daily, weekly, monthly }) => ({ day, daily, weekly, monthly })),
    );
  }

  /** @throws InvalidRequestError for days that are none or too many */
  async devicesBy(appId: string, query: DevicesByQuery): Promise<DeviceGroupsDto[]> {
    const days = daysOf(query, today());
    const current = await this.current.of(appId, days, [query.groupBy]);
    const groups = [...Map.groupBy(current, ({ day }) => day)].map(([day, counts]) => ({
      day,
      groups: counts.map(({ value, others, daily, weekly, monthly }) => ({
        value: value || null,
        others,
        daily,
        weekly,
        monthly,
      })),
    }));
    return joined(await this.queries.devicesBy(appId, query.groupBy, days), groups);
  }

  /**
   * @throws NotFoundError for an unknown deployment
   * @throws InvalidRequestError for days that are none or too many, and for a deployment to a store
   */
  async adoption(appId: string, deploymentId: string, query: DaysQuery): Promise<AdoptionDto[]> {
    const { channelId, buildId, createdAt } = await this.deployments.getOfChannel(appId, deploymentId);
    const live = dayAfter(createdAt.getTime(), 0);
    const { from = live, to = dayAfter(Date.parse(from), DEFAULT_ADOPTION_DAYS - 1) } = query;
    const days = daysOf({ from, to }, to);
    const target = { channelId, bundleId: await this.queries.bundleOf(buildId) };
    const since = { from: days.from < live ? live : days.from, to: days.to };
    const current = await this.currentAdoption(appId, target, since);
    return joined(await this.queries.adoption(appId, target, since), current);
  }

  /** @throws InvalidRequestError for days that are none or too many */
  downloads(appId: string, query: DownloadsQuery): Promise<Page<DownloadsDto>> {
    return this.queries.downloads(appId, daysOf(query, today()), query);
  }

  private async currentAdoption(
    appId: string,
    { channelId, bundleId }: Target,
    days: Days,
  ): Promise<AdoptionDto[]> {
    const counts = await this.current.of(appId, days, [ALL, 'channel', 'pair']);
    return [...Map.groupBy(counts, ({ day }) => day)].map(([day, ofDay]) => {
      const dailyOf = (wanted: string): number =>
        ofDay.find(({ value, others }) => value === wanted && !others)?.daily ?? 0;
      const [devices, channelDevices] = [dailyOf(`${channelId}/${bundleId}`), dailyOf(channelId)];
      return { day, devices, channelDevices, share: channelDevices === 0 ? null : devices / channelDevices };
    });
  }
}

const today = (): string => dayAfter(Date.now(), 0);

/** A day that was counted while the request ran is in both: the stored count is the final one. */
function joined<T extends { readonly day: string }>(stored: readonly T[], current: readonly T[]): T[] {
  const days = new Set(stored.map(({ day }) => day));
  return [...stored, ...current.filter(({ day }) => !days.has(day))];
}
