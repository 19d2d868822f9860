import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../common/database-clock.js';
import type { ClientConnection } from '../../common/request-origin/client-connection.js';
import type { Decision } from '../channel-decision/decision.js';
import { decideForDevice } from '../channel-decision/device-decision.js';
import { CheckInRecorder } from '../check-ins/check-in-recorder.js';
import { isDeviceId } from '../check-ins/device-id.js';
import { ReleaseCache } from '../releases/release-cache.js';
import { channelNamed } from '../releases/release-index.js';
import type { ReleaseTable } from '../releases/release-table.js';
import type { DeviceReport } from '../check-ins/device-report.js';
import { outcomeOf, type UpdateCheckOutcome } from './update-check-outcome.js';
import type { UpdateCheckRequest } from './update-check-request.js';

/** Facts about a check besides the device's report. */
export interface CheckCircumstances {
  /** Sent with a token, on behalf of a device: not recorded as a check-in. */
  readonly isProbe: boolean;
  /** ISO 3166-1 alpha-2; `null`: unknown. */
  readonly country: string | null;
  /** `null`: of no interest. */
  readonly connection: ClientConnection | null;
}

/** Decides which bundle a device is offered. That may be the one that it runs: the plugins compare the two. */
@Injectable()
export class UpdateCheckService {
  constructor(
    private readonly releases: ReleaseCache,
    private readonly checkIns: CheckInRecorder,
  ) {}

  async check(
    appId: string,
    request: UpdateCheckRequest,
    circumstances: CheckCircumstances,
  ): Promise<UpdateCheckOutcome> {
    const table = await this.releases.load(appId);
    return outcomeOf(table && this.decide(table, request, circumstances), request.report);
  }

  /** As `check`, from memory. @returns `undefined` when the releases must be loaded first */
  checkInMemory(
    appId: string,
    request: UpdateCheckRequest,
    circumstances: CheckCircumstances,
  ): UpdateCheckOutcome | undefined {
    const table = this.releases.peek(appId);
    if (table === undefined) return undefined;
    return outcomeOf(table && this.decide(table, request, circumstances), request.report);
  }

  private decide(
    table: ReleaseTable,
    { deviceId, customId, report }: UpdateCheckRequest,
    { isProbe, country, connection }: CheckCircumstances,
  ): Decision {
    const decision = decideForDevice(table, { ...report, deviceId }, databaseNow);
    if (deviceId !== null && isDeviceId(deviceId) && !isProbe) {
      this.checkIns.record({
        appId: table.appId,
        deviceId,
        customId,
        report,
        country,
        channelId: requestedChannelId(table, report),
        deploymentId: decision.deployment?.id ?? null,
        runsOffered: runs(report, decision),
        connection,
      });
    }
    return decision;
  }
}

/** Whether the device already runs the bundle that it is offered. */
function runs({ bundleId }: DeviceReport, { deployment }: Decision): boolean {
  return deployment !== null && bundleId?.toLowerCase() === deployment.bundle.id;
}

/** The channel that the device requested, also when another one is forced on it. */
function requestedChannelId(table: ReleaseTable, { channelNames }: DeviceReport): string | null {
  if (channelNames.length === 0) return table.defaultChannelId;
  for (const name of channelNames) {
    const channel = channelNamed(table, name.trim());
    if (channel !== null) return channel.id;
  }
  return null;
}
