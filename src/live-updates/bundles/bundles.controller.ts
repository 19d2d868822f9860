import { Body, Controller, Delete, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { BundleDto } from './bundle.dto.js';
import { BundlePublicationService } from './bundle-publication.service.js';
import { BundlesService } from './bundles.service.js';
import { CreateBundleDto } from './create-bundle.dto.js';
import { UpdateBundleDto } from './update-bundle.dto.js';

@ApiTags('Bundles')
@Controller('apps/:appId/bundles')
export class BundlesController {
  constructor(
    private readonly bundles: BundlesService,
    private readonly publication: BundlePublicationService,
  ) {}

  /**
   * Creates a web build with its bundle. Without `url`, upload the files, then publish the bundle with
   * `artifactStatus: ready`. With `url`, the bundle is registered and deployed at once.
   */
  @Post()
  @Requires('bundles:write')
  @ApiErrors(
    'build_numbers_used_up',
    'channel_frozen',
    'channel_not_found',
    'conflict',
    'invalid_signature',
    'unsigned_bundle',
  )
  create(@CurrentApp() app: App, @Body() body: CreateBundleDto): Promise<BundleDto> {
    return this.bundles.create(app, body);
  }

  /**
   * Updates a bundle. With `artifactStatus: ready`, it verifies, publishes and deploys the bundle, or changes nothing.
   * The request is safe to repeat.
   */
  @Patch(':bundleId')
  @OwnTransactions()
  @Requires('bundles:write')
  @ApiErrors(
    'channel_frozen',
    'channel_not_found',
    'conflict',
    'incomplete_bundle',
    'invalid_manifest',
    'invalid_signature',
    'invalid_zip',
    'unsafe_reuse',
    'unsigned_bundle',
  )
  update(
    @CurrentApp() app: App,
    @IdParam('bundleId') bundleId: string,
    @Body() body: UpdateBundleDto,
  ): Promise<BundleDto> {
    return this.publication.update(app.id, bundleId, body);
  }

  /** Deletes a bundle with its build and its deployments. Devices keep their installed bundles. */
  @Delete(':bundleId')
  @HttpCode(204)
  @Requires('bundles:write')
  @ApiErrors('legal_hold')
  async delete(@CurrentApp() app: App, @IdParam('bundleId') bundleId: string): Promise<void> {
    await this.bundles.delete(app.id, bundleId);
  }
}
