import type { IncomingMessage } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import {
  clientAddressOf,
  type ClientConnection,
  clientConnectionOf,
  isBehindUnknownProxy,
} from '../../common/request-origin/client-connection.js';
import type { ProxyTrust } from '../../common/request-origin/proxy-trust.js';
import { siteNetworkOf } from '../../common/request-origin/networks.js';
import { Config } from '../../config/config.js';
import type { DeviceConfig } from '../../config/groups/device-config.js';
import { AppSizes } from './app-sizes.js';
import { type CheckIn, deviceKeyOf } from './check-in.js';
import { CheckInsQueries } from './check-ins.queries.js';
import { NewDeviceCounts } from './new-device-counts.js';

/** Apps and networks that are counted at once, about 10 MB each. */
const MAX_KEYS = 100_000;

/** How a request arrived; `null` when new devices are not counted by network. */
export function countedConnectionOf(
  request: IncomingMessage,
  trusts: ProxyTrust,
  { newPerNetwork }: DeviceConfig,
): ClientConnection | null {
  return newPerNetwork === 0 ? null : clientConnectionOf(request, trusts);
}

/** Why a new device is not recorded. */
type ExceededLimit = 'app_hour' | 'network_hour' | 'app_maximum';

/**
 * Limits how many new devices are recorded, because anyone who knows the id of an app can invent them. Devices that are
 * recorded already are not affected. Each process counts for itself, in memory, what it has written; only close to a limit
 * it asks the database first which devices are known.
 */
@Injectable()
export class NewDeviceLimits {
  private readonly logger = new Logger(NewDeviceLimits.name);
  private readonly limits: DeviceConfig;
  private readonly byApp = new NewDeviceCounts(MAX_KEYS);
  private readonly byNetwork = new NewDeviceCounts(MAX_KEYS);
  /** Log lines, each once an hour. */
  private readonly warnings = new NewDeviceCounts(MAX_KEYS);
  private readonly sizes: AppSizes;
  private hasWarnedOfProxy = false;
  /** Check-ins that were not recorded since the start, by reason. */
  readonly refused: Record<ExceededLimit, number> = { app_hour: 0, network_hour: 0, app_maximum: 0 };

  constructor(
    private readonly queries: CheckInsQueries,
    { devices }: Config,
  ) {
    this.limits = devices;
    this.sizes = new AppSizes(queries, devices.maxPerApp);
  }

  /**
   * Leaves the new devices out that are above a limit.
   *
   * @param batch check-ins of different devices
   * @throws Error when the database cannot be used
   */
  async dropExcess(batch: readonly CheckIn[]): Promise<readonly CheckIn[]> {
    const now = Date.now();
    if (!this.mayExceed(batch, now)) return batch;
    const known = await this.queries.known(batch);
    /** New devices of this batch, by app and by network. */
    const admitted = new Map<string, number>();
    return batch.filter((checkIn) => {
      const { appId } = checkIn.state;
      if (known.has(checkIn.key)) return true;
      const network = this.networkOf(checkIn.connection);
      const reason = this.exceededLimitOf(appId, network, admitted, now);
      if (reason !== null) {
        this.refuse(appId, reason, now);
        return false;
      }
      for (const key of [appId, network ?? '']) admitted.set(key, (admitted.get(key) ?? 0) + 1);
      return true;
    });
  }

  /**
   * Counts the devices that were new.
   *
   * @param batch what was written
   * @param appIds apps of the new devices
   * @param deviceIds their ids, in the same order
   */
  count(batch: readonly CheckIn[], appIds: readonly string[], deviceIds: readonly string[]): void {
    const now = Date.now();
    const connections = new Map(batch.map(({ key, connection }) => [key, connection]));
    for (const [index, appId] of appIds.entries()) {
      this.byApp.add(appId, now);
      this.sizes.add(appId, now);
      const network = this.networkOf(connections.get(deviceKeyOf(appId, deviceIds[index] ?? '')) ?? null);
      if (network !== null) this.byNetwork.add(network, now);
    }
  }

  /** Whether a limit is reached if all of these are new. */
  private mayExceed(batch: readonly CheckIn[], now: number): boolean {
    const { newPerApp, newPerNetwork } = this.limits;
    return (
      exceeds(this.byApp.largest(now) + batch.length, newPerApp) ||
      exceeds(this.byNetwork.largest(now) + batch.length, newPerNetwork) ||
      batch.some(({ state }) => this.sizes.isAbove(state.appId, batch.length))
    );
  }

  private exceededLimitOf(
    appId: string,
    network: string | null,
    admitted: ReadonlyMap<string, number>,
    now: number,
  ): ExceededLimit | null {
    const { newPerApp, newPerNetwork } = this.limits;
    const ofApp = (admitted.get(appId) ?? 0) + 1;
    if (exceeds(this.byApp.of(appId, now) + ofApp, newPerApp)) return 'app_hour';
    if (this.sizes.isAbove(appId, ofApp)) return 'app_maximum';
    if (network === null) return null;
    const ofNetwork = (admitted.get(network) ?? 0) + 1;
    return exceeds(this.byNetwork.of(network, now) + ofNetwork, newPerNetwork) ? 'network_hour' : null;
  }

  /** `null`: unknown, or of no interest. */
  private networkOf(connection: ClientConnection | null): string | null {
    if (this.limits.newPerNetwork === 0 || connection === null) return null;
    const address = clientAddressOf(connection);
    if (address !== null) return siteNetworkOf(address);
    if (!this.hasWarnedOfProxy && isBehindUnknownProxy(connection)) {
      this.hasWarnedOfProxy = true;
      this.logger.warn(
        'New devices are not limited by network: set TRUST_PROXY, so that the addresses of clients are known',
      );
    }
    return null;
  }

  private refuse(appId: string, reason: ExceededLimit, now: number): void {
    this.refused[reason]++;
    const key = `${reason} ${appId}`;
    if (this.warnings.of(key, now) > 0) return;
    this.warnings.add(key, now);
    this.logger.warn({ appId, reason }, 'New devices are not recorded: there are too many');
  }
}

/** @param limit 0: none */
function exceeds(count: number, limit: number): boolean {
  return limit > 0 && count > limit;
}
