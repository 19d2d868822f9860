import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ActivitiesModule } from '../../organizations/activities/activities.module.js';
import { MetricsModule } from '../../metrics/metrics.module.js';
import { DispatcherModule } from '../dispatcher/dispatcher.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AppWebhookDeliveriesController } from './app-webhook-deliveries.controller.js';
import { DeliverySchedulesQueries } from './schedules/delivery-schedules.queries.js';
import { DeliverySchedules } from './schedules/delivery-schedules.service.js';
import { DeliveryUpkeepQueries } from './schedules/delivery-upkeep.queries.js';
import { DeliveryUpkeep } from './schedules/delivery-upkeep.service.js';
import { OrganizationWebhookDeliveriesController } from './organization-webhook-deliveries.controller.js';
import { DeliveryFanOutQueries } from './sending/delivery-fan-out.queries.js';
import { DeliveryFanOut } from './sending/delivery-fan-out.service.js';
import { DeliveryMessages } from './sending/delivery-messages.js';
import { DeliveryOutcomes } from './sending/delivery-outcomes.service.js';
import { DeliveryAttempts } from './sending/delivery-attempts.service.js';
import { DeliveryRunsQueries } from './sending/delivery-runs.queries.js';
import { DeliveryRuns } from './sending/delivery-runs.service.js';
import { DeliveryTurns } from './sending/delivery-turns.service.js';
import { ObjectsAsideQueries } from './sending/objects-aside.queries.js';
import { ObjectsAside } from './sending/objects-aside.service.js';
import { ReceiverProbes } from './sending/receiver-probes.service.js';
import { ReceiverRests } from './sending/receiver-rests.service.js';
import { RejectionsQueries } from './sending/rejections.queries.js';
import { Rejections } from './sending/rejections.service.js';
import { WebhookSender } from './sending/webhook-sender.service.js';
import { WebhookDeliveriesPresenter } from './webhook-deliveries.presenter.js';
import { WebhookDeliveriesQueries } from './webhook-deliveries.queries.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookFollower } from './schedules/webhook-follower.service.js';
import { WebhookObjectAside } from './webhook-object-aside.entity.js';
import { WebhookSchedule } from './webhook-schedule.entity.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([WebhookDelivery, WebhookObjectAside, WebhookSchedule]),
    ActivitiesModule,
    DispatcherModule,
    MetricsModule,
    WebhooksModule,
  ],
  controllers: [AppWebhookDeliveriesController, OrganizationWebhookDeliveriesController],
  providers: [
    DeliveryAttempts,
    DeliveryFanOut,
    DeliveryFanOutQueries,
    DeliveryMessages,
    DeliveryOutcomes,
    DeliveryRuns,
    DeliveryRunsQueries,
    DeliverySchedules,
    DeliverySchedulesQueries,
    DeliveryTurns,
    DeliveryUpkeep,
    DeliveryUpkeepQueries,
    ObjectsAside,
    ObjectsAsideQueries,
    ReceiverProbes,
    ReceiverRests,
    Rejections,
    RejectionsQueries,
    WebhookDeliveriesPresenter,
    WebhookDeliveriesQueries,
    WebhookDeliveriesService,
    WebhookFollower,
    WebhookSender,
  ],
})
export class DeliveriesModule {}
