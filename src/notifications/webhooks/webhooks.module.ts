import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WebhookChanges } from './webhook-changes.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { Webhook } from './webhook.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([Webhook])],
  providers: [WebhookChanges, WebhookSecrets],
  exports: [WebhookChanges, WebhookSecrets],
})
export class WebhooksModule {}
