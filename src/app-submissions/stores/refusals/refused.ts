import { type Refusal, StoreRefusal } from './refusal.js';

/** What Slipway refuses itself, before the store would. */
export function refused(code: string, sentence: string, more: Partial<Refusal> = {}): StoreRefusal {
  return new StoreRefusal({ code, sentence, retry: 'never', ...more }, 0, null);
}

/** The words of a store, for the log. @param store its name */
export function quoteOf(store: string, { storeMessage }: StoreRefusal): string[] {
  return storeMessage === null ? [] : [`${store} says: ${storeMessage}`];
}
