import { Body, Controller, Post, Query, UploadedFile } from '@nestjs/common';
import { ApiCreatedResponse } from '@nestjs/swagger';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
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
import { BuildDto } from '../builds/build.dto.js';
import { BuildsPresenter } from '../builds/builds.presenter.js';
import { CreateImportDto } from './create-import.dto.js';
import { ImportsService } from './imports.service.js';

@ApiTags('Builds')
@Controller('apps/:appId/builds')
export class ImportsController {
  constructor(
    private readonly imports: ImportsService,
    private readonly uploads: UploadsService,
    private readonly presenter: BuildsPresenter,
  ) {}

  /**
   * Imports an `apk`, `aab` or `ipa` that was built elsewhere: creates a build with a job. Upload the file in parts to its
   * artifact (`appBuildArtifactId`) within 24 hours. Then the job reads it, and the build is as one of a runner.
   */
  @Post('imports')
  @Requires('builds:write')
  @ApiCreatedResponse({ type: BuildDto })
  @ApiErrors(
    'build_numbers_used_up',
    'imports_pending',
    'insufficient_storage',
    'storage_quota_exceeded',
    'storage_unavailable',
  )
  async create(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @Body() body: CreateImportDto,
  ): Promise<BuildDto> {
    return this.presenter.presentOne(await this.imports.create(app, caller.userId, body));
  }

  /**
   * Starts an upload in parts of an imported file (`action=mpu-create`), or joins its parts (`action=mpu-complete`). Size and
   * SHA-256 must be the announced ones. The job of the import begins with the completion.
   */
  @PostUpload(':buildId/artifacts/:buildArtifactId/upload', 'import_ended')
  @Requires('builds:write')
  @RateLimit('none')
  async postUpload(
    @CurrentApp() app: App,
    @IdParam('buildId') buildId: string,
    @IdParam('buildArtifactId') artifactId: string,
    @Query() query: PostUploadQuery,
    @Body() body: CompleteUploadDto,
  ): Promise<UploadStepDto> {
    return this.uploads.post(await this.imports.targetOf(app, buildId, artifactId), query, body);
  }

  /**
   * Stores one part of an imported file. Every part but the last has 10 MiB. You can send parts in any order, in parallel
   * and repeatedly; a part replaces an earlier one of the same number.
   */
  @PutUpload(':buildId/artifacts/:buildArtifactId/upload', 'import_ended')
  @Requires('builds:write')
  @RateLimit('none')
  async putPart(
    @CurrentApp() app: App,
    @IdParam('buildId') buildId: string,
    @IdParam('buildArtifactId') artifactId: string,
    @Query() query: PutUploadQuery,
    @Body() body: UploadPartDto,
    @UploadedFile() blob: StagedFile | undefined,
  ): Promise<UploadedPartDto> {
    return this.uploads.put(() => this.imports.targetOf(app, buildId, artifactId), query, body, blob);
  }
}
