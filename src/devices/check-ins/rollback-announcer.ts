import { Injectable } from '@nestjs/common';
import { ChangeSignals, ROLLBACKS } from '../../database/change-signals.js';
import { CheckInsQueries } from './check-ins.queries.js';

/** Notifies this process of roll-backs that it has written, without waiting for the database to announce them to all. */
@Injectable()
export class RollbackAnnouncer {
  constructor(
    private readonly queries: CheckInsQueries,
    private readonly signals: ChangeSignals,
  ) {}

  /**
   * Announces the current counts of devices, in the form of `announce_rollbacks`: those that have changed lately. What a
   * check-in changed that waited for longer comes from the database.
   *
   * @param deviceIds as many, in the same order
   */
  async notifyLocally(appIds: readonly string[], deviceIds: readonly string[]): Promise<void> {
    for (const payload of await this.queries.recentRollbacks(appIds, deviceIds)) {
      this.signals.notifyLocally(ROLLBACKS, payload);
    }
  }
}
