import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentActor } from '../../database/transactions/actor.js';
import { transaction } from '../../database/transactions/transaction.js';
import { QueueService } from '../../queue/queue.service.js';
import { ActivitiesQueries, type NewActivity } from './activities.queries.js';

/** Records in the audit log what people do without changing a row: exports, reads of secrets, erasures, refused calls. */
@Injectable()
export class ActivitiesService implements OnModuleInit {
  constructor(
    private readonly queries: ActivitiesQueries,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'activity-retention',
      cron: '50 0 * * *',
      timeoutSeconds: 600,
      run: () => this.queries.deleteOld(),
    });
  }

  /** Records an action of the running request, in its transaction if it has one. */
  record(activity: NewActivity): Promise<void> {
    return this.insert(activity, null);
  }

  /** As `record`, but at most once a minute for the user, the operation, the organization and the detail. */
  recordOncePerMinute(activity: NewActivity): Promise<void> {
    const { userId = '', operation = '' } = currentActor() ?? {};
    const minute = new Date().toISOString().slice(0, 16);
    const { kind, organizationId, detail = '' } = activity;
    return this.insert(activity, [kind, organizationId, userId, operation, detail, minute].join(' '));
  }

  private insert(activity: NewActivity, throttleKey: string | null): Promise<void> {
    return transaction(() => this.queries.insert(activity, throttleKey));
  }
}
