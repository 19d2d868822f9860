import {
  Body,
  Controller,
  HttpCode,
  Post,
  Put,
  Query,
  UploadedFile,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { ApiBody, ApiConsumes, ApiOkResponse } from '@nestjs/swagger';
import { ApiSuccess } from '../../common/openapi/api-success.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { invalidField } from '../../common/errors/app-error.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { StorageReserveGuard } from '../../storage/storage-reserve.guard.js';
import type { StagedFile } from '../../storage/blobs/staging-engine.js';
import { BundleFileDto } from './bundle-file.dto.js';
import { BundleFilesService } from './bundle-files.service.js';
import { CreateBundleFileDto } from './create-bundle-file.dto.js';
import {
  CompleteUploadDto,
  PostUploadQuery,
  PutUploadQuery,
  UploadedPartDto,
  UploadPartDto,
  UploadStepDto,
} from '../../storage/uploads/file-upload.dto.js';
import { FileUploadsService } from './file-uploads.service.js';

@OwnTransactions()
@ApiTags('Bundles')
@Controller('apps/:appId/bundles/:bundleId/files')
export class BundleFilesController {
  constructor(
    private readonly files: BundleFilesService,
    private readonly uploads: FileUploadsService,
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
  @Post(':bundleFileId/upload')
  @ApiSuccess('The id of the upload that was started; for `mpu-complete`, an empty object.')
  @HttpCode(200)
  @Requires('bundles:write')
  @RateLimit('none')
  @ApiBody({ type: CompleteUploadDto, required: false })
  @ApiErrors(
    'bundle_published',
    'conflict',
    'file_upload_not_found',
    'insufficient_storage',
    'storage_quota_exceeded',
    'storage_unavailable',
  )
  async postUpload(
    @CurrentApp() app: App,
    @IdParam('bundleId') bundleId: string,
    @IdParam('bundleFileId') fileId: string,
    @Query() query: PostUploadQuery,
    @Body() body: CompleteUploadDto,
  ): Promise<UploadStepDto> {
    const file = await this.files.get(app.id, bundleId, fileId);
    if (query.action === 'mpu-create') return { uploadId: await this.uploads.create(file) };
    if (query.uploadId === undefined) throw invalidField('uploadId', 'uploadId is required.');
    if (body.parts === undefined) throw invalidField('parts', 'parts is required.');
    await this.uploads.complete(app, file, query.uploadId, body.parts);
    return {};
  }

  /**
   * Stores one part of a file. Every part but the last has 10 MiB. You can send parts in any order, in parallel and
   * repeatedly; a part replaces an earlier one of the same number. A part is rejected if the other parts already exceed
   * the announced size.
   */
  @Put(':bundleFileId/upload')
  @ApiSuccess('The stored part.')
  @Requires('bundles:write')
  @RateLimit('none')
  @ApiConsumes('multipart/form-data')
  @ApiOkResponse({ type: UploadedPartDto })
  @UseInterceptors(FileInterceptor('blob'))
  @ApiErrors('file_upload_not_found', 'insufficient_storage', 'storage_unavailable')
  async putPart(
    @CurrentApp() app: App,
    @IdParam('bundleId') bundleId: string,
    @IdParam('bundleFileId') fileId: string,
    @Query() query: PutUploadQuery,
    @Body() body: UploadPartDto,
    @UploadedFile() blob: StagedFile | undefined,
  ): Promise<UploadedPartDto> {
    if (blob === undefined) throw invalidField('blob', 'blob is required.');
    const target = { appId: app.id, bundleId, fileId, uploadId: query.uploadId };
    const etag = await this.uploads.addPart(target, body.partNumber, blob.staged);
    return { etag, partNumber: body.partNumber };
  }
}
