import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../common/errors/app-error.js';
import { nameKey } from '../../common/validation/name.decorator.js';
import { decide } from './channel-decision.js';
import type { Decision } from './decision.js';
import { DeviceSightings } from './device-sightings.js';
import type { ReleaseTable } from './release-table.js';
import { ReleaseTables } from './release-tables.js';
import { NoUpdateError } from './no-update-error.js';
import { isOffer, toUpdateDto, type UpdateDto } from './update.dto.js';
import type { UpdateCheckRequest } from './update-check-request.js';

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
   * @param isProbe asked on behalf of a device, which is not to be remembered as a sighting
   * @throws NotFoundError for an unknown app
   * @throws NoUpdateError when there is nothing for the device
   */
  async check(
    appId: string,
    request: UpdateCheckRequest,
    origin: string,
    isProbe: boolean,
  ): Promise<UpdateDto> {
    const table = await this.tables.load(appId);
    if (table === null) throw new NotFoundError('App');
    const decision = decideFor(table, request);
    const { deviceId } = request;
    if (deviceId !== null && !isProbe) {
      await this.sightings.record({
        appId,
        request: { ...request, deviceId },
        channelId: requestedChannelId(table, request),
        deploymentId: decision.deployment?.id ?? null,
      });
    }
    if (!isOffer(decision)) throw new NoUpdateError(decision.reason);
    return toUpdateDto(appId, decision, origin);
  }
}

/** A name with two readings is tried in both, since only one of them may be a channel. */
function decideFor(table: ReleaseTable, request: UpdateCheckRequest): Decision {
  const now = new Date();
  const [first = null, ...others] = request.channelNames;
  let decision = decide(table, { ...request, channelName: first }, now);
  for (const channelName of others) {
    if (decision.reason !== 'channel-not-found') break;
    decision = decide(table, { ...request, channelName }, now);
  }
  return decision;
}

/** The channel that the device asked for, whatever is forced on it. */
function requestedChannelId(table: ReleaseTable, { channelNames }: UpdateCheckRequest): string | null {
  if (channelNames.length === 0) return table.defaultChannelId;
  const keys = channelNames.map((name) => nameKey(name.trim()));
  return table.channels.find(({ name }) => keys.includes(nameKey(name)))?.id ?? null;
}
