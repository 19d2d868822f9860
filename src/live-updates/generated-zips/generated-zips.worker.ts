import { Injectable } from '@nestjs/common';
import { BackgroundLoop } from '../../common/background/background-loop.js';
import { makeClaimed } from '../../common/background/claimed-rows.js';
import { AccountTurns } from '../../common/background/account-turns.js';
import { GeneratedZipsQueries } from './generated-zips.queries.js';
import { GeneratedZipsService } from './generated-zips.service.js';

/** How often it looks for what processes that have ended left undone, and for damaged zips, in milliseconds. */
const LOOKS_EVERY = 30_000;
/** How often it looks for zips that some devices need and that were given up, in milliseconds. */
const LOOKS_FOR_NEEDED_EVERY = 3_600_000;
/** How often it looks whether the variants of a bundle are done. */
const LOOKS_EVERY_WHILE_WAITING = 1000;

/** Makes zips in the background of a server, one at a time. Wake it after the transaction that requests one. */
@Injectable()
export class GeneratedZipsWorker extends BackgroundLoop {
  private readonly turns = new AccountTurns(1);
  private looksForNeededAt = 0;

  constructor(
    private readonly zips: GeneratedZipsService,
    private readonly queries: GeneratedZipsQueries,
  ) {
    super();
  }

  /** Leaves what it is doing to the next process when the server stops. */
  protected override async round(stopping: AbortSignal): Promise<number> {
    await this.queries.requestDamaged();
    await this.requestNeeded();
    await makeClaimed(this.queries, this.turns, stopping, this.logger, (claim) =>
      this.zips.make(claim, stopping),
    );
    return (await this.queries.isAnyWaiting()) ? LOOKS_EVERY_WHILE_WAITING : LOOKS_EVERY;
  }

  private async requestNeeded(): Promise<void> {
    if (performance.now() < this.looksForNeededAt) return;
    await this.queries.requestNeeded();
    this.looksForNeededAt = performance.now() + LOOKS_FOR_NEEDED_EVERY;
  }
}
