/** Whose work it is. */
export interface Tenant {
  /** See `Accounts`. */
  readonly account: string;
  readonly organization: string;
}

export interface ShareLimits {
  /** Of all accounts together; by default any number. */
  readonly atOnce?: number;
  /** Of one account: less than `atOnce`, so that others are served as well. */
  readonly perAccount: number;
  /** Of one organization; by default as many as of its account. */
  readonly perOrganization?: number;
}

/** One work that waits. */
interface Waiting {
  readonly start: () => void;
  /** By the monotonic clock, in milliseconds. */
  readonly since: number;
}

interface Share {
  running: number;
  /** By organization, the one that was served longest ago first. */
  readonly organizations: Map<string, { running: number; readonly waiting: Waiting[] }>;
}

/** What one account has and waits for. */
export interface ShareUse {
  readonly account: string;
  readonly running: number;
  readonly waiting: number;
  /** Seconds that the oldest work has waited. */
  readonly waitSeconds: number;
}

/**
 * Limits work of tenants. Each account has a share, and within it each organization: work that takes long, or never ends,
 * holds no more than the share of its account. Accounts are served in turns, not in the order of arrival, and so are the
 * organizations of an account.
 */
export class ShareLimit {
  private readonly atOnce: number;
  private readonly perAccount: number;
  private readonly perOrganization: number;
  private running = 0;
  /** By account, the one that was served longest ago first. */
  private readonly shares = new Map<string, Share>();

  constructor({ atOnce = Infinity, perAccount, perOrganization = perAccount }: ShareLimits) {
    if (perAccount >= atOnce) throw new RangeError('One share must not be everything.');
    this.atOnce = atOnce;
    this.perAccount = perAccount;
    this.perOrganization = perOrganization;
  }

  /** Work of an account that has not begun. */
  waitingOf(account: string): number {
    let count = 0;
    for (const { waiting } of this.shares.get(account)?.organizations.values() ?? []) count += waiting.length;
    return count;
  }

  /** Every account that has work here. */
  get uses(): ShareUse[] {
    const now = performance.now();
    return [...this.shares].map(([account, share]) => {
      const since = [...share.organizations.values()].flatMap(({ waiting }) =>
        waiting.map((one) => one.since),
      );
      const oldest = Math.min(now, ...since);
      return { account, running: share.running, waiting: since.length, waitSeconds: (now - oldest) / 1000 };
    });
  }

  /**
   * Does work as soon as there is room.
   *
   * @param tenant whose share it takes
   * @param signal drops the work if it has not begun
   * @throws the reason of the signal, and what `work` throws
   */
  async run<T>(tenant: Tenant, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.begin(tenant, signal);
    try {
      return await work();
    } finally {
      this.end(tenant);
    }
  }

  private begin({ account, organization }: Tenant, signal?: AbortSignal): Promise<void> {
    const share = this.shares.get(account) ?? { running: 0, organizations: new Map() };
    this.shares.set(account, share);
    const own = share.organizations.get(organization) ?? { running: 0, waiting: [] };
    share.organizations.set(organization, own);
    return new Promise((resolve, reject) => {
      const drop = (): void => {
        own.waiting.splice(own.waiting.indexOf(waiting), 1);
        this.forgetIdle({ account, organization });
        reject(signal?.reason as Error);
      };
      const start = (): void => {
        signal?.removeEventListener('abort', drop);
        resolve();
      };
      const waiting = { start, since: performance.now() };
      own.waiting.push(waiting);
      if (signal?.aborted === true) return drop();
      signal?.addEventListener('abort', drop, { once: true });
      this.startNext();
    });
  }

  private end({ account, organization }: Tenant): void {
    const share = this.shares.get(account);
    const own = share?.organizations.get(organization);
    if (share === undefined || own === undefined) return;
    this.running--;
    share.running--;
    own.running--;
    // Behind all others.
    this.shares.delete(account);
    this.shares.set(account, share);
    share.organizations.delete(organization);
    share.organizations.set(organization, own);
    this.forgetIdle({ account, organization });
    this.startNext();
  }

  private forgetIdle({ account, organization }: Tenant): void {
    const share = this.shares.get(account);
    const own = share?.organizations.get(organization);
    if (own !== undefined && own.running === 0 && own.waiting.length === 0)
      share?.organizations.delete(organization);
    if (share?.organizations.size === 0) this.shares.delete(account);
  }

  private startNext(): void {
    for (const share of this.shares.values()) {
      for (const own of share.organizations.values()) {
        if (this.running >= this.atOnce || share.running >= this.perAccount) break;
        if (own.waiting.length === 0 || own.running >= this.perOrganization) continue;
        this.running++;
        share.running++;
        own.running++;
        own.waiting.shift()?.start();
      }
    }
  }
}
