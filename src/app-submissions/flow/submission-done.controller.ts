import { Controller, HttpCode, Post } from '@nestjs/common';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { SubmissionsPresenter } from '../releases/submissions.presenter.js';
import { SubmissionDto } from '../submissions/submission.dto.js';
import { SubmissionDoneService } from './submission-done.service.js';

@ApiTags('Deployments')
@Controller('apps/:appId/deployments')
export class SubmissionDoneController {
  constructor(
    private readonly done: SubmissionDoneService,
    private readonly presenter: SubmissionsPresenter,
  ) {}

  /**
   * Marks a submission as done whose state is `failed_with_action_required`, after a person has sent its release for review
   * in the store. Slipway asks the store whether that is so. Submissions that wait for it go on.
   */
  @Post(':deploymentId/done')
  @HttpCode(200)
  @Requires('submissions:write')
  @OwnTransactions()
  @ApiErrors('submission_not_found', 'submission_state')
  async markAsDone(
    @CurrentApp() app: App,
    @IdParam('deploymentId') deploymentId: string,
  ): Promise<SubmissionDto> {
    return this.presenter.presentOne(await this.done.markAsDone(app, deploymentId));
  }
}
