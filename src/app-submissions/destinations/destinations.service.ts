import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, In, type Repository } from 'typeorm';
import { invalidField, errorOf } from '../../common/errors/app-error.js';
import { Listeners } from '../../common/listeners.js';
import type { Page } from '../../common/pagination/page.js';
import { nameKey } from '../../common/validation/name.decorator.js';
import { deleteOrThrow, findOrThrow, findPage, lockOrThrow, notFound } from '../../database/rows.js';
import { whereNamed } from '../../database/text-filters.js';
import { transaction } from '../../database/transactions/transaction.js';
import { StoreKeysService } from '../store-keys/store-keys.service.js';
import type { ListDestinationsQuery } from './destination.dto.js';
import { Destination, type DestinationPlatform } from './destination.entity.js';
import { DestinationsQueries } from './destinations.queries.js';

/** Names a destination; the id wins. */
export interface DestinationReference {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly platform?: DestinationPlatform | undefined;
}

/** Places in stores that builds go to. */
@Injectable()
export class DestinationsService {
  /** A destination is about to be deleted. */
  readonly deleting = new Listeners<[destination: Destination]>();

  constructor(
    @InjectRepository(Destination) private readonly destinations: Repository<Destination>,
    private readonly queries: DestinationsQueries,
    private readonly keys: StoreKeysService,
  ) {}

  /** The destinations of an app, by name. */
  list(appId: string, query: ListDestinationsQuery): Promise<Page<Destination>> {
    const where = whereNamed<Destination>(whereOf(appId, { platform: query.platform }), query);
    return findPage(this.destinations, where, query, { nameLower: 'ASC' });
  }

  /** All destinations of an app for a platform, by name. */
  ofPlatform(appId: string, platform: DestinationPlatform): Promise<Destination[]> {
    return this.destinations.find({ where: { appId, platform }, order: { nameLower: 'ASC' } });
  }

  /** @throws NotFoundError */
  get(appId: string, id: string): Promise<Destination> {
    return findOrThrow(this.destinations, { appId, id });
  }

  /**
   * The one destination with this name, ignoring case.
   *
   * @param platform absent: any
   * @throws NotFoundError
   * @throws InvalidRequestError when destinations of both platforms have the name
   */
  getByName(appId: string, name: string, platform?: DestinationPlatform): Promise<Destination> {
    return this.find(appId, { name, platform });
  }

  /** Destinations by id, for those that exist; callers have checked that they may see them. */
  async getMany(ids: readonly string[]): Promise<Map<string, Destination>> {
    if (ids.length === 0) return new Map();
    const found = await this.destinations.findBy({ id: In(ids) });
    return new Map(found.map((destination) => [destination.id, destination]));
  }

  /**
   * Locks a destination until the transaction ends: nothing else is submitted to it during that time.
   *
   * @throws NotFoundError
   */
  lock(appId: string, id: string): Promise<Destination> {
    return lockOrThrow(this.destinations, { appId, id }, 'for_no_key_update');
  }

  /** Keeps others from changing or deleting a destination until the transaction ends. @throws NotFoundError */
  lockShared(appId: string, id: string): Promise<Destination> {
    return lockOrThrow(this.destinations, { appId, id }, 'pessimistic_read');
  }

  /**
   * @throws NotFoundError
   * @throws InvalidRequestError when destinations of both platforms have the name
   * @throws ConflictError when submissions to it are open
   */
  delete(appId: string, reference: DestinationReference): Promise<void> {
    return transaction(async () => {
      const { id } = await this.find(appId, reference);
      const destination = await lockOrThrow(this.destinations, { appId, id });
      if (await this.queries.hasOpenSubmissions(id)) throw errorOf('destination_in_use');
      await this.deleting.notify(destination);
      const { googleKeyId, appleKeyFileId } = destination;
      await deleteOrThrow(this.destinations, { appId, id });
      await this.keys.release([googleKeyId, appleKeyFileId].filter((keyId) => keyId !== null));
    });
  }

  /**
   * @throws NotFoundError
   * @throws InvalidRequestError when destinations of both platforms have the name
   */
  async find(appId: string, reference: DestinationReference): Promise<Destination> {
    const [only, ...others] = await this.destinations.find({ where: whereOf(appId, reference), take: 2 });
    if (only === undefined) throw notFound(this.destinations);
    if (others.length === 0) return only;
    throw invalidField('name', 'name is that of several destinations: add platform, or use the id.');
  }
}

function whereOf(appId: string, { id, name, platform }: DestinationReference): FindOptionsWhere<Destination> {
  if (id !== undefined) return { appId, id };
  return {
    appId,
    ...(name === undefined ? {} : { nameLower: nameKey(name) }),
    ...(platform === undefined ? {} : { platform }),
  };
}
