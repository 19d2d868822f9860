import { Injectable } from '@nestjs/common';
import { ServerBusyError } from '../errors/app-error.js';
import { Accounts } from './accounts.js';
import { type ProcessLimit, processLimits, type SharedCapacity } from './shared-capacity.js';
import { ShareLimit, type ShareUse } from './share-limit.js';

/** How work waits for its turn, where it differs from the table. */
export interface Patience {
  /** Drops the work when it is aborted before the work has begun. */
  readonly signal?: AbortSignal;
  /** Instead of `longestWait` of the table. */
  readonly seconds?: number;
  /** Instead of `mayWait` of the table. */
  readonly mayWait?: number;
}

/** Divides what one process has for all tenants, as docs/capacity.md lists it. */
@Injectable()
export class Limits {
  private readonly limits = new Map<ProcessLimit, ShareLimit>();
  /** Works that ended without a turn, since the start of the process. */
  readonly refusals = new Map<ProcessLimit, number>();

  constructor(private readonly accounts: Accounts) {
    for (const [name, { atOnce, ...shares }] of Object.entries<SharedCapacity>(processLimits)) {
      this.limits.set(name as ProcessLimit, new ShareLimit({ ...shares, atOnce: atOnce ?? Infinity }));
      this.refusals.set(name as ProcessLimit, 0);
    }
  }

  /**
   * Does work of a tenant when its turn has come.
   *
   * @param tenantId the id of an organization, or another name for work that belongs to none
   * @throws ServerBusyError when as much waits as may, or the turn does not come in time
   * @throws unknown the reason of the signal, and what `work` throws
   */
  async run<T>(
    name: ProcessLimit,
    tenantId: string,
    work: () => Promise<T>,
    patience: Patience = {},
  ): Promise<T> {
    const table: SharedCapacity = processLimits[name];
    const { signal, seconds = table.longestWait, mayWait = table.mayWait ?? Infinity } = patience;
    const limit = this.of(name);
    const account = await this.accounts.of(tenantId);
    if (limit.waitingOf(account) >= mayWait) throw this.refusal(name);
    const late = new AbortController();
    const end = setTimeout(() => late.abort(this.refusal(name)), seconds * 1000);
    const begin = (): Promise<T> => {
      clearTimeout(end);
      return work();
    };
    const dropped = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
    const tenant = { account, organization: tenantId };
    return limit.run(tenant, begin, dropped).finally(() => clearTimeout(end));
  }

  /** Accounts that have work at each limit. */
  uses(): { readonly name: ProcessLimit; readonly uses: readonly ShareUse[] }[] {
    return [...this.limits].map(([name, limit]) => ({ name, uses: limit.uses }));
  }

  private of(name: ProcessLimit): ShareLimit {
    const limit = this.limits.get(name);
    if (limit === undefined) throw new RangeError(`There is no limit ${name}.`);
    return limit;
  }

  private refusal(name: ProcessLimit): ServerBusyError {
    this.refusals.set(name, (this.refusals.get(name) ?? 0) + 1);
    return new ServerBusyError();
  }
}
