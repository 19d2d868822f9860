import { Injectable } from '@nestjs/common';
import type { Decision } from '../releases/decision.js';
import { decideForDevice } from '../releases/device-decision.js';
import { CheckInRecorder } from '../check-ins/check-in-recorder.js';
import { ReleaseCache } from '../releases/release-cache.js';
import { channelNamed } from '../releases/release-index.js';
import type { ReleaseTable } from '../releases/release-table.js';
import type { DeviceReport, UpdateCheckRequest } from './update-check-request.js';

/** What is known of a check besides what the device says. */
export interface CheckCircumstances {
  /** Asked on behalf of a device, which is not to be remembered as a sighting. */
  readonly isProbe: boolean;
  /** ISO 3166-1 alpha-2; `null`: unknown. */
  readonly country: string | null;
}

/** Answers "which bundle shall this device run?", also when it is the one that it runs: the plugins compare themselves. */
@Injectable()
export class UpdateCheckService {
  constructor(
    private readonly releases: ReleaseCache,
    private readonly sightings: CheckInRecorder,
  ) {}

  /** @returns `null` for an unknown app */
  async check(
    appId: string,
    request: UpdateCheckRequest,
    circumstances: CheckCircumstances,
  ): Promise<Decision | null> {
    const table = await this.releases.load(appId);
    return table && this.decide(table, request, circumstances);
  }

  /** As `check`, from memory. @returns `null` for an unknown app, `undefined` when the releases have to be loaded */
  checkInMemory(
    appId: string,
    request: UpdateCheckRequest,
    circumstances: CheckCircumstances,
  ): Decision | null | undefined {
    const table = this.releases.peek(appId);
    return table && this.decide(table, request, circumstances);
  }

  private decide(
    table: ReleaseTable,
    { deviceId, customId, report }: UpdateCheckRequest,
    { isProbe, country }: CheckCircumstances,
  ): Decision {
    const decision = decideForDevice(table, { ...report, deviceId }, new Date());
    if (deviceId !== null && !isProbe) {
      this.sightings.record({
        appId: table.appId,
        deviceId,
        customId,
        report,
        country,
        channelId: requestedChannelId(table, report),
        deploymentId: decision.deployment?.id ?? null,
        runsOffered: runs(report, decision),
      });
    }
    return decision;
  }
}

/** Whether the device runs what it is offered already. */
function runs({ bundleId }: DeviceReport, { deployment }: Decision): boolean {
  return deployment !== null && bundleId?.toLowerCase() === deployment.bundle.id;
}

/** The channel that the device asked for, whatever is forced on it. */
function requestedChannelId(table: ReleaseTable, { channelNames }: DeviceReport): string | null {
  if (channelNames.length === 0) return table.defaultChannelId;
  for (const name of channelNames) {
    const channel = channelNamed(table, name.trim());
    if (channel !== null) return channel.id;
  }
  return null;
}
