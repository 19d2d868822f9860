import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../common/database-clock.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import { snapshot } from '../../database/transactions/transaction.js';
import { DevicesService } from '../devices/devices.service.js';
import { decideForDevice, type DeviceCheck } from '../channel-decision/device-decision.js';
import { ReleaseCache } from '../releases/release-cache.js';
import { ReleaseTableLoader } from '../releases/release-table-loader.js';
import { type DecisionDto, toDecisionDto } from './decision.dto.js';
import { DecisionsQueries } from './decisions.queries.js';
import { goalsOf } from './goals.js';
import { reportedCheck } from './reported-check.js';

/** Answers "why did this device get this?", by the function and the release table of the update check itself. */
@Injectable()
export class DecisionsService {
  constructor(
    private readonly tables: ReleaseTableLoader,
    private readonly releases: ReleaseCache,
    private readonly devices: DevicesService,
    private readonly queries: DecisionsQueries,
  ) {}

  /** The decision for a device, from what it has reported last. @throws NotFoundError */
  forDevice(appId: string, deviceId: string): Promise<DecisionDto> {
    return snapshot(async () =>
      this.explain(appId, reportedCheck(deviceId, await this.devices.get(appId, deviceId))),
    );
  }

  /** The decision for whatever a device may say. */
  forCheck(appId: string, check: DeviceCheck): Promise<DecisionDto> {
    return snapshot(() => this.explain(appId, check));
  }

  private async explain(appId: string, check: DeviceCheck): Promise<DecisionDto> {
    const table = await this.tables.load(appId);
    if (table === null) throw new NotFoundError('App');
    const now = databaseNow();
    const decision = decideForDevice(table, check, () => now, []);
    const goals = goalsOf(table, check, now);
    const shown = [decision, ...goals].flatMap(({ deployment }) => deployment?.id ?? []);
    const builds = await this.queries.buildsOf(appId, shown);
    return toDecisionDto(decision, { now, goals, builds, outage: this.releases.latestOutage });
  }
}
