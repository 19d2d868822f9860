import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  And,
  Equal,
  type FindOperator,
  type FindOptionsWhere,
  In,
  LessThan,
  MoreThan,
  MoreThanOrEqual,
  Raw,
  type Repository,
} from 'typeorm';
import { invalidField, NotFoundError } from '../../common/errors/app-error.js';
import { boundsOf, type CursorPage, type Page } from '../../common/pagination/page.js';
import { deleteOrThrow, findOrThrow, findPage, translate, updateOrThrow } from '../../database/rows.js';
import { containsText } from '../../database/text-filters.js';
import { ChangeSignals, RELEASES } from '../../database/change-signals.js';
import { afterCommit, transaction } from '../../database/transactions/transaction.js';
import { ChannelsService } from '../../live-updates/channels/channels.service.js';
import { CustomIds, hashCustomId } from '../check-ins/custom-ids.js';
import { cursorAfter, type DevicePosition, FIRST_CURSOR, positionIn } from './device-cursor.js';
import { Device, DEVICES_FORCED_CHANNEL_FKEY } from './device.entity.js';
import type { DeleteDevicesQuery, ListDevicesQuery } from './list-devices-query.dto.js';
import { MAX_CHANGED_DEVICES, type UpdateDeviceDto, type UpdateDevicesQuery } from './update-device.dto.js';

/** Devices that are in memory at a time. */
const EXPORT_BATCH = 500;

/** How a custom id may be kept. */
interface CustomIdForm {
  readonly customId: FindOperator<string>;
  readonly customIdHashed: boolean;
}

const violations = { [DEVICES_FORCED_CHANNEL_FKEY]: () => new NotFoundError('Channel') };

@Injectable()
export class DevicesService {
  constructor(
    @InjectRepository(Device) private readonly devices: Repository<Device>,
    private readonly channels: ChannelsService,
    private readonly customIds: CustomIds,
    private readonly signals: ChangeSignals,
  ) {}

  /** The devices of an app, last seen first. */
  async list(appId: string, query: ListDevicesQuery): Promise<Page<Device>> {
    return findPage(this.devices, await this.filterOf(appId, query), query, { lastSeenAt: 'DESC' });
  }

  /**
   * A page of the devices of an app by a cursor, in the same order. Devices that check in meanwhile move to the first page;
   * all others are on exactly one page.
   *
   * @throws InvalidRequestError for a cursor that is malformed, or of another list
   */
  async listByCursor(appId: string, cursor: string, query: ListDevicesQuery): Promise<CursorPage<Device>> {
    if (query.offset !== undefined) throw invalidField('offset', 'offset must be absent with cursor.');
    const after = cursor === FIRST_CURSOR ? null : positionIn(cursor, appId, query);
    if (cursor !== FIRST_CURSOR && after === null)
      throw invalidField(
        'cursor',
        'cursor must be first, or come from a page of this list with the same filters.',
      );
    const { limit } = boundsOf(query);
    const found = await this.devices.find({
      where: await this.filterOf(appId, query, after),
      order: { lastSeenAt: 'DESC', id: 'DESC' },
      // One more says whether there is a next page.
      take: limit + 1,
    });
    const items = found.slice(0, limit);
    const last = items.at(-1);
    return { items, next: found.length > limit && last ? cursorAfter(appId, query, last) : null };
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
   * Changes all devices with some ids, or with a custom id, or none.
   *
   * @throws NotFoundError for an unknown device or channel, and for a custom id that no device has
   * @throws InvalidRequestError unless one of the two is given, and for a custom id of too many devices
   */
  async updateMany(
    appId: string,
    query: UpdateDevicesQuery,
    { forcedAppChannelId }: UpdateDeviceDto,
  ): Promise<void> {
    const wanted = await this.idsOf(appId, query);
    await this.requireChannel(appId, forcedAppChannelId);
    await transaction(async () => {
      const devices = this.devices;
      const where = { appId, id: In(wanted) };
      const found =
        forcedAppChannelId === undefined
          ? await devices.countBy(where)
          : (
              await translate(violations, () =>
                devices.update(where, { forcedChannelId: forcedAppChannelId }),
              )
            ).affected;
      // Of a custom id, one that was deleted in the meantime is not there any more.
      if (query.ids !== undefined && found !== wanted.length) throw new NotFoundError('Device');
    });
  }

  /** The devices of a custom id in batches, in the order of their ids. */
  async *ofCustomId(appId: string, customId: string): AsyncGenerator<Device[]> {
    const forms = await this.formsOf(appId, customId);
    for (let last = ''; ;) {
      const batch: Device[] = await this.devices.find({
        where: forms.map((form) => ({ appId, id: MoreThan(last), ...form })),
        order: { id: 'ASC' },
        take: EXPORT_BATCH,
      });
      yield batch;
      if (batch.length < EXPORT_BATCH) return;
      last = batch.at(-1)?.id ?? last;
    }
  }

  /** How many devices have a custom id. */
  async countOfCustomId(appId: string, customId: string): Promise<number> {
    const forms = await this.formsOf(appId, customId);
    return this.devices.countBy(forms.map((form) => ({ appId, ...form })));
  }

  /**
   * Forgets all devices of a custom id, or those with some ids.
   *
   * @returns how many there were
   * @throws InvalidRequestError unless one of the two is given
   */
  async deleteMany(appId: string, { customId, id: ids }: DeleteDevicesQuery): Promise<number> {
    if ((customId === undefined) === (ids === undefined))
      throw invalidField('customId', 'Either customId or id is required, and not both.');
    const wanted = ids === undefined ? await this.formsOf(appId, customId ?? '') : [{ id: In(ids) }];
    return this.forgetting(appId, async () => {
      let deleted = 0;
      for (const each of wanted) deleted += (await this.devices.delete({ appId, ...each })).affected ?? 0;
      return deleted;
    });
  }

  /** Forgets a device; it reappears with its next check. @throws NotFoundError */
  delete(appId: string, id: string): Promise<void> {
    return this.forgetting(appId, () => deleteOrThrow(this.devices, { appId, id }));
  }

  /** Their roll-backs are forgotten, too: others change the counts that they have, this process loads them again. */
  private forgetting<R>(appId: string, work: () => Promise<R>): Promise<R> {
    return transaction(async () => {
      const result = await work();
      afterCommit(() => this.signals.notifyLocally(RELEASES, appId));
      return result;
    });
  }

  /** @param after only the devices after it in the list */
  private async filterOf(
    appId: string,
    query: ListDevicesQuery,
    after: DevicePosition | null = null,
  ): Promise<FindOptionsWhere<Device>[]> {
    const known = { appId, ...reportedOf(query, after) };
    const { key } =
      query.customId === undefined && query.query === undefined
        ? { key: null }
        : await this.customIds.settingOf(appId);
    const exact = query.customId === undefined ? [{}] : shownFormsOf(key, query.customId);
    return exact.flatMap((form) => matching({ ...known, ...form }, key, query.query));
  }

  private async formsOf(appId: string, customId: string): Promise<CustomIdForm[]> {
    return formsOf((await this.customIds.settingOf(appId)).key, customId);
  }

  /**
   * The ids of the devices that a request is about. A custom id is given as it was, or as the list shows it.
   *
   * @throws NotFoundError for a custom id that no device has
   * @throws InvalidRequestError unless one of the two is given, and for a custom id of too many devices
   */
  async idsOf(appId: string, { ids, customId }: UpdateDevicesQuery): Promise<string[]> {
    if (ids !== undefined && customId === undefined) return [...new Set(ids)];
    if (ids !== undefined || customId === undefined)
      throw invalidField('ids', 'Either ids or customId is required, and not both.');
    const { key } = await this.customIds.settingOf(appId);
    const devices = await this.devices.find({
      select: { id: true },
      where: shownFormsOf(key, customId).map((form) => ({ appId, ...form })),
      take: MAX_CHANGED_DEVICES + 1,
    });
    if (devices.length === 0) throw new NotFoundError('Device');
    if (devices.length > MAX_CHANGED_DEVICES)
      throw invalidField('customId', `customId must be that of at most ${MAX_CHANGED_DEVICES} devices.`);
    return devices.map(({ id }) => id);
  }

  private async requireChannel(appId: string, id: string | null | undefined): Promise<void> {
    if (id && !(await this.channels.exists(appId, id))) throw new NotFoundError('Channel');
  }
}

/** The conditions on what devices reported: `devices_list_idx` has all of these columns. */
function reportedOf(query: ListDevicesQuery, after: DevicePosition | null): FindOptionsWhere<Device> {
  const { id, appChannelId, bundleId, platform, appVersionCode, appVersionName } = query;
  return {
    ...(id === undefined ? {} : { id }),
    ...(appChannelId === undefined ? {} : { channelId: appChannelId }),
    ...(bundleId === undefined ? {} : { bundleId }),
    ...(platform === undefined ? {} : { platform: Number(platform) }),
    ...(appVersionCode === undefined ? {} : { appVersionCode }),
    ...(appVersionName === undefined ? {} : { appVersionName }),
    ...seenBetween(query, after),
  };
}

function seenBetween(
  { lastSeenFrom, lastSeenTo }: ListDevicesQuery,
  after: DevicePosition | null,
): FindOptionsWhere<Device> {
  const bounds = [
    ...(lastSeenFrom === undefined ? [] : [MoreThanOrEqual(lastSeenFrom)]),
    ...(lastSeenTo === undefined ? [] : [LessThan(lastSeenTo)]),
    ...(after === null ? [] : [isAfter(after)]),
  ];
  return bounds.length === 0 ? {} : { lastSeenAt: And(...bounds) };
}

/** The comparison of two columns, which the index has in this order, so that a page begins at an entry of it. */
function isAfter({ lastSeenAt, id }: DevicePosition): FindOperator<Date> {
  return Raw((seen) => `(${seen}, ${seen.replace(/lastSeenAt$/, 'id')}) < (:afterSeen, :afterId)`, {
    afterSeen: lastSeenAt,
    afterId: id,
  });
}

/** A custom id may be stored in clear or as its hash: both, while those are hashed that were there before. */
function formsOf(key: Buffer | null, customId: string): CustomIdForm[] {
  const plain = { customId: Equal(customId), customIdHashed: false };
  return key === null
    ? [plain]
    : [plain, { customId: Equal(hashCustomId(key, customId)), customIdHashed: true }];
}

/** As `formsOf`, and as the list shows it: of a device with a hash, one finds the other devices of the same person. */
function shownFormsOf(key: Buffer | null, customId: string): CustomIdForm[] {
  const shown = key === null ? [] : [{ customId: Equal(customId), customIdHashed: true }];
  return [...formsOf(key, customId), ...shown];
}

/** Adds the condition that the id or the custom id contains the search text. */
function matching(
  known: FindOptionsWhere<Device>,
  key: Buffer | null,
  text?: string,
): FindOptionsWhere<Device>[] {
  if (text === undefined) return [known];
  const byId = known.id === undefined ? [{ ...known, id: containsText(text) }] : [];
  if (known.customId !== undefined) {
    const both = And(known.customId as FindOperator<string>, containsText(text));
    return [...byId, { ...known, customId: both }];
  }
  const hash = key === null ? [] : [{ ...known, customId: hashCustomId(key, text), customIdHashed: true }];
  return [...byId, { ...known, customId: containsText(text) }, ...hash];
}
