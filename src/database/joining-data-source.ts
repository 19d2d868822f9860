import { AsyncLocalStorage } from 'node:async_hooks';
import { DataSource, type QueryRunner, type ReplicationMode } from 'typeorm';

/** The running transaction of a request; none when it has ended. */
interface Joined {
  runner: QueryRunner | null;
}

const current = new AsyncLocalStorage<Joined>();

/**
 * A data source whose statements join the running transaction of the request that they are made for, whichever
 * repository they go through: see `requestTransaction`. Everything that wants a connection asks `createQueryRunner`.
 */
export class JoiningDataSource extends DataSource {
  override createQueryRunner(mode: ReplicationMode = 'master'): QueryRunner {
    const runner = current.getStore()?.runner;
    return runner ? lent(runner) : super.createQueryRunner(mode);
  }
}

/** Whether statements made here join a transaction. */
export function isJoined(): boolean {
  return current.getStore()?.runner != null;
}

/** Lets all statements of `work` join the transaction that `runner` has begun. */
export async function joining<R>(runner: QueryRunner, work: () => Promise<R>): Promise<R> {
  const joined: Joined = { runner };
  try {
    return await current.run(joined, work);
  } finally {
    // What `work` may have left running must not use a connection that belongs to others by then.
    joined.runner = null;
  }
}

/** Does what does not belong to the request that it happens to be started by: its statements join no transaction. */
export function apartFromRequest<R>(work: () => R): R {
  return current.exit(work);
}

/** Runs reads at once, each on a connection of its own; one after the other where they join one transaction. */
export async function togetherOrInOrder<R extends unknown[]>(
  ...reads: { [I in keyof R]: () => Promise<R[I]> }
): Promise<R> {
  if (!isJoined()) return Promise.all(reads.map((read) => read())) as Promise<R>;
  const results: unknown[] = [];
  for (const read of reads) results.push(await read());
  return results as R;
}

/** The runner for somebody who will release it: that is left to its owner. */
function lent(runner: QueryRunner): QueryRunner {
  return new Proxy(runner, {
    get: (target, key) => (key === 'release' ? keep : (Reflect.get(target, key, target) as unknown)),
  });
}

const keep = (): Promise<void> => Promise.resolve();
