import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WebhookChanges } from './webhook-changes.js';
import { Webhook } from './webhook.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([Webhook])],
  providers: [WebhookChanges],
  exports: [WebhookChanges],
})
export class WebhooksModule {}
