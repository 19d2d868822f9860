import { Module } from '@nestjs/common';
import { OrganizationAccessModule } from '../organizations/organization-access/organization-access.module.js';
import { StartPageController } from './start-page.controller.js';
import { StartPageQueries } from './start-page.queries.js';
import { StartPageService } from './start-page.service.js';

/** The page at `/`. Below all areas, because it shows something of each. */
@Module({
  imports: [OrganizationAccessModule],
  controllers: [StartPageController],
  providers: [StartPageQueries, StartPageService],
})
export class StartPageModule {}
