import { Injectable, type OnModuleInit } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { currentActor } from '../../database/transactions/actor.js';
import { sql } from '../../database/sql.js';
import { transaction } from '../../database/transactions/transaction.js';
import { QueueService } from '../../queue/queue.service.js';
import type { ActivityKind } from './activity.entity.js';

/** An action of the running request. */
export interface NewActivity {
  readonly kind: ActivityKind;
  readonly organizationId: string;
  readonly appId?: string;
  /** How many objects. */
  readonly count?: number;
  /** The one object, or the code of a refusal. Never a secret or a custom id. */
  readonly detail?: string;
}

/** Records in the audit log what people do without changing a row: exports, reads of secrets, erasures, refused calls. */
@Injectable()
export class ActivitiesService implements OnModuleInit {
  constructor(private readonly queue: QueueService) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'activity-retention',
      cron: '50 0 * * *',
      timeoutSeconds: 600,
      run: () => this.deleteOld(),
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

  private async insert(activity: NewActivity, throttleKey: string | null): Promise<void> {
    const { kind, organizationId, appId = null, count = null, detail = null } = activity;
    await transaction(() =>
      sql(
        `INSERT INTO activities (id, organization_id, app_id, kind, count, detail, throttle_key)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (throttle_key) DO NOTHING`,
        [uuid(), organizationId, appId, kind, count, detail, throttleKey],
      ),
    );
  }

  /** The log keeps the events. */
  private async deleteOld(): Promise<void> {
    await sql(`DELETE FROM activities WHERE created_at < now() - interval '1 day'`);
  }
}
