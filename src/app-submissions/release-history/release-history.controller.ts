import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { UsersService } from '../../accounts/users/users.service.js';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { sendPage } from '../../common/pagination/page.js';
import { ReleaseEventDto, toReleaseEventDto } from './release-event.dto.js';
import { ReleaseHistory } from './release-history.service.js';

@ApiTags('Deployments')
@Controller('apps/:appId/deployments')
export class ReleaseHistoryController {
  constructor(
    private readonly history: ReleaseHistory,
    private readonly users: UsersService,
  ) {}

  /** Lists what happened to the release of a deployment to a store, oldest first: who did what, and what the store said. */
  @Get(':deploymentId/history')
  @Requires('deployments:read')
  @ApiPage(ReleaseEventDto)
  @ApiErrors('submission_not_found')
  async list(
    @CurrentApp() app: App,
    @IdParam('deploymentId') deploymentId: string,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ReleaseEventDto[]> {
    const page = await this.history.list(app.id, deploymentId, query);
    // One statement for any number.
    const users = await this.users.referencesTo(page.items.map(({ userId }) => userId));
    return sendPage(response, query, page, (event) =>
      toReleaseEventDto(event, users.get(event.userId ?? '') ?? null),
    );
  }
}
