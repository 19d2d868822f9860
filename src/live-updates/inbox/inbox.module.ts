import { Module } from '@nestjs/common';
import { OrganizationAccessModule } from '../../organizations/organization-access/organization-access.module.js';
import { InboxController } from './inbox.controller.js';
import { InboxQueries } from './inbox.queries.js';
import { InboxService } from './inbox.service.js';

/** What waits for a person in an organization. */
@Module({
  imports: [OrganizationAccessModule],
  controllers: [InboxController],
  providers: [InboxService, InboxQueries],
})
export class InboxModule {}
