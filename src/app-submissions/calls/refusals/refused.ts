import { type Refusal, StoreRefusal } from './refusal.js';

/** What Slipway refuses itself, before the store would. */
export function refused(code: string, sentence: string, more: Partial<Refusal> = {}): StoreRefusal {
  return new StoreRefusal({ code, sentence, retry: 'never', ...more }, 0, null);
}

/** The words of a store, for the log. @param store its name */
export function quoteOf(store: string, { storeMessage }: StoreRefusal): string[] {
  return storeMessage === null ? [] : [`${store} says: ${storeMessage}`];
}

export function destinationChanged(what: string): StoreRefusal {
  return refused(
    'destination_changed',
    `The ${what} of the destination was changed or removed while the submission ran. Submit again.`,
  );
}

/** @param kind of the key, such as `API key of App Store Connect` */
export function keyIsGone(kind: string): StoreRefusal {
  return refused(
    'store_key_gone',
    `The destination has no usable ${kind} any more. Upload one, set it at the destination and submit again.`,
    { retry: 'after-action' },
  );
}
