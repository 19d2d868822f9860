import { AsyncLocalStorage } from 'node:async_hooks';
import type { EntityManager } from 'typeorm';

/** Who changes something, and by which request. */
export interface Actor {
  /** `null`: nobody has signed in. */
  readonly userId: string | null;
  /** Id of the API token, or of the session. */
  readonly tokenId: string | null;
  /** Whether `tokenId` is that of a session. */
  readonly session: boolean;
  /** IPv4 or IPv6; `null`: unknown. */
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly requestId: string;
  /** Such as `Channels_pause`. */
  readonly operation: string;
}

const current = new AsyncLocalStorage<Actor>();

/** Runs the work of a request; the transactions in it know who asked for it. */
export function actingAs<R>(actor: Actor, work: () => R): R {
  return current.run(actor, work);
}

/** Who asked for what is running; `null` outside of a request. */
export function currentActor(): Actor | null {
  return current.getStore() ?? null;
}

/** Tells a transaction that has just begun who its actor is; outside of a request, nobody. */
export async function stateActor(tx: EntityManager): Promise<void> {
  const actor = current.getStore();
  if (actor === undefined) return;
  await tx.query(`SELECT set_config('slipway.actor', $1, true)`, [JSON.stringify(actor)]);
}
