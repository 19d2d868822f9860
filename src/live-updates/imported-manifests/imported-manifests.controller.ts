import { Body, Controller, Post, UploadedFile, UseInterceptors } from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { ApiConsumes } from '@nestjs/swagger';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { ImportedManifestDto, ImportManifestDto } from './imported-manifest.dto.js';
import { ImportedManifestsService } from './imported-manifests.service.js';

@ApiTags('Bundles')
@Controller('apps/:appId/imported-manifests')
export class ImportedManifestsController {
  constructor(private readonly manifests: ImportedManifestsService) {}

  /**
   * Stores the manifest of a bundle of another server, which devices still run, under the id that they report. Slipway then
   * compares signed bundles with it, as with manifests of its own. Replaces an earlier one of this id.
   */
  @Post()
  @OwnTransactions()
  @Requires('bundles:write')
  @ApiConsumes('multipart/form-data')
  @UseInterceptors(FileInterceptor('file'))
  @ApiErrors('conflict', 'invalid_manifest')
  async import(
    @CurrentApp() app: App,
    @Body() { bundleId }: ImportManifestDto,
    @UploadedFile() file: Pick<Express.Multer.File, 'buffer'> | undefined,
  ): Promise<ImportedManifestDto> {
    return this.manifests.import(app.id, bundleId, file?.buffer ?? null);
  }
}
