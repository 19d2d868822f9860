import { Body, Controller, Delete, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { OwnTransactions } from '../../database/own-transactions.decorator.js';
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
   * Creates a web build with its bundle. Without `url`, its files are to be uploaded and the bundle to be made ready;
   * with `url`, it is registered and deployed at once.
   */
  @Post()
  @Requires('bundles:write')
  @ApiErrors(409)
  create(@CurrentApp() app: App, @Body() body: CreateBundleDto): Promise<BundleDto> {
    return this.bundles.create(app, body);
  }

  /**
   * Changes a bundle. With `artifactStatus: ready` it is verified and deployed in one step: all of it or nothing.
   * Repeating that is harmless.
   */
  @Patch(':bundleId')
  @OwnTransactions()
  @Requires('bundles:write')
  @ApiErrors(409)
  update(
    @CurrentApp() app: App,
    @IdParam('bundleId') bundleId: string,
    @Body() body: UpdateBundleDto,
  ): Promise<BundleDto> {
    return this.publication.update(app.id, bundleId, body);
  }

  /** Deletes a bundle with its build and its deployments. Devices keep what they have installed. */
  @Delete(':bundleId')
  @HttpCode(204)
  @Requires('bundles:write')
  @ApiErrors(409)
  async delete(@CurrentApp() app: App, @IdParam('bundleId') bundleId: string): Promise<void> {
    await this.bundles.delete(app.id, bundleId);
  }
}
