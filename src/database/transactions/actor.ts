import { AsyncLocalStorage } from 'node:async_hooks';

/** Who changes something, and by which request. */
export interface Actor {
  /** `null`: the caller has not signed in. */
  readonly userId: string | null;
  /** Whether an automation acts as the user: the user did not ask for it, and is notified of it. @default false */
  readonly isAutomated?: boolean;
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

/** The actor of the running request; `null` outside of a request. */
export function currentActor(): Actor | null {
  return current.getStore() ?? null;
}

/** The statement that sets the actor of a transaction, for the audit log; `null` outside of a request. */
export function actorStatement(): [sql: string, parameters: unknown[]] | null {
  const actor = current.getStore();
  return actor === undefined
    ? null
    : ["SELECT set_config('slipway.actor', $1, true)", [JSON.stringify(actor)]];
}
