import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookSchedule } from './webhook-schedule.entity.js';

@Module({ imports: [TypeOrmModule.forFeature([WebhookDelivery, WebhookSchedule])] })
export class DeliveriesModule {}
