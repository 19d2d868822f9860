/** Whether the API responds. All clients of a runner share it, so that an outage is one line. */
export class ApiHealth {
  private failures = 0;
  private awaySince = 0;

  constructor(private readonly onChange: (message: string) => void) {}

  failed(reason: string): void {
    this.failures++;
    if (this.failures === 1) this.awaySince = Date.now();
    // One failure is no outage.
    if (this.failures !== 2) return;
    this.onChange(`The API is away: ${reason} Trying again. Builds go on.`);
  }

  responded(): void {
    const wasAway = this.failures >= 2;
    this.failures = 0;
    if (wasAway)
      this.onChange(`The API is back after ${Math.round((Date.now() - this.awaySince) / 1000)} s.`);
  }
}
