import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { sendPage } from '../../common/pagination/page.js';
import { SubmissionRequestDto, toSubmissionRequestDto } from './submission-request.dto.js';
import { SubmissionRequestsService } from './submission-requests.service.js';

@ApiTags('Deployments')
@Controller('apps/:appId/deployments')
export class SubmissionRequestsController {
  constructor(private readonly requests: SubmissionRequestsService) {}

  /**
   * Lists the calls of the store that the submission of a deployment and the changes of its release made, oldest first: the
   * latest 2,000 of each, for 30 days. Secrets and e-mail addresses are masked.
   */
  @Get(':deploymentId/requests')
  @Requires('deployments:write')
  @ApiPage(SubmissionRequestDto)
  @ApiErrors('submission_not_found')
  async list(
    @CurrentApp() app: App,
    @IdParam('deploymentId') deploymentId: string,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SubmissionRequestDto[]> {
    const page = await this.requests.list(app.id, deploymentId, query);
    return sendPage(response, query, page, (request) => toSubmissionRequestDto(request, deploymentId));
  }
}
