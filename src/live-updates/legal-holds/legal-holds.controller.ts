import { Body, Controller, Delete, HttpCode, Put } from '@nestjs/common';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { BuildArtifactsService } from '../../native-builds/build-artifacts/build-artifacts.service.js';
import { BundleDto, toBundleDto } from '../bundles/bundle.dto.js';
import { BundlesService } from '../bundles/bundles.service.js';
import { PutLegalHoldDto } from './put-legal-hold.dto.js';

/** Legal holds on bundles. The database itself refuses to delete a held one, whatever the deletion is a part of. */
@ApiTags('Bundles')
@Controller('apps/:appId/bundles/:bundleId/legal-hold')
export class LegalHoldsController {
  constructor(
    private readonly bundles: BundlesService,
    private readonly artifacts: BuildArtifactsService,
  ) {}

  /**
   * Puts a bundle under legal hold, or changes the reason. Until you release the hold, neither people nor retention can
   * delete the bundle, its build, its app or its organization.
   */
  @Put()
  @Requires('legal-holds:write')
  async put(
    @CurrentApp() app: App,
    @IdParam('bundleId') bundleId: string,
    @Body() body: PutLegalHoldDto,
  ): Promise<BundleDto> {
    const bundle = await this.bundles.setLegalHold(app.id, bundleId, body.reason);
    return toBundleDto(bundle, await this.artifacts.get(bundleId));
  }

  /** Releases a bundle from legal hold. Does nothing if there is no hold. */
  @Delete()
  @HttpCode(204)
  @Requires('legal-holds:write')
  async delete(@CurrentApp() app: App, @IdParam('bundleId') bundleId: string): Promise<void> {
    await this.bundles.setLegalHold(app.id, bundleId, null);
  }
}
