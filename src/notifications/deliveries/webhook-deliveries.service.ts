import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { And, type FindOperator, LessThan, MoreThanOrEqual, Not, type Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { databaseNow } from '../../common/database-clock.js';
import { ConflictError, errorOf, invalidField, RateLimitedError } from '../../common/errors/app-error.js';
import type { Page } from '../../common/pagination/page.js';
import { Config } from '../../config/config.js';
import { findOrThrow, findPage, insertOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import type { WebhookOwner } from '../webhooks/webhook-owner.js';
import type { Webhook } from '../webhooks/webhook.entity.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import { ActivitiesService } from '../../organizations/activities/activities.service.js';
import { DeliverySchedules } from './schedules/delivery-schedules.service.js';
import { ObjectsAsideQueries } from './sending/objects-aside.queries.js';
import type { ListWebhookDeliveriesQuery, RecoveryDto } from './webhook-delivery.dto.js';
import { TEST_EVENT, testPayloadOf } from './sending/test-payload.js';
import { WebhookDeliveriesQueries } from './webhook-deliveries.queries.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';

const DAY = 24 * 3600 * 1000;
const MINUTE = 60_000;
/** Tests of one webhook in a minute. */
const MAX_TESTS = 10;
/** Events that one transaction of a recovery reads, and those of one request. */
const BATCH = 2000;
const MAX_RECOVERED = 20_000;

/** A delivery that a user wants again. */
const requested = {
  status: 'pending',
  reason: null,
  setAside: false,
  attemptCount: 0,
  failures: 0,
  failingSince: null,
} as const;

/** What users see of deliveries, and ask for. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    @InjectRepository(WebhookDelivery) private readonly deliveries: Repository<WebhookDelivery>,
    private readonly queries: WebhookDeliveriesQueries,
    private readonly webhooks: WebhooksService,
    private readonly schedules: DeliverySchedules,
    private readonly aside: ObjectsAsideQueries,
    private readonly activities: ActivitiesService,
    private readonly config: Config,
  ) {}

  /** The deliveries of a webhook, newest first. @throws NotFoundError */
  async list(
    owner: WebhookOwner,
    webhookId: string,
    query: ListWebhookDeliveriesQuery,
  ): Promise<Page<WebhookDelivery>> {
    await this.webhooks.get(owner, webhookId);
    const where = {
      webhookId,
      ...(query.status !== undefined && { status: query.status }),
      ...(query.event !== undefined && { eventType: query.event }),
      ...createdBetween(query),
    };
    return findPage(this.deliveries, where, query, { createdAt: 'DESC' });
  }

  /** @throws NotFoundError */
  async get(owner: WebhookOwner, webhookId: string, id: string): Promise<WebhookDelivery> {
    await this.webhooks.get(owner, webhookId);
    return findOrThrow(this.deliveries, { webhookId, id });
  }

  /**
   * Sends a delivery again, whatever has become of it, and one that is pending now.
   *
   * @throws NotFoundError
   * @throws ConflictError when it waits for an earlier one, or the webhook is disabled
   */
  redeliver(owner: WebhookOwner, webhookId: string, id: string): Promise<WebhookDelivery> {
    return transaction(async () => {
      const webhook = await this.lockEnabled(owner, webhookId);
      const where = { webhookId, id };
      await findOrThrow(this.deliveries, where);
      const { affected } = await this.deliveries.update({ ...where, status: Not('pending') }, requested);
      if (affected === 0) await this.sendNow(webhook, id);
      else await this.schedules.hurry(webhook);
      return findOrThrow(this.deliveries, where);
    });
  }

  private async sendNow(webhook: Webhook, id: string): Promise<void> {
    const isStrict = webhook.ordering === 'strict';
    const earlier = await this.queries.findEarlier(webhook.id, id, isStrict);
    if (earlier === null) return this.schedules.hurry(webhook, {}, id);
    const what = isStrict ? 'an earlier one' : 'an earlier one of its object';
    throw new ConflictError(
      `The delivery waits for ${what}: ${earlier}. Redeliver or skip that first.`,
      'webhook_delivery_waits',
    );
  }

  /**
   * Does not send a delivery, so that the next ones follow.
   *
   * @throws NotFoundError
   * @throws ConflictError when it has arrived, or was skipped
   */
  skip(owner: WebhookOwner, webhookId: string, id: string, reason: string): Promise<WebhookDelivery> {
    return transaction(async () => {
      const webhook = await this.webhooks.lock(owner, webhookId);
      const where = { webhookId, id };
      await findOrThrow(this.deliveries, where);
      const skipped = await this.queries.skip(webhookId, id, reason);
      if (skipped === undefined) throw errorOf('webhook_delivery_over');
      if (skipped.wasPending) {
        await this.schedules.hurry(webhook);
        await this.aside.hurry(webhookId, skipped.objectId);
      }
      const { organizationId, appId } = owner;
      const activity = { kind: 'webhook-delivery-skipped', detail: `${id}: ${reason}` } as const;
      await this.activities.record({ ...activity, organizationId, ...(appId !== null && { appId }) });
      return findOrThrow(this.deliveries, where);
    });
  }

  /**
   * Sends a test as events are sent, before what is pending.
   *
   * @throws NotFoundError
   * @throws ConflictError when the webhook is disabled
   * @throws RateLimitedError after ten tests in a minute
   */
  test(owner: WebhookOwner, webhookId: string): Promise<WebhookDelivery> {
    return transaction(async () => {
      const webhook = await this.lockEnabled(owner, webhookId);
      const createdAt = MoreThanOrEqual(databaseNow(-MINUTE));
      const tests = await this.deliveries.countBy({ webhookId, createdAt, eventType: TEST_EVENT });
      if (tests >= MAX_TESTS) throw new RateLimitedError(MINUTE / 1000);
      const eventId = uuid();
      const delivery = await insertOrThrow(this.deliveries, {
        webhookId,
        eventId,
        eventType: TEST_EVENT,
        objectId: eventId,
        position: 0,
        status: 'pending',
        testPayload: testPayloadOf(webhook, eventId, databaseNow()),
      });
      await this.schedules.hurry(webhook);
      return delivery;
    });
  }

  /**
   * Sends all events that were not delivered, each once. Repeating it requests only what has failed since.
   *
   * @throws NotFoundError
   * @throws ConflictError when the webhook is disabled
   * @throws InvalidRequestError when events from then are no longer kept
   */
  async recover(owner: WebhookOwner, webhookId: string, since: Date): Promise<RecoveryDto> {
    const { retentionDays } = this.config.events;
    if (since < databaseNow(-retentionDays * DAY)) {
      throw invalidField(
        'since',
        `since must be within the last ${retentionDays} days: older events are deleted.`,
      );
    }
    let requested = 0;
    let position = 0;
    for (let read = 0; read < MAX_RECOVERED; read += BATCH) {
      const { missed, pending } = await transaction(() =>
        this.request(owner, webhookId, since, { position, isFirst: requested === 0 }),
      );
      requested += pending;
      const last = missed.at(-1);
      if (last === undefined || missed.length < BATCH) return { requested, continueFrom: null };
      position = last.position;
    }
    const oldest = await this.queries.oldestMissed(webhookId, since, position);
    return { requested, continueFrom: oldest?.toISOString() ?? null };
  }

  private async request(
    owner: WebhookOwner,
    webhookId: string,
    since: Date,
    { position, isFirst }: { readonly position: number; readonly isFirst: boolean },
  ) {
    const webhook = await this.lockEnabled(owner, webhookId);
    const missed = await this.queries.findMissed(webhookId, since, position, BATCH);
    const pending = missed.length === 0 ? 0 : await this.queries.request(webhookId, missed);
    // Once, because a receiver that does not work is called each time, which its deliveries have ten attempts for.
    if (pending > 0) await (isFirst ? this.schedules.hurry(webhook) : this.schedules.wake([webhookId]));
    return { missed, pending };
  }

  /** Locks the webhook, so that what users ask for at the same time follows each other. */
  private async lockEnabled(owner: WebhookOwner, webhookId: string): Promise<Webhook> {
    const webhook = await this.webhooks.lock(owner, webhookId);
    if (webhook.enabled) return webhook;
    throw errorOf('webhook_disabled');
  }
}

function createdBetween({ from, to }: ListWebhookDeliveriesQuery): { createdAt?: FindOperator<Date> } {
  const bounds = [...(from ? [MoreThanOrEqual(from)] : []), ...(to ? [LessThan(to)] : [])];
  return bounds.length === 0 ? {} : { createdAt: And(...bounds) };
}
