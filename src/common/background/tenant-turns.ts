export interface TenantWork {
  readonly organizationId: string;
}

/**
 * Whose turn it is, where a worker does the work of all tenants one after another: a tenant whose turn has ended waits
 * until no other one has work left.
 */
export class TenantTurns {
  /** Claims since the round began, by tenant. */
  private readonly claims = new Map<string, number>();

  /** @param length claims in one turn, at least 1: to pass over the work of others costs reading it */
  constructor(private readonly length: number) {}

  /**
   * Claims the next work.
   *
   * @param claimExcept claims work, but none of these tenants
   * @returns `null` when none is left
   */
  async claim<Work extends TenantWork>(
    claimExcept: (organizationIds: readonly string[]) => Promise<Work | null>,
  ): Promise<Work | null> {
    const over = [...this.claims].filter(([, count]) => count >= this.length).map(([id]) => id);
    let work = await claimExcept(over);
    if (work === null) {
      this.claims.clear();
      if (over.length > 0) work = await claimExcept([]);
    }
    if (work !== null) this.claims.set(work.organizationId, (this.claims.get(work.organizationId) ?? 0) + 1);
    return work;
  }
}
