import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, In, type Repository } from 'typeorm';
import { NotFoundError } from '../../common/errors/app-error.js';
import { boundsOf, type Page } from '../../common/pagination/page.js';
import { deleteOrThrow, findOrThrow, translate, updateOrThrow } from '../../database/rows.js';
import { containsText } from '../../database/text-filters.js';
import { transaction } from '../../database/transaction.js';
import { ChannelsService } from '../channels/channels.service.js';
import { Device, DEVICES_FORCED_CHANNEL_FKEY } from './device.entity.js';
import type { ListDevicesQuery } from './list-devices-query.dto.js';
import type { UpdateDeviceDto } from './update-device.dto.js';

const violations = { [DEVICES_FORCED_CHANNEL_FKEY]: () => new NotFoundError('Channel') };

@Injectable()
export class DevicesService {
  constructor(
    @InjectRepository(Device) private readonly devices: Repository<Device>,
    private readonly channels: ChannelsService,
  ) {}

  /** The devices of an app, last seen first. */
  async list(appId: string, query: ListDevicesQuery): Promise<Page<Device>> {
    const { limit, offset } = boundsOf(query);
    const [items, total] = await this.devices.findAndCount({
      where: matching({ appId, ...(query.id === undefined ? {} : { id: query.id }) }, query.query),
      order: { lastSeenAt: 'DESC', id: 'DESC' },
      take: limit,
      skip: offset,
    });
    return { items, total };
  }

  /** @throws NotFoundError */
  get(appId: string, id: string): Promise<Device> {
    return findOrThrow(this.devices, { appId, id });
  }

  /** @throws NotFoundError for an unknown device or channel */
  async update(appId: string, id: string, { forcedAppChannelId }: UpdateDeviceDto): Promise<Device> {
    await this.requireChannel(appId, forcedAppChannelId);
    return updateOrThrow(this.devices, { appId, id }, { forcedChannelId: forcedAppChannelId }, violations);
  }

  /**
   * Changes all of the devices or none.
   *
   * @throws NotFoundError for an unknown device or channel
   */
  async updateMany(
    appId: string,
    ids: readonly string[],
    { forcedAppChannelId }: UpdateDeviceDto,
  ): Promise<void> {
    const wanted = [...new Set(ids)];
    await this.requireChannel(appId, forcedAppChannelId);
    await transaction(this.devices.manager.connection, async (tx) => {
      const devices = tx.withRepository(this.devices);
      const where = { appId, id: In(wanted) };
      const found =
        forcedAppChannelId === undefined
          ? await devices.countBy(where)
          : (
              await translate(violations, () =>
                devices.update(where, { forcedChannelId: forcedAppChannelId }),
              )
            ).affected;
      if (found !== wanted.length) throw new NotFoundError('Device');
    });
  }

  /** Forgets a device; it reappears with its next check. @throws NotFoundError */
  delete(appId: string, id: string): Promise<void> {
    return deleteOrThrow(this.devices, { appId, id });
  }

  private async requireChannel(appId: string, id: string | null | undefined): Promise<void> {
    if (id && !(await this.channels.exists(appId, id))) throw new NotFoundError('Channel');
  }
}

/** The search text must stand in the id or the custom id, besides all that is asked for already. */
function matching(known: FindOptionsWhere<Device>, text?: string): FindOptionsWhere<Device>[] {
  if (text === undefined) return [known];
  const byCustomId = { ...known, customId: containsText(text) };
  return known.id === undefined ? [{ ...known, id: containsText(text) }, byCustomId] : [byCustomId];
}
