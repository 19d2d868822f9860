import { Injectable, Logger } from '@nestjs/common';
import { BackgroundTask } from '../../common/background/background-task.js';
import { makeClaimed } from '../../common/background/claimed-rows.js';
import { RestingLoop } from '../../common/background/resting-loop.js';
import { GeneratedZipsQueries } from './generated-zips.queries.js';
import { GeneratedZipsService } from './generated-zips.service.js';

/** How often it looks for what processes that have ended left undone, and for damaged zips, in milliseconds. */
const LOOKS_EVERY = 30_000;
/** How often it looks whether the variants of a bundle are done. */
const LOOKS_EVERY_WHILE_WAITING = 1000;

/**
 * Makes zips in the background of a server, one at a time. What is to be made stands in the database: nothing is lost with
 * the process, and replicas share the work.
 */
@Injectable()
export class GeneratedZipsWorker extends BackgroundTask {
  private readonly logger = new Logger(GeneratedZipsWorker.name);
  private readonly loop = new RestingLoop(GeneratedZipsWorker.name, (stopping) => this.makeAll(stopping));

  constructor(
    private readonly zips: GeneratedZipsService,
    private readonly queries: GeneratedZipsQueries,
  ) {
    super();
  }

  override start(): Promise<void> {
    this.loop.start();
    return Promise.resolve();
  }

  /** Says that there is something to do. To be called after the transaction that has asked for it. */
  wake(): void {
    this.loop.wake();
  }

  /** Leaves what it is doing to the next process. */
  override stop(): Promise<void> {
    return this.loop.stop();
  }

  private async makeAll(stopping: AbortSignal): Promise<number> {
    await this.queries.requestDamaged();
    await makeClaimed(this.queries, (claimed) => this.zips.make(claimed, stopping), stopping, this.logger);
    return (await this.queries.isAnyWaiting()) ? LOOKS_EVERY_WHILE_WAITING : LOOKS_EVERY;
  }
}
