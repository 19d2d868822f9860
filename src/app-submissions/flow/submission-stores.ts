import { Injectable } from '@nestjs/common';
import type { DestinationType } from '../destinations/destination.entity.js';
import type { Store } from './store.js';

/** The stores that Slipway submits to: each registers with it. */
@Injectable()
export class SubmissionStores {
  private readonly stores = new Map<DestinationType, Store>();

  /** Once for each store, before the first submission runs. */
  register(store: Store): void {
    this.stores.set(store.type, store);
  }

  /** @throws Error when submissions to the store do not exist */
  of(type: DestinationType): Store {
    const store = this.stores.get(type);
    if (store === undefined) throw new Error(`Slipway does not submit to ${type}.`);
    return store;
  }
}
