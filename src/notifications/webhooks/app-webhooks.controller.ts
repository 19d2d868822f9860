import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import type { IfMatch as Condition } from '../../common/etags/if-match.js';
import { IfMatch } from '../../common/etags/if-match.decorator.js';
import { sendVersioned } from '../../common/etags/version.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { NoStore } from '../../common/http/no-store.decorator.js';
import { ApiSuccess } from '../../common/openapi/api-success.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import {
  CreateWebhookDto,
  RotateWebhookSecretDto,
  UpdateWebhookDto,
  ListWebhooksQuery,
  RotatedWebhookDto,
  WebhookDto,
} from './webhook.dto.js';
import { ownerOfApp } from './webhook-owner.js';
import { WebhooksPresenter } from './webhooks.presenter.js';
import { WebhooksService } from './webhooks.service.js';

/** The webhooks of apps. */
@ApiTags('Webhooks')
@Controller('apps/:appId/webhooks')
export class AppWebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly presenter: WebhooksPresenter,
  ) {}

  /** Lists the webhooks of an app, by name. */
  @Get()
  @NoStore()
  @Requires('webhooks:read')
  @ApiPage(WebhookDto)
  async list(
    @CurrentApp() app: App,
    @Query() query: ListWebhooksQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookDto[]> {
    const { items, total } = await this.webhooks.list(ownerOfApp(app), query);
    return sendPage(response, query, { items: await this.presenter.present(items), total });
  }

  /** Creates a webhook. It gets the events of the app from now on. */
  @Post()
  @NoStore()
  @Requires('webhooks:write')
  @ApiErrors('channel_not_found', 'limit_reached')
  async create(@CurrentApp() app: App, @Body() body: CreateWebhookDto): Promise<WebhookDto> {
    return this.presenter.presentOne(await this.webhooks.create(ownerOfApp(app), body));
  }

  /** Gets a webhook. */
  @Get(':webhookId')
  @NoStore({ tagged: true })
  @Requires('webhooks:read')
  async get(
    @CurrentApp() app: App,
    @IdParam('webhookId') webhookId: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookDto> {
    const webhook = await this.webhooks.get(ownerOfApp(app), webhookId);
    return sendVersioned(response, webhook, await this.presenter.presentOne(webhook));
  }

  /**
   * Updates a webhook. Omitted fields do not change; `null` clears a field. Custom headers are required again when `url`
   * leads to another server. The format of a chat removes the signing secret. `enabled: true` clears `disabledReason`.
   */
  @Patch(':webhookId')
  @NoStore()
  @Requires('webhooks:write')
  @ApiErrors('channel_not_found')
  async update(
    @CurrentApp() app: App,
    @IdParam('webhookId') webhookId: string,
    @Body() body: UpdateWebhookDto,
    @IfMatch() ifMatch?: Condition,
  ): Promise<WebhookDto> {
    return this.presenter.presentChanged(
      await this.webhooks.update(ownerOfApp(app), webhookId, body, ifMatch),
    );
  }

  /** Deletes a webhook and its deliveries. */
  @Delete(':webhookId')
  @HttpCode(204)
  @Requires('webhooks:write')
  async delete(
    @CurrentApp() app: App,
    @IdParam('webhookId') webhookId: string,
    @IfMatch() ifMatch?: Condition,
  ): Promise<void> {
    await this.webhooks.delete(ownerOfApp(app), webhookId, ifMatch);
  }

  /**
   * Replaces the signing secret. Messages are signed with both the new and the old secret for 24 hours; one from an earlier
   * rotation ends at once. Only messages in the format `raw` are signed.
   */
  @Post(':webhookId/rotate-secret')
  @ApiSuccess('The webhook; with the new secret if Slipway generated it. Only this response contains it.')
  @HttpCode(200)
  @NoStore()
  @Requires('webhooks:write')
  @ApiBody({ type: RotateWebhookSecretDto, required: false })
  async rotateSecret(
    @CurrentApp() app: App,
    @IdParam('webhookId') webhookId: string,
    @Body() body: RotateWebhookSecretDto,
  ): Promise<RotatedWebhookDto> {
    const { webhook, generated } = await this.webhooks.rotateSecret(
      ownerOfApp(app),
      webhookId,
      body.signingSecret,
    );
    return this.presenter.presentRotated(webhook, generated);
  }
}
