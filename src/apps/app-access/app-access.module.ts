import { Global, Module } from '@nestjs/common';
import { ScopeResolver } from '../../accounts/tokens/scope-resolver.js';
import { UsersModule } from '../../accounts/users/users.module.js';
import { ActivitiesModule } from '../../organizations/activities/activities.module.js';
import { OrganizationAccessModule } from '../../organizations/organization-access/organization-access.module.js';
import { AppAccessQueries } from './app-access.queries.js';
import { AppAccessService } from './app-access.service.js';
import { OwnAccessController } from './own-access.controller.js';
import { OwnAccessService } from './own-access.service.js';
import { ScopeResolverService } from './scope-resolver.service.js';

/** Global because it provides `ScopeResolver` to tokens, which may not import organizations and apps. */
@Global()
@Module({
  imports: [UsersModule, ActivitiesModule, OrganizationAccessModule],
  controllers: [OwnAccessController],
  providers: [
    AppAccessService,
    AppAccessQueries,
    OwnAccessService,
    { provide: ScopeResolver, useClass: ScopeResolverService },
  ],
  exports: [AppAccessService, OrganizationAccessModule, ScopeResolver],
})
export class AppAccessModule {}
