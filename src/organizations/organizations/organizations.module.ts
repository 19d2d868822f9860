import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Accounts } from '../../common/background/accounts.js';
import { OrganizationAccessModule } from '../organization-access/organization-access.module.js';
import { UsersModule } from '../../accounts/users/users.module.js';
import { MembersModule } from '../members/members.module.js';
import { AccountUsesQueries } from './account-uses.queries.js';
import { AccountsQueries } from './accounts.queries.js';
import { Organization } from './organization.entity.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsService } from './organizations.service.js';

/** Global, because it provides `Accounts` to what all tenants share. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Organization]), MembersModule, OrganizationAccessModule, UsersModule],
  controllers: [OrganizationsController],
  providers: [OrganizationsService, AccountUsesQueries, { provide: Accounts, useClass: AccountsQueries }],
  exports: [OrganizationsService, Accounts],
})
export class OrganizationsModule {}
