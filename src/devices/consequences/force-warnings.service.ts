import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../common/database-clock.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import type { Warning } from '../../common/warnings/warning.js';
import { decideForDevice } from '../channel-decision/device-decision.js';
import { reportedCheck } from '../decisions/reported-check.js';
import { ReleaseCache } from '../releases/release-cache.js';
import { channelWithId, newestFirst } from '../releases/release-index.js';
import type { ReleaseChannel, ReleaseTable } from '../releases/release-table.js';
import type { SimulatedDevice } from '../simulations/simulation.js';
import { ConsequencesQueries } from './consequences.queries.js';
import { channelStateWarnings, shareWarning } from './sentences.js';

/** Finds what may surprise about the forced channel of some devices. */
@Injectable()
export class ForceWarningsService {
  constructor(
    private readonly releases: ReleaseCache,
    private readonly queries: ConsequencesQueries,
  ) {}

  /**
   * @param channelId the channel to force them to; `null`: the one that each is forced to
   * @throws NotFoundError for an unknown device or channel
   */
  async find(appId: string, ids: readonly string[], channelId: string | null): Promise<Warning[]> {
    const table = await this.releases.load(appId);
    if (table === null) throw new NotFoundError('App');
    const devices = await this.queries.devices(appId, ids);
    if (devices.length < new Set(ids).size) throw new NotFoundError('Device');
    if (channelId !== null && channelWithId(table, channelId) === null) throw new NotFoundError('Channel');
    const forced = Map.groupBy(devices, ({ forcedChannelId }) => channelId ?? forcedChannelId);
    const now = databaseNow();
    return [...forced].flatMap(([id, those]) => {
      const channel = channelWithId(table, id);
      return channel === null ? [] : forceWarnings(table, channel, those, now);
    });
  }
}

/** What may surprise about devices that are forced to a channel. */
export function forceWarnings(
  table: ReleaseTable,
  channel: ReleaseChannel,
  devices: readonly SimulatedDevice[],
  now: Date,
): Warning[] {
  const states = channelStateWarnings(table.appId, channel, now);
  const newest = newestFirst(channel).find(({ approvalStatus }) => approvalStatus === 'approved');
  if (newest === undefined || newest.rolloutPercentage === 1) return states;
  const only = { ...channel, pausedAt: null, expiresAt: null, deployments: [newest] };
  const forced = new Map(devices.map(({ id }) => [id, channel.id]));
  const of = { ...table, channels: [only], forcedChannelIds: forced };
  const outside = devices.filter((device) => {
    const { trace } = decideForDevice(of, reportedCheck(device.id, device), () => now, []);
    return trace.some(
      (step) =>
        step.step === 'deployment' && step.checks.some(({ check, passed }) => check === 'rollout' && !passed),
    );
  });
  return [...states, shareWarning(table.appId, channel.name, newest, outside.length, devices.length)];
}
