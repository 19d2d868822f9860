import { Injectable } from '@nestjs/common';

/** What this process can serve while the database is not available. Areas register; readiness asks. */
@Injectable()
export class Fallbacks {
  private readonly fallbacks: (() => boolean)[] = [];

  /** @param isUsable whether something can be served now without the database */
  register(isUsable: () => boolean): void {
    this.fallbacks.push(isUsable);
  }

  /** Whether anything can be served now without the database. */
  get areUsable(): boolean {
    return this.fallbacks.some((isUsable) => isUsable());
  }
}
