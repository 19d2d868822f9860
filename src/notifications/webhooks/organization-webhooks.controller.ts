import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import type { Response } from 'express';
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
  CreateOrganizationWebhookDto,
  RotateWebhookSecretDto,
  UpdateOrganizationWebhookDto,
  ListWebhooksQuery,
  RotatedWebhookDto,
  WebhookDto,
} from './webhook.dto.js';
import { ownerOfOrganization } from './webhook-owner.js';
import { WebhooksPresenter } from './webhooks.presenter.js';
import { WebhooksService } from './webhooks.service.js';

/** The webhooks of organizations, besides those of their apps. */
@ApiTags('Webhooks')
@Controller('organizations/:organizationId/webhooks')
export class OrganizationWebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly presenter: WebhooksPresenter,
  ) {}

  /** Lists the webhooks of an organization, without those of its apps, by name. */
  @Get()
  @NoStore()
  @Requires('webhooks:read')
  @ApiPage(WebhookDto)
  async list(
    @IdParam('organizationId') organizationId: string,
    @Query() query: ListWebhooksQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookDto[]> {
    const { items, total } = await this.webhooks.list(ownerOfOrganization(organizationId), query);
    return sendPage(response, query, { items: await this.presenter.present(items), total });
  }

  /** Creates a webhook. It gets the events of the organization and of all its apps from now on. */
  @Post()
  @NoStore()
  @Requires('webhooks:write')
  @ApiErrors('app_not_found', 'channel_not_found', 'limit_reached')
  async create(
    @IdParam('organizationId') organizationId: string,
    @Body() body: CreateOrganizationWebhookDto,
  ): Promise<WebhookDto> {
    return this.presenter.presentOne(await this.webhooks.create(ownerOfOrganization(organizationId), body));
  }

  /** Gets a webhook. */
  @Get(':webhookId')
  @NoStore({ tagged: true })
  @Requires('webhooks:read')
  async get(
    @IdParam('organizationId') organizationId: string,
    @IdParam('webhookId') webhookId: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookDto> {
    const webhook = await this.webhooks.get(ownerOfOrganization(organizationId), webhookId);
    return sendVersioned(response, webhook, await this.presenter.presentOne(webhook));
  }

  /**
   * Updates a webhook. Omitted fields do not change; `null` clears a field. Custom headers are required again when `url`
   * leads to another server. The format of a chat removes the signing secret. `enabled: true` clears `disabledReason`.
   */
  @Patch(':webhookId')
  @NoStore()
  @Requires('webhooks:write')
  @ApiErrors('app_not_found', 'channel_not_found')
  async update(
    @IdParam('organizationId') organizationId: string,
    @IdParam('webhookId') webhookId: string,
    @Body() body: UpdateOrganizationWebhookDto,
    @IfMatch() ifMatch?: Condition,
  ): Promise<WebhookDto> {
    return this.presenter.presentChanged(
      await this.webhooks.update(ownerOfOrganization(organizationId), webhookId, body, ifMatch),
    );
  }

  /** Deletes a webhook and its deliveries. */
  @Delete(':webhookId')
  @HttpCode(204)
  @Requires('webhooks:write')
  async delete(
    @IdParam('organizationId') organizationId: string,
    @IdParam('webhookId') webhookId: string,
    @IfMatch() ifMatch?: Condition,
  ): Promise<void> {
    await this.webhooks.delete(ownerOfOrganization(organizationId), webhookId, ifMatch);
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
    @IdParam('organizationId') organizationId: string,
    @IdParam('webhookId') webhookId: string,
    @Body() body: RotateWebhookSecretDto,
  ): Promise<RotatedWebhookDto> {
    const { webhook, generated } = await this.webhooks.rotateSecret(
      ownerOfOrganization(organizationId),
      webhookId,
      body.signingSecret,
    );
    return this.presenter.presentRotated(webhook, generated);
  }
}
