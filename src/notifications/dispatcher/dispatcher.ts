import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BackgroundLoop } from '../../common/background/background-loop.js';
import { unavailableReason } from '../../database/outages/unavailable.js';
import { EventsService } from '../../events/events.service.js';
import { BATCH, DispatchService } from './dispatch.service.js';

/** How long it rests unless a transaction of this server has recorded events, in milliseconds. */
const REST = 2000;
/** The same while another server dispatches, or events wait for a lock, and after a failure. */
const SHORT_REST = 200;
const REST_AFTER_FAILURE = 1000;
/** Milliseconds in which the events of several transactions come together. */
const GATHERED_FOR = 20;
/** Failures in a row after which listeners get the events one by one. */
const FAILURES = 3;

/**
 * Gives committed events their positions, on one of all servers at a time: after transactions of this server, and every
 * two seconds. Events of one object keep their order, because the row of the object is locked before each is recorded: the
 * older one is committed before the younger one exists. An event whose transaction takes long gets a later position than
 * its serial suggests, so that no position appears below one that a reader has seen. See ADR 56.
 */
@Injectable()
export class Dispatcher extends BackgroundLoop implements OnModuleInit {
  /** Events that got their positions here. */
  dispatched = 0;
  /** Events that nothing follows, because what follows them failed. */
  skipped = 0;
  private failures = 0;

  constructor(
    private readonly events: EventsService,
    private readonly service: DispatchService,
  ) {
    super();
  }

  onModuleInit(): void {
    this.events.whenRecorded(() => this.wake());
  }

  protected override async round(stopping: AbortSignal): Promise<number> {
    await sleep(GATHERED_FOR, undefined, { signal: stopping }).catch(() => undefined);
    try {
      return await this.dispatchAll(stopping);
    } catch (err) {
      this.failures++;
      const reason = unavailableReason(err);
      if (reason === null) this.logger.warn({ err }, 'Events could not be dispatched; they are tried again');
      else this.logger.debug({ reason }, 'Events wait for the database');
      return REST_AFTER_FAILURE;
    }
  }

  private async dispatchAll(stopping: AbortSignal): Promise<number> {
    const locked: string[] = [];
    // Organizations with very many events let those of all others pass between their batches.
    let crowding: readonly string[] = [];
    while (!stopping.aborted) {
      const result = await this.service.dispatch([...locked, ...crowding], this.failures >= FAILURES);
      if (result.isTaken) return SHORT_REST;
      this.failures = 0;
      this.dispatched += result.dispatched;
      this.skipped += result.skipped;
      locked.push(...result.locked);
      const isFull = result.found === BATCH;
      if (!isFull && crowding.length === 0) break;
      crowding = isFull && result.crowding.length > 0 ? [...crowding, ...result.crowding] : [];
    }
    return locked.length > 0 ? SHORT_REST : REST;
  }
}
