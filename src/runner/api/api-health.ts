/** Whether the API responds. All clients of a runner share it, so that an outage is one line. */
export class ApiHealth {
  private awaySince: number | null = null;

  constructor(private readonly onChange: (message: string) => void) {}

  failed(reason: string): void {
    if (this.awaySince !== null) return;
    this.awaySince = Date.now();
    this.onChange(`The API is away: ${reason} Trying again. Builds go on.`);
  }

  responded(): void {
    if (this.awaySince === null) return;
    const seconds = Math.round((Date.now() - this.awaySince) / 1000);
    this.awaySince = null;
    this.onChange(`The API is back after ${seconds} s.`);
  }
}
