import { Global, Module } from '@nestjs/common';
import { ScopeResolver } from '../../accounts/tokens/scope-resolver.js';
import { ActivitiesModule } from '../../organizations/activities/activities.module.js';
import { OrganizationAccessModule } from '../../organizations/organization-access/organization-access.module.js';
import { AppAccessQueries } from './app-access.queries.js';
import { AppAccessService } from './app-access.service.js';
import { ScopeResolverService } from './scope-resolver.service.js';

/** Global because it provides `ScopeResolver` to tokens, which may not import organizations and apps. */
@Global()
@Module({
  imports: [ActivitiesModule, OrganizationAccessModule],
  providers: [AppAccessService, AppAccessQueries, { provide: ScopeResolver, useClass: ScopeResolverService }],
  exports: [AppAccessService, OrganizationAccessModule, ScopeResolver],
})
export class AppAccessModule {}
