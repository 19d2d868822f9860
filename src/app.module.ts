import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { AccountsModule } from './accounts/accounts.module.js';
import { BearerGuard } from './accounts/auth/bearer.guard.js';
import { AccessGuard } from './apps/app-access/access.guard.js';
import { AutomationsAreaModule } from './automations/automations.module.js';
import { AppAccessModule } from './apps/app-access/app-access.module.js';
import { AppSubmissionsModule } from './app-submissions/app-submissions.module.js';
import { AppsAreaModule } from './apps/apps.module.js';
import { LimitsModule } from './common/background/limits.module.js';
import { BackgroundTasks } from './common/background/background-tasks.js';
import { ErrorFilter } from './common/errors/error.filter.js';
import { ContentTypeGuard } from './common/http/content-type.guard.js';
import { ApiDocument } from './common/openapi/api-document.js';
import { OutboundModule } from './common/http/outbound/outbound.module.js';
import { ETagInterceptor } from './common/etags/etag.interceptor.js';
import { SecretsModule } from './common/secrets/secrets.module.js';
import { IgnoredInputInterceptor } from './common/validation/ignored-input.interceptor.js';
import { DtoValidationPipe } from './common/validation/validation.pipe.js';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { ConsoleModule } from './console/console.module.js';
import { DatabaseModule } from './database/database.module.js';
import { ChangeSignalsModule } from './database/change-signals.module.js';
import { CheckInsFlushedGuard } from './devices/check-ins/check-ins-flushed.guard.js';
import { CheckInsModule } from './devices/check-ins/check-ins.module.js';
import { DeviceAreaModule } from './devices/devices.module.js';
import { DocsModule } from './docs/docs.module.js';
import { entities } from './entities.js';
import { eventTypes } from './event-types.js';
import { EventsModule } from './events/events.module.js';
import { HealthModule } from './health/health.module.js';
import { JobsAreaModule } from './jobs/jobs.module.js';
import { LiveUpdatesModule } from './live-updates/live-updates.module.js';
import { MailModule } from './mail/mail.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { NotificationsModule } from './notifications/notifications.module.js';
import { NativeBuildsModule } from './native-builds/native-builds.module.js';
import { ActivitiesModule } from './organizations/activities/activities.module.js';
import { RefusalsInterceptor } from './organizations/activities/refusals.interceptor.js';
import { OrganizationsAreaModule } from './organizations/organizations.module.js';
import { PagesModule } from './pages/pages.module.js';
import { NotFoundPageFilter } from './pages/requests/not-found-page.filter.js';
import { RateLimitGuard } from './rate-limits/rate-limit.guard.js';
import { RateLimitsModule } from './rate-limits/rate-limits.module.js';
import { QueueModule } from './queue/queue.module.js';
import { StorageModule } from './storage/storage.module.js';
import { WriteInterceptor } from './idempotency/write.interceptor.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';

/** The application: shared parts, then the areas, upstream first. */
@Module({})
export class AppModule {
  static with(config: Config, document = new ApiDocument()): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DiscoveryModule,
        ConfigModule.with(config),
        SecretsModule,
        DatabaseModule.with(entities),
        ChangeSignalsModule,
        LimitsModule,
        StorageModule,
        IdempotencyModule,
        QueueModule,
        MailModule,
        EventsModule.with(eventTypes),
        OutboundModule,
        MetricsModule,
        HealthModule,
        RateLimitsModule,
        PagesModule,
        DocsModule.with(config.http.docs, document),
        AccountsModule,
        ActivitiesModule,
        OrganizationsAreaModule,
        AppsAreaModule,
        AppAccessModule,
        NotificationsModule,
        JobsAreaModule,
        NativeBuildsModule,
        AppSubmissionsModule,
        LiveUpdatesModule,
        DeviceAreaModule,
        CheckInsModule,
        AutomationsAreaModule,
        ConsoleModule,
      ],
      providers: [
        BackgroundTasks,
        // The order matters: who is calling, how often, what they may do, what they send.
        { provide: APP_GUARD, useClass: BearerGuard },
        { provide: APP_GUARD, useClass: RateLimitGuard },
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_GUARD, useClass: ContentTypeGuard },
        { provide: APP_GUARD, useClass: CheckInsFlushedGuard },
        { provide: APP_PIPE, useClass: DtoValidationPipe },
        { provide: APP_INTERCEPTOR, useClass: ETagInterceptor },
        { provide: APP_INTERCEPTOR, useClass: RefusalsInterceptor },
        { provide: APP_INTERCEPTOR, useClass: IgnoredInputInterceptor },
        { provide: APP_INTERCEPTOR, useClass: WriteInterceptor },
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_FILTER, useClass: NotFoundPageFilter },
      ],
    };
  }
}
