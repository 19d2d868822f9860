import { Injectable, Logger } from '@nestjs/common';
import { unavailableReason } from '../../database/outages/unavailable.js';
import { EVENTS } from '../../database/change-signals.js';
import { postgresErrorOf } from '../../database/postgres-error.js';
import { savepoint, transaction } from '../../database/transactions/transaction.js';
import { type DispatchedEvent, EventLogQueries, type WaitingEvent } from '../../events/event-log.queries.js';
import { DispatchedEvents } from './dispatched-events.js';
import { signalPayload } from './signal-payload.js';

/** Events that get their positions in one transaction, at most. */
export const BATCH = 500;
/** Events of one organization from which it fills a batch. */
const CROWD = BATCH / 4;

/** SQLSTATE: a deadlock, a lock or a time limit: the same may work the next time. */
const TRANSIENT = /^(40...|55P03|57014)$/;

/** What a batch has come to. */
export interface DispatchResult {
  /** Another server dispatches now. */
  readonly isTaken: boolean;
  /** Events that got their positions. */
  readonly dispatched: number;
  /** Events that were found. */
  readonly found: number;
  /** Organizations and apps that are locked, such as by their deletion: their events wait. */
  readonly locked: readonly string[];
  /** Organizations that have filled the batch: there may be many more events of them before those of others. */
  readonly crowding: readonly string[];
  /** Events that nothing follows, because their listeners fail. */
  readonly skipped: number;
}

/** Gives events their positions, with what follows them. */
@Injectable()
export class DispatchService {
  private readonly logger = new Logger(DispatchService.name);

  constructor(
    private readonly queries: EventLogQueries,
    private readonly events: DispatchedEvents,
  ) {}

  /**
   * One transaction: positions, what listeners write, and the signal.
   *
   * @param exceptOf organizations and apps whose events wait
   * @param alone whether listeners get the events one by one, and those that fail are skipped
   */
  dispatch(exceptOf: readonly string[], alone: boolean): Promise<DispatchResult> {
    return transaction(async () => {
      const nothing = { isTaken: false, dispatched: 0, found: 0, locked: [], crowding: [], skipped: 0 };
      if (!(await this.queries.tryLock())) return { ...nothing, isTaken: true };
      const waiting = await this.queries.findWaiting(BATCH, exceptOf);
      if (waiting.length === 0) return nothing;
      const owners = ownersOf(waiting);
      const kept = await this.queries.keepOwners(owners.organizationIds, owners.appIds);
      const ids = waiting.filter((event) => isKept(event, kept)).map(({ id }) => id);
      const locked = [...owners.organizationIds, ...owners.appIds].filter((id) => !kept.has(id));
      const numbered = ids.length === 0 ? [] : await this.queries.number(ids);
      const skipped = alone ? await this.notifyOfEach(numbered) : await this.notifyOfAll(numbered);
      if (numbered.length > 0) {
        await this.queries.announce(EVENTS, signalPayload(numbered.map((event) => event.organizationId)));
      }
      const found = waiting.length;
      const crowding = crowdingIn(waiting);
      return { isTaken: false, dispatched: numbered.length, found, locked, crowding, skipped };
    });
  }

  private async notifyOfAll(events: readonly DispatchedEvent[]): Promise<number> {
    if (events.length > 0) await this.events.numbered.notify(events);
    return 0;
  }

  /** @returns how many events were skipped */
  private async notifyOfEach(events: readonly DispatchedEvent[]): Promise<number> {
    let skipped = 0;
    for (const event of events) {
      try {
        await savepoint(() => this.events.numbered.notify([event]));
      } catch (err) {
        if (isTransient(err)) throw err;
        skipped++;
        const { id, type, organizationId } = event;
        this.logger.error(
          { err, event: { id, type, organizationId } },
          'Nothing follows an event: it failed',
        );
      }
    }
    return skipped;
  }
}

/** Whether the same may work the next time. */
function isTransient(error: unknown): boolean {
  return unavailableReason(error) !== null || TRANSIENT.test(postgresErrorOf(error).code ?? '');
}

function ownersOf(events: readonly WaitingEvent[]): { organizationIds: string[]; appIds: string[] } {
  const organizationIds = new Set(events.map(({ organizationId }) => organizationId));
  const appIds = new Set(events.flatMap(({ appId }) => appId ?? []));
  return { organizationIds: [...organizationIds], appIds: [...appIds] };
}

function crowdingIn(events: readonly WaitingEvent[]): string[] {
  const counts = new Map<string, number>();
  for (const { organizationId } of events) counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= CROWD).map(([organizationId]) => organizationId);
}

function isKept({ organizationId, appId }: WaitingEvent, kept: ReadonlySet<string>): boolean {
  return kept.has(organizationId) && (appId === null || kept.has(appId));
}
