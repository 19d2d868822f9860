import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../../common/database-clock.js';
import { DeliveryAttempts, type OpenRun } from './delivery-attempts.service.js';
import { DeliveryRunsQueries, type PendingDelivery } from './delivery-runs.queries.js';
import { ObjectsAsideQueries } from './objects-aside.queries.js';
import { ReceiverRests } from './receiver-rests.service.js';
import type { ReceiverState } from './receiver-state.js';
import { failingFrom } from './retry-schedule.js';
import { END, type Following } from './run.js';

/** Events that are sent to find out whether a receiver works. */
const MAX_PROBES = 3;

/** Milliseconds after the start of a run in which a probe may begin: an attempt takes ten seconds, and a run a minute. */
const LONGEST_PROBING = 35_000;

/**
 * Finds out whether a receiver that fails for an event works for others: sends some of these, and, if it takes one, the
 * event again at once.
 */
@Injectable()
export class ReceiverProbes {
  constructor(
    private readonly queries: DeliveryRunsQueries,
    private readonly aside: ObjectsAsideQueries,
    private readonly attempts: DeliveryAttempts,
    private readonly rests: ReceiverRests,
  ) {}

  /** @param suspect the event that the receiver fails for */
  async probe(run: OpenRun, suspect: PendingDelivery, state: ReceiverState): Promise<Following> {
    const { webhook } = run;
    const ids = await this.attempts.inTurn(webhook, () =>
      this.aside.findProbes(webhook.id, suspect, MAX_PROBES),
    );
    let current = state;
    for (const id of ids) {
      if (performance.now() - run.start > LONGEST_PROBING) break;
      const probe = await this.find(run, id);
      if (probe === undefined) continue;
      const following = await this.attempts.attempt(run, probe, 'probe', current);
      if (following.kind === 'end') return following;
      current = following.state;
      if (following.outcome === 'succeeded') {
        const again = await this.find(run, suspect.id);
        if (again === undefined) return { ...following, kind: 'next' };
        return this.attempts.attempt({ ...run, restsUntil: null }, again, 'again', current);
      }
    }
    const failingSince = failingFrom(suspect, databaseNow());
    const cause = { retryAfter: null, failingSince, isGivenUp: false, wakes: ids.length === 0 };
    await this.attempts.inTurn(webhook, () => this.rests.continue(run, current, cause));
    return END;
  }

  private find({ job, webhook }: OpenRun, id: string): Promise<PendingDelivery | undefined> {
    return this.attempts.inTurn(webhook, () => this.queries.findFirst(job, webhook.version, id));
  }
}
