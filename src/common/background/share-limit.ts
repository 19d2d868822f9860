/** How much work runs at once. All numbers are at least 1. */
export interface ShareLimits {
  /** Of all shares together; by default any number. */
  readonly atOnce?: number;
  /** Of one share: less than `atOnce`, so that others are served as well. */
  readonly atOncePerShare: number;
}

interface Share {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Limits work of tenants, each of which has a share: work that takes long, or never ends, holds no more than the share of
 * its tenant. Tenants are served in turns, not in the order of arrival.
 */
export class ShareLimit {
  private readonly atOnce: number;
  private readonly atOncePerShare: number;
  private running = 0;
  /** By the id of the tenant, the one that was served longest ago first. */
  private readonly shares = new Map<string, Share>();

  constructor({ atOnce = Infinity, atOncePerShare }: ShareLimits) {
    if (atOncePerShare >= atOnce) throw new RangeError('One share must not be everything.');
    this.atOnce = atOnce;
    this.atOncePerShare = atOncePerShare;
  }

  /** Work of a tenant that has not begun. */
  waitingOf(tenantId: string): number {
    return this.shares.get(tenantId)?.waiting.length ?? 0;
  }

  /**
   * Does work as soon as there is room.
   *
   * @param tenantId whose share it takes
   * @param signal drops the work if it has not begun
   * @throws the reason of the signal, and what `work` throws
   */
  async run<T>(tenantId: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.begin(tenantId, signal);
    try {
      return await work();
    } finally {
      this.end(tenantId);
    }
  }

  private begin(tenantId: string, signal?: AbortSignal): Promise<void> {
    const share = this.shares.get(tenantId) ?? { running: 0, waiting: [] };
    this.shares.set(tenantId, share);
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal?.removeEventListener('abort', drop);
        resolve();
      };
      const drop = (): void => {
        share.waiting.splice(share.waiting.indexOf(start), 1);
        if (isIdle(share)) this.shares.delete(tenantId);
        reject(signal?.reason as Error);
      };
      share.waiting.push(start);
      if (signal?.aborted === true) return drop();
      signal?.addEventListener('abort', drop, { once: true });
      this.startNext();
    });
  }

  private end(tenantId: string): void {
    const share = this.shares.get(tenantId);
    if (share === undefined) return;
    this.running--;
    share.running--;
    // Behind all others.
    this.shares.delete(tenantId);
    if (!isIdle(share)) this.shares.set(tenantId, share);
    this.startNext();
  }

  private startNext(): void {
    for (const share of this.shares.values()) {
      if (this.running >= this.atOnce) return;
      if (share.waiting.length === 0 || share.running >= this.atOncePerShare) continue;
      this.running++;
      share.running++;
      share.waiting.shift()?.();
    }
  }
}

function isIdle({ running, waiting }: Share): boolean {
  return running === 0 && waiting.length === 0;
}
