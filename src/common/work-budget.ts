/** A file takes more work to read than any that is meant to be read. The message follows a path or “file” and a colon. */
export class TooMuchWorkError extends Error {
  constructor() {
    super('reading it takes too much work');
    this.name = new.target.name;
  }
}

/**
 * How much work reading one file may take: each step costs the bytes that it looks at. In hostile files, a few bytes lead to the
 * same thousands of bytes again and again, so that neither the size of the file nor the number of steps is a limit.
 */
export class WorkBudget {
  private done = 0;

  constructor(private readonly limit: number) {}

  /** What all steps together have cost. */
  get spent(): number {
    return this.done;
  }

  /**
   * Before each step.
   *
   * @param cost in bytes, at least 1
   * @throws TooMuchWorkError when nothing is left
   */
  spend(cost: number): void {
    this.done += cost;
    if (this.done > this.limit) throw new TooMuchWorkError();
  }
}
