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
import { AuthenticatedBy } from '../../common/access/authenticated-by.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { invalidField } from '../../common/errors/app-error.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiSuccess } from '../../common/openapi/api-success.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { CurrentLease } from '../../jobs/job-leases/current-lease.decorator.js';
import { JobTokenGuard } from '../../jobs/job-leases/job-token.guard.js';
import { Lease } from '../../jobs/job-leases/lease.js';
import type { StagedFile } from '../../storage/blobs/staging-engine.js';
import {
  CompleteUploadDto,
  PostUploadQuery,
  PutUploadQuery,
  UploadedPartDto,
  UploadPartDto,
  UploadStepDto,
} from '../../storage/uploads/file-upload.dto.js';
import { CreateRunnerArtifactDto, RunnerArtifactDto } from './runner-artifact.dto.js';
import { RunnerArtifactsService } from './runner-artifacts.service.js';

@ApiTags('Runner protocol')
@Controller('runner/job/artifacts')
@UseGuards(JobTokenGuard)
export class RunnerArtifactsController {
  constructor(private readonly artifacts: RunnerArtifactsService) {}

  /**
   * Announces a file that the build has made. Upload its bytes in parts. It cannot be downloaded before the job has
   * succeeded. The request is safe to repeat.
   */
  @Post()
  @AuthenticatedBy('job')
  @ApiErrors('lease_lost', 'build_not_found', 'conflict', 'insufficient_storage', 'storage_quota_exceeded')
  async create(
    @CurrentLease() lease: Lease,
    @Body() body: CreateRunnerArtifactDto,
  ): Promise<RunnerArtifactDto> {
    return { id: (await this.artifacts.create(lease, body)).id };
  }

  /**
   * Starts an upload in parts (`action=mpu-create`), or joins its parts to the file (`action=mpu-complete`). Size and
   * SHA-256 must be the announced ones. The zip of a web build must be a valid bundle.
   */
  @Post(':buildArtifactId/upload')
  @ApiSuccess('The id of the upload that was started; for `mpu-complete`, an empty object.')
  @HttpCode(200)
  @AuthenticatedBy('job')
  @ApiBody({ type: CompleteUploadDto, required: false })
  @ApiErrors(
    'lease_lost',
    'build_artifact_not_found',
    'build_not_found',
    'conflict',
    'file_upload_not_found',
    'incomplete_bundle',
    'insufficient_storage',
    'invalid_signature',
    'invalid_zip',
    'storage_quota_exceeded',
    'storage_unavailable',
    'unsafe_reuse',
  )
  async postUpload(
    @CurrentLease() lease: Lease,
    @IdParam('buildArtifactId') artifactId: string,
    @Query() query: PostUploadQuery,
    @Body() body: CompleteUploadDto,
  ): Promise<UploadStepDto> {
    if (query.action === 'mpu-create')
      return { uploadId: await this.artifacts.beginUpload(lease, artifactId) };
    if (query.uploadId === undefined) throw invalidField('uploadId', 'uploadId is required.');
    if (body.parts === undefined) throw invalidField('parts', 'parts is required.');
    await this.artifacts.complete(lease, artifactId, query.uploadId, body.parts);
    return {};
  }

  /** Stores one part. Every part but the last has 10 MiB. Parts may arrive in any order and repeatedly. */
  @Put(':buildArtifactId/upload')
  @ApiSuccess('The stored part.')
  @AuthenticatedBy('job')
  @ApiConsumes('multipart/form-data')
  @ApiOkResponse({ type: UploadedPartDto })
  @UseInterceptors(FileInterceptor('blob'))
  @ApiErrors(
    'lease_lost',
    'build_artifact_not_found',
    'build_not_found',
    'file_upload_not_found',
    'insufficient_storage',
    'storage_unavailable',
  )
  async putPart(
    @CurrentLease() lease: Lease,
    @IdParam('buildArtifactId') artifactId: string,
    @Query() query: PutUploadQuery,
    @Body() body: UploadPartDto,
    @UploadedFile() blob: StagedFile | undefined,
  ): Promise<UploadedPartDto> {
    if (blob === undefined) throw invalidField('blob', 'blob is required.');
    const { uploadId } = query;
    const etag = await this.artifacts.addPart(lease, artifactId, uploadId, body.partNumber, blob.staged);
    return { etag, partNumber: body.partNumber };
  }
}
