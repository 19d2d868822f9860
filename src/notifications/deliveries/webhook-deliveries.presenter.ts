import { Injectable } from '@nestjs/common';
import { rawMessage } from '../formats/raw.js';
import { DeliverySchedules } from './schedules/delivery-schedules.service.js';
import { DeliveryMessages } from './sending/delivery-messages.js';
import { DeliveryRunsQueries } from './sending/delivery-runs.queries.js';
import { ObjectsAsideQueries } from './sending/objects-aside.queries.js';
import { toWebhookDeliveryDetailsDto, type WebhookDeliveryDetailsDto } from './webhook-delivery.dto.js';
import type { WebhookDelivery } from './webhook-delivery.entity.js';

/** Makes the response for one delivery. */
@Injectable()
export class WebhookDeliveriesPresenter {
  constructor(
    private readonly queries: DeliveryRunsQueries,
    private readonly messages: DeliveryMessages,
    private readonly schedules: DeliverySchedules,
    private readonly aside: ObjectsAsideQueries,
  ) {}

  async presentOne(delivery: WebhookDelivery): Promise<WebhookDeliveryDetailsDto> {
    const { id, webhookId, objectId } = delivery;
    const nextAttemptAt =
      (await this.aside.nextOf(webhookId, objectId)) ?? (await this.schedules.nextOf(webhookId));
    const source = await this.queries.find(webhookId, id);
    const event = source === undefined ? null : this.messages.of(source);
    return toWebhookDeliveryDetailsDto(delivery, nextAttemptAt, event && rawMessage(event));
  }
}
