import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Not, type Repository } from 'typeorm';
import { AppAccessService } from '../../apps/app-access/app-access.service.js';
import type { Principal } from '../../common/access/principal.js';
import { databaseNow } from '../../common/database-clock.js';
import { ForbiddenError } from '../../common/errors/app-error.js';
import { isGoverned, setsGovernance } from '../../common/freezes/governance.js';
import { nameKey } from '../../common/validation/name.decorator.js';
import type { CreateDestinationDto, UpdateDestinationDto } from './create-destination.dto.js';
import { Destination } from './destination.entity.js';
import { columnsOf, type DestinationReference, DestinationsService, typeOf } from './destinations.service.js';

/**
 * Prevents users whom approvals, freezes and allowed branches restrict from bypassing them: by changing them, by letting a destination that
 * has them lead elsewhere, or by another destination that leads to the same place.
 */
@Injectable()
export class DestinationGovernanceService {
  constructor(
    @InjectRepository(Destination) private readonly repository: Repository<Destination>,
    private readonly destinations: DestinationsService,
    private readonly access: AppAccessService,
  ) {}

  /**
   * @throws ForbiddenError when the destination requires `channels:govern`, which the caller lacks
   * @throws InvalidRequestError when the store takes no builds of the platform
   */
  async authorizeCreation(caller: Principal, appId: string, values: CreateDestinationDto): Promise<void> {
    if (setsGovernance(values)) return this.require(caller, appId);
    const place = {
      androidPackageName: null,
      googlePlayTrack: null,
      appleAppId: null,
      appleSubmitForReview: false,
      ...columnsOf(values),
      type: typeOf(values),
    };
    await this.requireFreePlace(caller, appId, place);
  }

  /** As `authorizeCreation`, for a change. @throws NotFoundError */
  async authorizeChange(
    caller: Principal,
    appId: string,
    id: string,
    changes: UpdateDestinationDto,
  ): Promise<void> {
    // Locked, so that no limit comes between this check and the change, which is in the same transaction.
    const present = await this.destinations.lock(appId, id);
    if (setsGovernance(changes)) return this.require(caller, appId);
    const { name } = changes;
    const after = { ...present, ...columnsOf(changes) };
    const isMoved = hasMoved(present, after);
    const isRenamed = name !== undefined && nameKey(name) !== present.nameLower;
    if ((isMoved || isRenamed) && isGoverned(present, databaseNow())) return this.require(caller, appId);
    if (isMoved) await this.requireFreePlace(caller, appId, after, id);
  }

  /** As `authorizeCreation`, for the deletion of a destination. @throws NotFoundError */
  async authorizeDeletion(caller: Principal, appId: string, reference: DestinationReference): Promise<void> {
    const { id } = await this.destinations.find(appId, reference);
    const destination = await this.destinations.lock(appId, id);
    if (isGoverned(destination, databaseNow())) await this.require(caller, appId);
  }

  /** @param exceptId the destination that goes there */
  private async requireFreePlace(
    caller: Principal,
    appId: string,
    place: DestinationPlace,
    exceptId?: string,
  ): Promise<void> {
    const others = await this.repository.findBy({
      appId,
      type: place.type,
      ...(exceptId === undefined ? {} : { id: Not(exceptId) }),
    });
    const now = databaseNow();
    const governed = others.find((other) => isGoverned(other, now) && covers(place, other));
    if (governed === undefined) return;
    try {
      await this.require(caller, appId);
    } catch (error) {
      if (!(error instanceof ForbiddenError) || error.code !== 'not_authorized') throw error;
      throw new ForbiddenError(
        `The destination ${governed.name} leads to the same place, and has approvals, a freeze or allowed branches: use it, or let an owner or an admin make another one.`,
      );
    }
  }

  private async require(caller: Principal, appId: string): Promise<void> {
    await this.access.require(caller, appId, 'channels:govern');
  }
}

/** What decides where in a store the builds of a destination arrive. */
export type DestinationPlace = Pick<
  Destination,
  'type' | 'androidPackageName' | 'googlePlayTrack' | 'appleAppId' | 'appleSubmitForReview'
>;

/**
 * Whether builds of both arrive at the same place: a track of an app in Google Play, or TestFlight or the App Store for an app
 * of App Store Connect. A destination without `appleAppId` is for any app. Keys do not matter: a store knows a package or a
 * bundle id once, with whatever key.
 */
export function leadToSamePlace(one: DestinationPlace, other: DestinationPlace): boolean {
  if (one.type !== other.type) return false;
  switch (one.type) {
    case 'google-play':
      return (
        one.androidPackageName === other.androidPackageName &&
        // Whether Google compares the case of names is not documented.
        one.googlePlayTrack?.toLowerCase() === other.googlePlayTrack?.toLowerCase()
      );
    case 'apple-app-store-connect':
      return (
        one.appleSubmitForReview === other.appleSubmitForReview &&
        (one.appleAppId === null || other.appleAppId === null || one.appleAppId === other.appleAppId)
      );
    // Nothing is submitted there yet.
    case 'firebase-app-distribution':
    case 'huawei-appgallery':
      return false;
  }
}

/**
 * Whether builds of a destination arrive at the place of another one, maybe on their way: those for the App Store are in
 * TestFlight before, and in its groups.
 */
export function covers(one: DestinationPlace, other: DestinationPlace): boolean {
  return leadToSamePlace(one, other) || leadToSamePlace({ ...one, appleSubmitForReview: false }, other);
}

/** Whether a change lets a destination lead elsewhere, or to more apps. */
export function hasMoved(before: DestinationPlace, after: DestinationPlace): boolean {
  return !leadToSamePlace(before, after) || before.appleAppId !== after.appleAppId;
}
