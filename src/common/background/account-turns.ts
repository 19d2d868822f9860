export interface AccountWork {
  /** See `Accounts`. */
  readonly account: string;
}

/**
 * Whose turn it is, where a worker does the work of all accounts one after another: an account whose turn has ended waits
 * until no other one has work left.
 */
export class AccountTurns {
  /** Claims since the round began, by account. */
  private readonly claims = new Map<string, number>();

  /** @param length claims in one turn, at least 1: to pass over the work of others costs reading it */
  constructor(private readonly length: number) {}

  /**
   * Claims the next work.
   *
   * @param claimExcept claims work, but none of these accounts
   * @returns `null` when none is left
   */
  async claim<Work extends AccountWork>(
    claimExcept: (accounts: readonly string[]) => Promise<Work | null>,
  ): Promise<Work | null> {
    const over = [...this.claims].filter(([, count]) => count >= this.length).map(([id]) => id);
    let work = await claimExcept(over);
    if (work === null) {
      this.claims.clear();
      if (over.length > 0) work = await claimExcept([]);
    }
    if (work !== null) this.claims.set(work.account, (this.claims.get(work.account) ?? 0) + 1);
    return work;
  }
}
