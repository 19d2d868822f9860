import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventsService } from '../../../events/events.service.js';
import { WebhookChanges } from '../../webhooks/webhook-changes.js';
import type { Webhook, WebhookDisabledReason } from '../../webhooks/webhook.entity.js';
import { webhookDisabled } from '../deliveries.events.js';
import { DeliverySchedules } from './delivery-schedules.service.js';
import { mayHelp } from './may-help.js';
import { DeliveryRunsQueries } from '../sending/delivery-runs.queries.js';
import { ObjectsAsideQueries } from '../sending/objects-aside.queries.js';
import { forgotten } from '../sending/receiver-state.js';

/** Why deliveries were given up with their webhook. */
const reasons: Readonly<Record<WebhookDisabledReason, string>> = {
  gone: 'The webhook was disabled: its receiver responded with HTTP 410.',
  failing: 'The webhook was disabled: nothing was delivered for five days.',
  'app-transferred': 'The webhook was disabled: its app moved to another organization.',
};
const BY_USER = 'A user disabled the webhook before the event was sent.';

/** Lets deliveries follow the changes of their webhooks, in the transactions of these. */
@Injectable()
export class WebhookFollower implements OnModuleInit {
  constructor(
    private readonly changes: WebhookChanges,
    private readonly queries: DeliveryRunsQueries,
    private readonly aside: ObjectsAsideQueries,
    private readonly schedules: DeliverySchedules,
    private readonly events: EventsService,
  ) {}

  onModuleInit(): void {
    this.changes.changed.register((before, after) => this.follow(before, after));
    this.changes.deleting.register((webhookId) => this.queries.deleteAll(webhookId));
  }

  private async follow(before: Webhook, after: Webhook): Promise<void> {
    // What happened in the organization that the app has left is not for members of the other one.
    if (before.organizationId !== after.organizationId) await this.queries.deleteAll(after.id);
    if (before.enabled && !after.enabled) await this.giveUp(after);
    else if (after.enabled && mayHelp(before, after)) {
      await this.schedules.hurry(after, forgotten);
      await this.aside.hurry(after.id, null);
    }
    if (after.enabled && before.ordering === 'object' && after.ordering === 'strict') {
      const isMore = await this.aside.releaseAll(after.id);
      if (isMore) await this.schedules.hurry(after);
    }
  }

  private async giveUp(webhook: Webhook): Promise<void> {
    const { id, name, disabledReason: reason, organizationId, appId } = webhook;
    const isMoreLeft = await this.queries.failPending(id, reason === null ? BY_USER : reasons[reason]);
    await this.schedules.end(id);
    await this.aside.releaseAll(id);
    // A run gives up the rest.
    if (isMoreLeft) await this.schedules.hurry(webhook);
    if (reason === null) return;
    await this.events.record(webhookDisabled, {
      organizationId,
      objectId: id,
      data: { webhookId: id, webhookName: name, appId, reason },
    });
  }
}
