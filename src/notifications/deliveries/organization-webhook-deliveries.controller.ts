import { Body, Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { ownerOfOrganization } from '../webhooks/webhook-owner.js';
import {
  ListWebhookDeliveriesQuery,
  RecoverWebhookDto,
  RecoveryDto,
  SkipDeliveryDto,
  toWebhookDeliveryDto,
  WebhookDeliveryDetailsDto,
  WebhookDeliveryDto,
} from './webhook-delivery.dto.js';
import { WebhookDeliveriesPresenter } from './webhook-deliveries.presenter.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';

/** The deliveries of webhooks of organizations. */
@ApiTags('Webhooks')
@Controller('organizations/:organizationId/webhooks/:webhookId')
export class OrganizationWebhookDeliveriesController {
  constructor(
    private readonly deliveries: WebhookDeliveriesService,
    private readonly presenter: WebhookDeliveriesPresenter,
  ) {}

  /** Lists the deliveries of a webhook, newest first. They are kept for `EVENT_RETENTION_DAYS`. */
  @Get('deliveries')
  @Requires('webhooks:read')
  @ApiPage(WebhookDeliveryDto)
  async list(
    @IdParam('organizationId') organizationId: string,
    @IdParam('webhookId') webhookId: string,
    @Query() query: ListWebhookDeliveriesQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookDeliveryDto[]> {
    const page = await this.deliveries.list(ownerOfOrganization(organizationId), webhookId, query);
    return sendPage(response, query, page, toWebhookDeliveryDto);
  }

  /** Gets a delivery with its attempts, the start of the last response, and what is sent. */
  @Get('deliveries/:webhookDeliveryId')
  @Requires('webhooks:read')
  async get(
    @IdParam('organizationId') organizationId: string,
    @IdParam('webhookId') webhookId: string,
    @IdParam('webhookDeliveryId') webhookDeliveryId: string,
  ): Promise<WebhookDeliveryDetailsDto> {
    return this.presenter.presentOne(
      await this.deliveries.get(ownerOfOrganization(organizationId), webhookId, webhookDeliveryId),
    );
  }

  /**
   * Sends a delivery again, whatever has become of it, with the same `webhook-id`. One that is pending is sent now, unless
   * it waits for an earlier one of its object.
   */
  @Post('deliveries/:webhookDeliveryId/redeliver')
  @HttpCode(200)
  @Requires('webhooks:write')
  @ApiErrors('webhook_delivery_waits', 'webhook_disabled')
  async redeliver(
    @IdParam('organizationId') organizationId: string,
    @IdParam('webhookId') webhookId: string,
    @IdParam('webhookDeliveryId') webhookDeliveryId: string,
  ): Promise<WebhookDeliveryDto> {
    return toWebhookDeliveryDto(
      await this.deliveries.redeliver(ownerOfOrganization(organizationId), webhookId, webhookDeliveryId),
    );
  }

  /**
   * Skips a delivery that is pending or failed: the next ones follow. `recover` leaves it out, and `redeliver` sends it. The
   * reason is in the audit log.
   */
  @Post('deliveries/:webhookDeliveryId/skip')
  @HttpCode(200)
  @Requires('webhooks:write')
  @ApiErrors('webhook_delivery_over')
  async skip(
    @IdParam('organizationId') organizationId: string,
    @IdParam('webhookId') webhookId: string,
    @IdParam('webhookDeliveryId') webhookDeliveryId: string,
    @Body() { reason }: SkipDeliveryDto,
  ): Promise<WebhookDeliveryDto> {
    return toWebhookDeliveryDto(
      await this.deliveries.skip(ownerOfOrganization(organizationId), webhookId, webhookDeliveryId, reason),
    );
  }

  /**
   * Sends the event `webhook_test` as all events are sent, before those that are pending. At most ten times a minute for each
   * webhook.
   */
  @Post('test')
  @Requires('webhooks:write')
  @ApiErrors('webhook_disabled')
  async test(
    @IdParam('organizationId') organizationId: string,
    @IdParam('webhookId') webhookId: string,
  ): Promise<WebhookDeliveryDto> {
    return toWebhookDeliveryDto(await this.deliveries.test(ownerOfOrganization(organizationId), webhookId));
  }

  /**
   * Sends all events since a time that were not delivered, each once, in their order: after an outage of the receiver.
   * Events that are pending or were delivered are left out, and so are those from before the webhook was created, which
   * the feed of events has. At most 20,000 deliveries at once.
   */
  @Post('recover')
  @HttpCode(200)
  @OwnTransactions()
  @Requires('webhooks:write')
  @ApiErrors('webhook_disabled')
  async recover(
    @IdParam('organizationId') organizationId: string,
    @IdParam('webhookId') webhookId: string,
    @Body() body: RecoverWebhookDto,
  ): Promise<RecoveryDto> {
    return this.deliveries.recover(ownerOfOrganization(organizationId), webhookId, body.since);
  }
}
