import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, In, type Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { errorOf, invalidField, NotFoundError } from '../../common/errors/app-error.js';
import { toFreezeWindows } from '../../common/freezes/freeze-window.dto.js';
import { Listeners } from '../../common/listeners.js';
import type { Page } from '../../common/pagination/page.js';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { nameColumns, nameKey } from '../../common/validation/name.decorator.js';
import { CountLimits } from '../../database/count-limits.js';
import {
  deleteOrThrow,
  findOrThrow,
  findPage,
  insertOrThrow,
  lockOrThrow,
  notFound,
  updateOrThrow,
} from '../../database/rows.js';
import { whereNamed } from '../../database/text-filters.js';
import { currentActor } from '../../database/transactions/actor.js';
import { transaction } from '../../database/transactions/transaction.js';
import { StoreKeysService } from '../store-keys/store-keys.service.js';
import type {
  CreateDestinationDto,
  DestinationFieldsDto,
  UpdateDestinationDto,
} from './create-destination.dto.js';
import type { ListDestinationsQuery } from './destination.dto.js';
import {
  Destination,
  DESTINATIONS_NAME_KEY,
  type DestinationPlatform,
  type DestinationType,
} from './destination.entity.js';

/** Names a destination; the id wins. */
export interface DestinationReference {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly platform?: DestinationPlatform | undefined;
}

/** Places in stores that builds go to. */
@Injectable()
export class DestinationsService {
  /** A destination is about to be deleted, which is locked. A listener can refuse that. */
  readonly deleting = new Listeners<[destination: Destination]>();

  constructor(
    @InjectRepository(Destination) private readonly destinations: Repository<Destination>,
    private readonly keys: StoreKeysService,
    private readonly box: SecretBox,
    private readonly limits: CountLimits,
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
   * @throws InvalidRequestError when the store takes no builds of the platform, or a freeze window ends before it begins
   * @throws NotFoundError when the app has no such key
   * @throws ConflictError when the app has a destination of this name, or as many as the server allows
   */
  create(appId: string, values: CreateDestinationDto): Promise<Destination> {
    const type = typeOf(values);
    return transaction(async () => {
      await this.requireKeys(appId, values);
      await this.limits.requireRoom('destinationsPerApp', appId, this.destinations, { appId });
      const id = uuid();
      const userId = currentActor()?.userId ?? null;
      const row = {
        ...columnsOf(values),
        ...this.seal(id, values),
        ...nameColumns(values.name),
        id,
        appId,
        platform: values.platform,
        type,
        createdByUserId: userId,
        updatedByUserId: userId,
      };
      return insertOrThrow(this.destinations, row, violations);
    });
  }

  /**
   * @throws InvalidRequestError when the request changes platform or type, or a freeze window ends before it begins
   * @throws NotFoundError when the app has no such destination, or no such key
   * @throws ConflictError when the app has another destination of the new name
   */
  update(appId: string, id: string, changes: UpdateDestinationDto): Promise<Destination> {
    return transaction(async () => {
      const present = await lockOrThrow(this.destinations, { appId, id }, 'for_no_key_update');
      for (const field of ['platform', 'type'] as const) {
        const value = changes[field];
        if (value !== undefined && value !== present[field])
          throw invalidField(field, `${field} cannot be changed: create another destination.`);
      }
      await this.requireKeys(appId, changes);
      const row = {
        ...columnsOf(changes),
        ...this.seal(id, changes),
        ...nameColumns(changes.name),
        updatedByUserId: currentActor()?.userId ?? null,
      };
      const changed = await updateOrThrow(this.destinations, { appId, id }, row, violations);
      const used = [changed.googleKeyId, changed.appleKeyFileId];
      const isReleased = (keyId: string | null): keyId is string => keyId !== null && !used.includes(keyId);
      await this.keys.release([present.googleKeyId, present.appleKeyFileId].filter(isReleased));
      return changed;
    });
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

  private async requireKeys(appId: string, fields: DestinationFieldsDto): Promise<void> {
    const { appGoogleServiceAccountKeyId: google, appAppleApiKeyId: apple } = fields;
    if (google != null) await this.keys.require(appId, 'google-service-account', google);
    if (apple != null) await this.keys.require(appId, 'apple-api-key', apple);
  }

  /** The columns of secrets; `undefined` for absent ones. */
  private seal(id: string, { appleAppPassword, huaweiClientSecret }: DestinationFieldsDto) {
    const sealed = (secret: string | null | undefined): string | null | undefined =>
      typeof secret === 'string' ? this.box.seal(secret, `destinations:${id}`) : secret;
    return {
      ...(appleAppPassword !== undefined && { sealedAppleAppPassword: sealed(appleAppPassword) }),
      ...(huaweiClientSecret !== undefined && { sealedHuaweiClientSecret: sealed(huaweiClientSecret) }),
    };
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

/** The stores that take builds of a platform; the first one is the default. */
const typesOfPlatforms: Readonly<Record<DestinationPlatform, readonly DestinationType[]>> = {
  android: ['google-play', 'firebase-app-distribution', 'huawei-appgallery'],
  ios: ['apple-app-store-connect', 'firebase-app-distribution'],
};

/** The store of a new destination. @throws InvalidRequestError when the store takes no builds of the platform */
export function typeOf({ platform, type }: CreateDestinationDto): DestinationType {
  const types = typesOfPlatforms[platform];
  const chosen = type ?? types[0];
  if (chosen !== undefined && types.includes(chosen)) return chosen;
  throw invalidField('type', `type must be one of ${types.join(', ')} for the platform ${platform}.`);
}

/** The key was deleted between its check and the statement. */
const keyIsGone = (): NotFoundError => new NotFoundError('Store key');

/** What a violated constraint means. */
const violations = {
  [DESTINATIONS_NAME_KEY]: () => errorOf('destination_name_taken'),
  destinations_google_key_id_fkey: keyIsGone,
  destinations_apple_key_file_id_fkey: keyIsGone,
};

/**
 * The columns of the fields of a request, but for secrets; `undefined` for absent ones.
 *
 * @throws InvalidRequestError for a freeze window that ends before it begins
 */
export function columnsOf(fields: DestinationFieldsDto): Partial<Destination> {
  const columns = {
    defaultLanguage: fields.defaultLanguage,
    androidPackageName: fields.androidPackageName,
    androidBuildArtifactType: orDefault(fields.androidBuildArtifactType, 'aab'),
    androidReleaseStatus: orDefault(fields.androidReleaseStatus, 'draft'),
    googlePlayTrack: fields.googlePlayTrack,
    googleKeyId: fields.appGoogleServiceAccountKeyId,
    appleTeamId: fields.appleTeamId,
    appleId: fields.appleId,
    appleAppId: fields.appleAppId,
    appleKeyFileId: fields.appAppleApiKeyId,
    appleApiKeyId: fields.appleApiKeyId,
    appleIssuerId: fields.appleIssuerId,
    appleBetaGroups: orDefault(fields.appleBetaGroups, []),
    appleSubmitForReview: orDefault(fields.appleSubmitForReview, false),
    appleRejectIfPossible: orDefault(fields.appleRejectIfPossible, false),
    appleReleaseType: fields.appleReleaseType,
    applePhasedRelease: orDefault(fields.applePhasedRelease, false),
    appleUsesNonExemptEncryption: fields.appleUsesNonExemptEncryption,
    firebaseAppId: fields.firebaseAppId,
    firebaseTesterGroups: orDefault(fields.firebaseTesterGroups, []),
    huaweiAppId: fields.huaweiAppId,
    huaweiClientId: fields.huaweiClientId,
    requiredApprovals: orDefault(fields.requiredApprovals, 0),
    allowedRefs: orDefault(fields.allowedRefs, []),
    freezeWindows:
      fields.freezeWindows === undefined ? undefined : toFreezeWindows(fields.freezeWindows ?? []),
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

function orDefault<T>(value: T | null | undefined, byDefault: T): T | undefined {
  return value === null ? byDefault : value;
}
