import { Global, Module } from '@nestjs/common';
import { LimitTargets } from '../../accounts/tokens/limit-targets.js';
import { OrganizationAccessModule } from '../../organizations/organization-access/organization-access.module.js';
import { AppAccessService } from './app-access.service.js';
import { LimitTargetsService } from './limit-targets.service.js';

/** Global because it provides what tokens, which live upstream and may not import it, ask of organizations and apps. */
@Global()
@Module({
  imports: [OrganizationAccessModule],
  providers: [AppAccessService, { provide: LimitTargets, useClass: LimitTargetsService }],
  exports: [AppAccessService, OrganizationAccessModule, LimitTargets],
})
export class AppAccessModule {}
