import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { AppChanges } from '../../apps/apps/app-changes.js';
import { updateOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { WebhookChanges } from './webhook-changes.js';
import { Webhook, type WebhookDisabledReason } from './webhook.entity.js';
import { WebhooksQueries } from './webhooks.queries.js';

/** Disables webhooks on behalf of Slipway: those that do not work, and those whose app has another organization. */
@Injectable()
export class WebhookDisabling implements OnModuleInit {
  constructor(
    @InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>,
    private readonly queries: WebhooksQueries,
    private readonly changes: WebhookChanges,
    private readonly appChanges: AppChanges,
  ) {}

  onModuleInit(): void {
    this.appChanges.transferred.register((appId) => this.moveWithApp(appId));
  }

  /**
   * Disables a webhook. Locks it: lock no schedule and no delivery of it before.
   *
   * @param isMeant of the locked webhook: whether the reason still holds for it
   * @returns whether it was enabled, and meant
   */
  disable(
    id: string,
    reason: WebhookDisabledReason,
    isMeant: (current: Webhook) => boolean,
  ): Promise<boolean> {
    return transaction(async () => {
      const lock = { mode: 'for_no_key_update' } as const;
      const before = await this.webhooks.findOne({ where: { id }, lock });
      if (before?.enabled !== true || !isMeant(before)) return false;
      const columns = { enabled: false, disabledReason: reason };
      await this.changes.changed.notify(before, await updateOrThrow(this.webhooks, { id }, columns));
      return true;
    });
  }

  /** Webhooks of an app follow it to another organization, but get nothing until a member of that enables them. */
  private async moveWithApp(appId: string): Promise<void> {
    const lock = { mode: 'for_no_key_update' } as const;
    const before = await this.webhooks.find({ where: { appId }, order: { id: 'ASC' }, lock });
    if (before.length === 0) return;
    await this.queries.moveToOrganizationOfApp(appId);
    const after = await this.webhooks.findBy({ id: In(before.map(({ id }) => id)) });
    const byId = new Map(after.map((webhook) => [webhook.id, webhook]));
    for (const webhook of before) {
      await this.changes.changed.notify(webhook, byId.get(webhook.id) ?? webhook);
    }
  }
}
