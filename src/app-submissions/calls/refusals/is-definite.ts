import type { StoreRefusal } from './refusal.js';

/** Whether a store has said no to a write, or it was not sent: nothing has changed. */
export function isDefinite({ status, refusal }: StoreRefusal): boolean {
  return (status >= 400 && status < 500 && status !== 408) || refusal.does === 'wait-for-quota';
}
