import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, In, type Repository } from 'typeorm';
import type { DefaultChannels } from '../../apps/apps/default-channels.js';
import { errorOf } from '../../common/errors/app-error.js';
import type { IfMatch } from '../../common/etags/if-match.js';
import { Listeners } from '../../common/listeners.js';
import type { Page } from '../../common/pagination/page.js';
import { nameColumns, nameKey } from '../../common/validation/name.decorator.js';
import { CountLimits } from '../../database/count-limits.js';
import { changeIfMatch } from '../../database/if-match.js';
import {
  deleteOrThrow,
  findOrThrow,
  findPage,
  insertOrThrow,
  lockOrThrow,
  updateOrThrow,
} from '../../database/rows.js';
import { containsText, whereNamed } from '../../database/text-filters.js';
import { currentActor } from '../../database/transactions/actor.js';
import { transaction } from '../../database/transactions/transaction.js';
import { EventsService } from '../../events/events.service.js';
import type { CreateChannelDto, ListChannelsQuery, UpdateChannelDto } from './channel.dto.js';
import { changesOf, toChannelEventDto } from './channel-event.dto.js';
import { appChannelPaused, appChannelResumed, appChannelUpdated } from './channels.events.js';
import { Channel, CHANNELS_NAME_KEY } from './channel.entity.js';
import { toFreezeWindows } from '../../common/freezes/freeze-window.dto.js';

const violations = {
  [CHANNELS_NAME_KEY]: () => errorOf('channel_name_taken'),
};

@Injectable()
export class ChannelsService implements DefaultChannels {
  /** A channel is about to be deleted. */
  readonly deleting = new Listeners<[channel: Channel]>();

  constructor(
    @InjectRepository(Channel) private readonly channels: Repository<Channel>,
    private readonly limits: CountLimits,
    private readonly events: EventsService,
  ) {}

  /** The channels of an app, by name. */
  list(appId: string, query: ListChannelsQuery): Promise<Page<Channel>> {
    return findPage(this.channels, whereNamed({ appId }, query), query, { nameLower: 'ASC' });
  }

  /**
   * As `list`, but searches names only, as the plugins document.
   *
   * @param texts what the search text of a device may mean: one of them is in the name; empty: all channels
   */
  discover(
    appId: string,
    { query: _text, ...query }: ListChannelsQuery,
    texts: readonly string[],
  ): Promise<Page<Channel>> {
    const wheres =
      texts.length === 0 ? [{ appId }] : texts.map((text) => ({ appId, name: containsText(text) }));
    const named = wheres.flatMap((where) => whereNamed<Channel>(where, query));
    return findPage(this.channels, named, query, { nameLower: 'ASC' });
  }

  /** Those that exist, in any order. */
  getMany(ids: readonly string[]): Promise<Channel[]> {
    return this.channels.findBy({ id: In(ids) });
  }

  /**
   * @throws NotFoundError
   */
  get(appId: string, id: string): Promise<Channel> {
    return findOrThrow(this.channels, { appId, id });
  }

  /**
   * Reads a channel and locks it against changes and deployments until the transaction ends.
   *
   * @throws NotFoundError
   */
  lock(appId: string, id: string): Promise<Channel> {
    return lockOrThrow(this.channels, { appId, id }, 'for_no_key_update');
  }

  /** @throws NotFoundError */
  getByName(appId: string, name: string): Promise<Channel> {
    return findOrThrow(this.channels, { appId, nameLower: nameKey(name) });
  }

  /** @throws ConflictError when the app has a channel of this name, or as many as the server allows */
  create(appId: string, values: CreateChannelDto): Promise<Channel> {
    const protectedAt = values.protected ? new Date() : null;
    return transaction(async () => {
      await this.limits.requireRoom('channelsPerApp', appId, this.channels, { appId });
      const columns = { appId, ...columnsOf(values), protectedAt, ...changedBy() };
      return insertOrThrow(this.channels, columns, violations);
    });
  }

  /**
   * @throws NotFoundError
   * @throws InvalidRequestError for a freeze window that ends before it begins
   * @throws ConflictError when the app has another channel of the new name
   * @throws PreconditionFailedError
   */
  update(appId: string, id: string, changes: UpdateChannelDto, ifMatch?: IfMatch): Promise<Channel> {
    // A channel that is already protected keeps its time.
    const protectedAt = since(changes.protected, 'protected_at');
    const values = { ...columnsOf(changes), protectedAt, comment: changes.comment };
    const where = { appId, id };
    if (Object.values(values).every((value) => value === undefined))
      return changeIfMatch(this.channels, where, ifMatch, () => this.get(appId, id));
    return transaction(() =>
      changeIfMatch(this.channels, where, ifMatch, async () => {
        const before = await this.lock(appId, id);
        const after = await updateOrThrow(this.channels, where, { ...values, ...changedBy() }, violations);
        await this.recordUpdate(before, after, changes.comment ?? null);
        return after;
      }),
    );
  }

  private async recordUpdate(before: Channel, after: Channel, comment: string | null): Promise<void> {
    const changed = changesOf(before, after);
    if (changed === null) return;
    const { appId, id } = after;
    const data = { ...toChannelEventDto(after), ...changed, comment };
    await this.events.record(appChannelUpdated, { appId, objectId: id, channelId: id, data });
  }

  /** Pauses a channel; does nothing if it is paused. @param comment what the user says @throws NotFoundError */
  pause(appId: string, id: string, comment: string | null): Promise<void> {
    return this.setPause(appId, id, true, comment);
  }

  /** Resumes a channel; does nothing if it is not paused. @param comment what the user says @throws NotFoundError */
  resume(appId: string, id: string, comment: string | null): Promise<void> {
    return this.setPause(appId, id, false, comment);
  }

  private setPause(appId: string, id: string, isPaused: boolean, comment: string | null): Promise<void> {
    return transaction(async () => {
      const before = await this.lock(appId, id);
      if ((before.pausedAt !== null) === isPaused) return;
      const pausedAt = isPaused ? () => 'now()' : null;
      const changes = { pausedAt, comment, ...changedBy() };
      const channel = await updateOrThrow(this.channels, { appId, id }, changes);
      const definition = isPaused ? appChannelPaused : appChannelResumed;
      const data = { ...toChannelEventDto(channel), comment };
      await this.events.record(definition, { appId, objectId: id, channelId: id, data });
    });
  }

  /** Deletes a channel with its deployments. @throws NotFoundError @throws PreconditionFailedError */
  delete(appId: string, id: string, ifMatch?: IfMatch): Promise<void> {
    return this.remove({ appId, id }, ifMatch);
  }

  /** As `delete`. */
  deleteByName(appId: string, name: string, ifMatch?: IfMatch): Promise<void> {
    return this.remove({ appId, nameLower: nameKey(name) }, ifMatch);
  }

  private remove(where: FindOptionsWhere<Channel>, ifMatch?: IfMatch): Promise<void> {
    return transaction(() =>
      changeIfMatch(this.channels, where, ifMatch, async () => {
        const channel = await lockOrThrow(this.channels, where);
        await this.deleting.notify(channel);
        await deleteOrThrow(this.channels, { id: channel.id });
      }),
    );
  }

  exists(appId: string, id: string): Promise<boolean> {
    return this.channels.existsBy({ appId, id });
  }
}

/** The columns that creation and change set alike; `undefined` for absent fields. */
function columnsOf({ name, freezeWindows, ...values }: UpdateChannelDto) {
  return {
    ...nameColumns(name),
    expiresAt: values.expiresAt,
    requiredApprovals: values.requiredApprovals === null ? 0 : values.requiredApprovals,
    freezeWindows: freezeWindows === undefined ? undefined : toFreezeWindows(freezeWindows ?? []),
    allowedRefs: values.allowedRefs === null ? [] : values.allowedRefs,
    bundleRetentionCount: values.bundleRetentionCount,
    rollbackLimit: values.rollbackLimit,
  };
}

function changedBy(): Pick<Channel, 'updatedByUserId'> {
  return { updatedByUserId: currentActor()?.userId ?? null };
}

/**
 * The start of a state that a boolean switches: `true` keeps an earlier start, `false` clears it, `undefined` changes
 * nothing.
 */
function since(holds: boolean | undefined, column: string): (() => string) | null | undefined {
  if (holds === undefined) return undefined;
  return holds ? () => `coalesce(${column}, now())` : null;
}
