import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { AppAccessService } from '../../apps/app-access/app-access.service.js';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { DeploymentDto } from '../deployments/deployment.dto.js';
import { DeploymentsPresenter } from '../deployments/deployments.presenter.js';
import { StoreReleaseRequests } from '../deployments/stores/store-release-requests.service.js';
import { ReleaseDeploymentDto } from './release-deployment.dto.js';

@ApiTags('Deployments')
@Controller('apps/:appId/deployments/:deploymentId')
export class StoreReleasesController {
  constructor(
    private readonly requests: StoreReleaseRequests,
    private readonly presenter: DeploymentsPresenter,
    private readonly access: AppAccessService,
  ) {}

  /**
   * Releases a version that the App Store has approved and that waits for you, or for its date. A job does it: see
   * `submission.openAction`. The same request again returns the same change. During a freeze of the destination, it requires
   * `emergency` and the permission `deployments:override`.
   */
  @Post('release')
  @HttpCode(200)
  @Requires('submissions:write')
  @ApiErrors('destination_frozen', 'release_busy', 'release_state', 'submission_not_found')
  async release(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('deploymentId') deploymentId: string,
    @Body() { emergency }: ReleaseDeploymentDto,
  ): Promise<DeploymentDto> {
    if (emergency) await this.access.require(caller, app.id, 'deployments:override');
    const released = await this.requests.release(app, deploymentId, { emergency });
    return this.presenter.presentOne(released);
  }

  /**
   * Takes a version out of the review of the App Store, also during a freeze. A job does it, and waits until Apple has ended
   * the review: see `submission.openAction`. The same request again returns the same change.
   */
  @Post('withdraw')
  @HttpCode(200)
  @Requires('submissions:write')
  @ApiErrors('release_busy', 'release_state', 'submission_not_found')
  async withdraw(
    @CurrentApp() app: App,
    @IdParam('deploymentId') deploymentId: string,
  ): Promise<DeploymentDto> {
    return this.presenter.presentOne(await this.requests.withdraw(app, deploymentId));
  }
}
