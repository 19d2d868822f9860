import { READ_ONLY } from './unavailable.js';

/** SQLSTATE `disk_full`. */
const DISK_FULL = '53100';
/** Milliseconds after which a refused write says nothing about the next one. Background work writes every few seconds. */
const REMEMBERED_FOR = 15_000;

let last: { readonly reason: string; readonly at: number } | null = null;

/** To be called with the reason of each failure. @param reason as of `unavailableReason` */
export function noteFailure(reason: string | null): void {
  if (reason === DISK_FULL || reason === READ_ONLY) last = { reason, at: performance.now() };
}

/** Why PostgreSQL has refused a write a moment ago: its disk is full, or it is read-only. `null`: it has not. */
export function refusedWrite(): string | null {
  return last !== null && performance.now() - last.at < REMEMBERED_FOR ? last.reason : null;
}
