import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppsModule } from '../../apps/apps/apps.module.js';
import { AppWebhooksController } from './app-webhooks.controller.js';
import { OrganizationWebhooksController } from './organization-webhooks.controller.js';
import { WebhookChanges } from './webhook-changes.js';
import { WebhookChecks } from './webhook-checks.service.js';
import { WebhookDisabling } from './webhook-disabling.service.js';
import { WebhookSecrets } from '../webhook-fields/webhook-secrets.js';
import { Webhook } from './webhook.entity.js';
import { WebhooksPresenter } from './webhooks.presenter.js';
import { WebhooksQueries } from './webhooks.queries.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Webhook]), AppsModule],
  controllers: [AppWebhooksController, OrganizationWebhooksController],
  providers: [
    WebhooksService,
    WebhookChecks,
    WebhookDisabling,
    WebhookSecrets,
    WebhookChanges,
    WebhooksQueries,
    WebhooksPresenter,
  ],
  exports: [WebhooksService, WebhookDisabling, WebhookSecrets, WebhookChanges],
})
export class WebhooksModule {}
