import { Body, Controller, Post, Query, UploadedFile, UseGuards, UseInterceptors } from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { ApiConsumes } from '@nestjs/swagger';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { StorageReserveGuard } from '../../storage/storage-reserve.guard.js';
import type { StagedFile } from '../../storage/blobs/staging-engine.js';
import { BundleFileDto, CreateBundleFileDto } from './bundle-file.dto.js';
import { BundleFilesService } from './bundle-files.service.js';
import {
  CompleteUploadDto,
  PostUploadQuery,
  PutUploadQuery,
  UploadedPartDto,
  UploadPartDto,
  UploadStepDto,
} from '../../storage/uploads/file-upload.dto.js';
import { PostUpload, PutUpload } from '../../storage/uploads/upload-routes.decorators.js';
import { UploadsService } from '../../storage/uploads/uploads.service.js';

@OwnTransactions()
@ApiTags('Bundles')
@Controller('apps/:appId/bundles/:bundleId/files')
export class BundleFilesController {
  constructor(
    private readonly files: BundleFilesService,
    private readonly uploads: UploadsService,
  ) {}

  /**
   * Adds a file to an unpublished bundle, or replaces the file with the same path. Without the part `file`, the request
   * only announces the file: upload its bytes in parts.
   */
  @Post()
  @Requires('bundles:write')
  @RateLimit('none')
  @ApiConsumes('multipart/form-data')
  @UseGuards(StorageReserveGuard)
  @UseInterceptors(FileInterceptor('file'))
  @ApiErrors(
    'bundle_published',
    'conflict',
    'insufficient_storage',
    'storage_quota_exceeded',
    'storage_unavailable',
  )
  async create(
    @CurrentApp() app: App,
    @IdParam('bundleId') bundleId: string,
    @Body() body: CreateBundleFileDto,
    @UploadedFile() file: StagedFile | undefined,
  ): Promise<BundleFileDto> {
    const { id } = await this.files.create(app, bundleId, body, file?.staged ?? null);
    return { id };
  }

  /**
   * Starts an upload in parts (`action=mpu-create`), or joins its parts to the file (`action=mpu-complete`). The size
   * and the checksum of the joined file must match the announced ones.
   */
  @PostUpload(':bundleFileId/upload', 'bundle_published')
  @Requires('bundles:write')
  @RateLimit('none')
  async postUpload(
    @CurrentApp() app: App,
    @IdParam('bundleId') bundleId: string,
    @IdParam('bundleFileId') fileId: string,
    @Query() query: PostUploadQuery,
    @Body() body: CompleteUploadDto,
  ): Promise<UploadStepDto> {
    return this.uploads.post(await this.files.targetOf(app, bundleId, fileId), query, body);
  }

  /**
   * Stores one part of a file. Every part but the last has 10 MiB. You can send parts in any order, in parallel and
   * repeatedly; a part replaces an earlier one of the same number. A part is rejected if the other parts already exceed
   * the announced size.
   */
  @PutUpload(':bundleFileId/upload')
  @Requires('bundles:write')
  @RateLimit('none')
  async putPart(
    @CurrentApp() app: App,
    @IdParam('bundleId') bundleId: string,
    @IdParam('bundleFileId') fileId: string,
    @Query() query: PutUploadQuery,
    @Body() body: UploadPartDto,
    @UploadedFile() blob: StagedFile | undefined,
  ): Promise<UploadedPartDto> {
    return this.uploads.put(() => this.files.targetOf(app, bundleId, fileId), query, body, blob);
  }
}
