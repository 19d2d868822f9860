import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../common/errors/app-error.js';
import { nameKey } from '../../common/validation/name.decorator.js';
import type { Decision } from './decision.js';
import { decideForDevice } from './device-decision.js';
import { DeviceSightings } from './device-sightings.js';
import type { ReleaseTable } from './release-table.js';
import { ReleaseTables } from './release-tables.js';
import { NoUpdateError } from './no-update-error.js';
import { isOffer, toUpdateDto, type UpdateDto } from './update.dto.js';
import type { UpdateCheckRequest } from './update-check-request.js';

/** What is known of a check besides what the device says. */
export interface CheckCircumstances {
  /** Asked on behalf of a device, which is not to be remembered as a sighting. */
  readonly isProbe: boolean;
  /** ISO 3166-1 alpha-2; `null`: unknown. */
  readonly country: string | null;
}

/** Answers "which bundle shall this device run?". */
@Injectable()
export class UpdateCheckService {
  constructor(
    private readonly tables: ReleaseTables,
    private readonly sightings: DeviceSightings,
  ) {}

  /**
   * Also when it is the bundle that the device runs already: the plugins compare themselves.
   *
   * @param origin where the API is reached, for the download address
   * @param circumstances who asks, and from where
   * @throws NotFoundError for an unknown app
   * @throws NoUpdateError when there is nothing for the device
   */
  async check(
    appId: string,
    request: UpdateCheckRequest,
    origin: string,
    { isProbe, country }: CheckCircumstances,
  ): Promise<UpdateDto> {
    const table = await this.tables.load(appId);
    if (table === null) throw new NotFoundError('App');
    const decision = decideForDevice(table, request, new Date());
    const { deviceId } = request;
    if (deviceId !== null && !isProbe) {
      await this.sightings.record({
        appId,
        request: { ...request, deviceId },
        country,
        channelId: requestedChannelId(table, request),
        deploymentId: decision.deployment?.id ?? null,
        runsOffered: runs(request, decision),
      });
    }
    if (!isOffer(decision)) throw new NoUpdateError(decision.reason);
    return toUpdateDto(appId, decision, origin);
  }
}

/** Whether the device runs what it is offered already. */
function runs({ bundleId }: UpdateCheckRequest, { deployment }: Decision): boolean {
  return deployment !== null && bundleId?.toLowerCase() === deployment.bundle.id;
}

/** The channel that the device asked for, whatever is forced on it. */
function requestedChannelId(table: ReleaseTable, { channelNames }: UpdateCheckRequest): string | null {
  if (channelNames.length === 0) return table.defaultChannelId;
  const keys = channelNames.map((name) => nameKey(name.trim()));
  return table.channels.find(({ name }) => keys.includes(nameKey(name)))?.id ?? null;
}
