import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { attemptAll } from '../../common/background/attempt-all.js';
import { databaseNow } from '../../common/database-clock.js';
import { transaction } from '../../database/transactions/transaction.js';
import { EventConditionsQueries } from '../../events/event-conditions.queries.js';
import { ThresholdEvents } from '../../events/threshold-events.service.js';
import { QueueService } from '../../queue/queue.service.js';
import { newestForVersion } from '../channel-decision/newest-for-version.js';
import { platforms } from '../check-ins/device-report.js';
import type { Platform } from '../releases/release-table.js';
import { ReleaseTableLoader } from '../releases/release-table-loader.js';
import { highestOf, isAbove } from './highest-version.js';
import type { DeliveredDeploymentDto } from './native-version-event.dto.js';
import { nativeVersionFirstSeen } from './native-versions.events.js';
import { ANNOUNCEMENT_IS_OVER, type KnownVersion, NativeVersionsQueries } from './native-versions.queries.js';

const KIND = 'native-version-first-seen';
/** Channels that an event names at most. */
const MAX_CHANNELS = 20;

/** Counts which native versions devices report, and records an event for a new one. */
@Injectable()
export class NativeVersionsTask implements OnModuleInit {
  private readonly logger = new Logger(NativeVersionsTask.name);

  constructor(
    private readonly queries: NativeVersionsQueries,
    private readonly tables: ReleaseTableLoader,
    private readonly conditions: EventConditionsQueries,
    private readonly thresholds: ThresholdEvents,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'native-versions',
      cron: '30 * * * *',
      timeoutSeconds: 7200,
      retryLimit: 0,
      run: () => this.run(),
    });
  }

  private async run(): Promise<void> {
    for (const platform of platforms) await this.conditions.clearWhere(KIND, platform, ANNOUNCEMENT_IS_OVER);
    await attemptAll(
      await this.queries.dueApps(),
      (appId) => transaction(() => this.count(appId)),
      (err, appId) => this.logger.error({ err, appId }, 'The native versions of an app could not be counted'),
    );
  }

  private async count(appId: string): Promise<void> {
    const versions = Map.groupBy(await this.queries.count(appId), ({ platform }) => platform);
    for (const [number, known] of versions) {
      const platform = platforms[number] ?? 'android';
      const everSeen = known.filter(({ firstSeenAt }) => firstSeenAt !== null);
      await this.announce(appId, platform, everSeen);
      // The others are over. With the highest one, nothing below it is ever new.
      const kept = highestOf(everSeen, platform)?.versionCode ?? null;
      if (known.some(({ devices, versionCode }) => devices === 0 && versionCode !== kept))
        await this.queries.forget(appId, number, kept);
    }
  }

  /** @param everSeen all versions of the platform that were seen once */
  private async announce(
    appId: string,
    platform: Platform,
    everSeen: readonly KnownVersion[],
  ): Promise<void> {
    const news = everSeen.filter(({ isNews }) => isNews);
    if (news.length === 0) return;
    const former = everSeen.filter(({ isNews }) => !isNews);
    const newest = highestOf(
      news.filter(({ isSeen }) => isSeen),
      platform,
    );
    if (newest !== null && isAbove(newest, highestOf(former, platform), platform)) {
      // There was one today already: this one has it tomorrow.
      if (!(await this.record(appId, platform, newest))) return;
    }
    await this.queries.settle(appId, platforms.indexOf(platform));
  }

  private async record(
    appId: string,
    platform: Platform,
    { platform: number, versionCode: appVersionCode, devices }: KnownVersion,
  ): Promise<boolean> {
    const appVersionName = await this.queries.nameOf(appId, number, appVersionCode);
    const deployments = await this.deliveredTo(appId, platform, appVersionCode);
    const data = { platform: number, appVersionCode, appVersionName, devices, deployments };
    const happening = { appId, objectId: appId, data };
    return this.thresholds.cross(nativeVersionFirstSeen, KIND, [platform], happening);
  }

  /** What devices with a native version get, by channel. */
  private async deliveredTo(
    appId: string,
    platform: Platform,
    version: string,
  ): Promise<DeliveredDeploymentDto[]> {
    const now = databaseNow();
    const channels = (await this.tables.load(appId))?.channels ?? [];
    return channels
      .flatMap((channel) => {
        const deployment = newestForVersion(channel, platform, version, now);
        if (deployment === undefined) return [];
        const { id: appDeploymentId, createdAt } = deployment;
        const { id: appChannelId, name: appChannelName } = channel;
        return [{ appChannelId, appChannelName, appDeploymentId, createdAt: createdAt.toISOString() }];
      })
      .slice(0, MAX_CHANNELS);
  }
}
