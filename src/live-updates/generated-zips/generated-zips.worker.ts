import { Injectable, Logger } from '@nestjs/common';
import { makeClaimed } from '../../common/background/claimed-rows.js';
import { RestingLoop } from '../../common/background/resting-loop.js';
import { GeneratedZipsQueries } from './generated-zips.queries.js';
import { GeneratedZipsService } from './generated-zips.service.js';

/** How often it looks for what processes that have ended left undone, and for damaged zips, in milliseconds. */
const LOOKS_EVERY = 30_000;
/** How often it looks whether the variants of a bundle are done. */
const LOOKS_EVERY_WHILE_WAITING = 1000;

/** Makes zips in the background of a server, one at a time. Wake it after the transaction that requests one. */
@Injectable()
export class GeneratedZipsWorker extends RestingLoop {
  constructor(queries: GeneratedZipsQueries, zips: GeneratedZipsService) {
    const logger = new Logger(GeneratedZipsWorker.name);
    super(GeneratedZipsWorker.name, async (stopping) => {
      await queries.requestDamaged();
      await makeClaimed(queries, stopping, logger, (claim) => zips.make(claim, stopping));
      return (await queries.isAnyWaiting()) ? LOOKS_EVERY_WHILE_WAITING : LOOKS_EVERY;
    });
  }
}
