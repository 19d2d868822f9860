import { Body, Controller, Get, Post, Query, Res, UploadedFile } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { TokenOnly } from '../../common/access/token-only.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { BlobDownloads } from '../../storage/blob-downloads/blob-downloads.service.js';
import { BlobsService } from '../../storage/blobs/blobs.service.js';
import type { StagedFile } from '../../storage/blobs/staging-engine.js';
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
import { BuildSourceDto, toBuildSourceDto, CreateBuildSourceDto } from './build-source.dto.js';
import { BuildSourcesService } from './build-sources.service.js';

@ApiTags('Builds')
@Controller('apps/:appId/build-sources')
export class BuildSourcesController {
  constructor(
    private readonly sources: BuildSourcesService,
    private readonly uploads: UploadsService,
    private readonly blobs: BlobsService,
    private readonly downloads: BlobDownloads,
  ) {}

  /**
   * Creates the source of a build: the zip of a project folder. With `fileSizeInBytes`, upload the zip in parts next.
   * With `fileUrl`, the server fetches it; builds of it wait until it is there.
   */
  @Post()
  @Requires('builds:write')
  @ApiErrors('build_sources_pending', 'insufficient_storage', 'storage_quota_exceeded', 'storage_unavailable')
  async create(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @Body() body: CreateBuildSourceDto,
  ): Promise<BuildSourceDto> {
    return toBuildSourceDto(await this.sources.create(app, caller.userId, body));
  }

  /** Gets a source. */
  @Get(':buildSourceId')
  @Requires('builds:read')
  async get(@CurrentApp() app: App, @IdParam('buildSourceId') sourceId: string): Promise<BuildSourceDto> {
    return toBuildSourceDto(await this.sources.get(app.id, sourceId));
  }

  /** Starts an upload in parts (`action=mpu-create`), or joins its parts to the source (`action=mpu-complete`). */
  @PostUpload(':buildSourceId/upload', 'invalid_source')
  @Requires('builds:write')
  @RateLimit('none')
  async postUpload(
    @CurrentApp() app: App,
    @IdParam('buildSourceId') sourceId: string,
    @Query() query: PostUploadQuery,
    @Body() body: CompleteUploadDto,
  ): Promise<UploadStepDto> {
    return this.uploads.post(await this.sources.targetOf(app, sourceId), query, body);
  }

  /**
   * Stores one part of a source. Every part but the last has 10 MiB. You can send parts in any order, in parallel and
   * repeatedly; a part replaces an earlier one of the same number.
   */
  @PutUpload(':buildSourceId/upload', 'conflict')
  @Requires('builds:write')
  @RateLimit('none')
  async putPart(
    @CurrentApp() app: App,
    @IdParam('buildSourceId') sourceId: string,
    @Query() query: PutUploadQuery,
    @Body() body: UploadPartDto,
    @UploadedFile() blob: StagedFile | undefined,
  ): Promise<UploadedPartDto> {
    return this.uploads.put(() => this.sources.targetOf(app, sourceId), query, body, blob);
  }

  /** Downloads a source. */
  @Get(':buildSourceId/download')
  @Requires('builds:read')
  @TokenOnly()
  @ApiProduces('application/zip')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiErrors('blob_not_found', 'file_damaged', 'storage_unavailable')
  async download(
    @CurrentApp() app: App,
    @IdParam('buildSourceId') sourceId: string,
    @Res() response: Response,
  ): Promise<void> {
    const source = await this.sources.getReady(app.id, sourceId);
    const blob = await this.blobs.get(source.blobId);
    response.attachment('source.zip');
    await this.downloads.send(response, blob, {
      'Content-Type': 'application/zip',
      'Cache-Control': 'private, no-cache',
    });
  }
}
