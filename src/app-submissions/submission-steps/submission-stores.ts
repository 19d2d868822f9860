import { Injectable } from '@nestjs/common';
import type { DestinationType } from '../destinations/destination.entity.js';
import { AppStoreConnectStore } from '../stores/app-store-connect/flows/app-store-connect.store.js';
import { GooglePlayStore } from '../stores/google-play/flows/google-play.store.js';
import type { Store } from '../stores/store.js';

/** The stores that Slipway submits to. */
@Injectable()
export class SubmissionStores {
  private readonly stores: ReadonlyMap<DestinationType, Store>;

  constructor(googlePlay: GooglePlayStore, appStoreConnect: AppStoreConnectStore) {
    const stores: readonly Store[] = [googlePlay, appStoreConnect];
    this.stores = new Map(stores.map((store) => [store.type, store]));
  }

  /** @throws Error when submissions to the store do not exist */
  of(type: DestinationType): Store {
    const store = this.stores.get(type);
    if (store === undefined) throw new Error(`Slipway does not submit to ${type}.`);
    return store;
  }
}
