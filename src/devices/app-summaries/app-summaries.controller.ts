import { Controller, Get, Query } from '@nestjs/common';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ScopedToApps } from '../../common/access/scoped-to-apps.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { AppSummariesService } from './app-summaries.service.js';
import { AppSummaryDto, ListAppSummariesQuery } from './app-summary.dto.js';

@ApiTags('Insights')
@Controller('organizations/:organizationId/app-summaries')
export class AppSummariesController {
  constructor(private readonly summaries: AppSummariesService) {}

  /**
   * Lists how apps are doing: what their channels deliver and to how many devices, their last build and what is on its way
   * to stores. Apps that the caller cannot see are left out. Devices are counted in the background while someone asks, every
   * ten seconds: a response has the last counts, or `null`. Also requires the permissions `channels:read`,
   * `deployments:read` and `builds:read`.
   */
  @Get()
  @Requires('insights:read')
  @ScopedToApps()
  list(
    @Caller() caller: Principal,
    @IdParam('organizationId') organizationId: string,
    @Query() query: ListAppSummariesQuery,
  ): Promise<AppSummaryDto[]> {
    return this.summaries.list(caller, organizationId.toLowerCase(), query);
  }
}
