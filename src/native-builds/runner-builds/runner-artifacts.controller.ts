import { Body, Controller, Post, Query, UploadedFile, UseGuards } from '@nestjs/common';
import { AuthenticatedBy } from '../../common/access/authenticated-by.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { CurrentLease } from '../../jobs/runner-jobs/current-lease.decorator.js';
import { JobTokenGuard } from '../../jobs/runner-jobs/job-token.guard.js';
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
import { PostUpload, PutUpload } from '../../storage/uploads/upload-routes.decorators.js';
import { UploadsService } from '../../storage/uploads/uploads.service.js';
import { CreateRunnerArtifactDto, RunnerArtifactDto } from './runner-artifact.dto.js';
import { RunnerArtifactsService } from './runner-artifacts.service.js';

@ApiTags('Runner protocol')
@Controller('runner/job/artifacts')
@UseGuards(JobTokenGuard)
export class RunnerArtifactsController {
  constructor(
    private readonly artifacts: RunnerArtifactsService,
    private readonly uploads: UploadsService,
  ) {}

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
   * SHA-256 must be the announced ones. An apk, aab or ipa must be a valid one, and the zip of a web build a valid bundle.
   */
  @PostUpload(
    ':buildArtifactId/upload',
    'lease_lost',
    'build_artifact_not_found',
    'build_not_found',
    'artifact_reader_busy',
    'certificate_reader_busy',
    'incomplete_bundle',
    'invalid_artifact',
    'invalid_signature',
    'invalid_zip',
    'unsafe_reuse',
  )
  @AuthenticatedBy('job')
  async postUpload(
    @CurrentLease() lease: Lease,
    @IdParam('buildArtifactId') artifactId: string,
    @Query() query: PostUploadQuery,
    @Body() body: CompleteUploadDto,
  ): Promise<UploadStepDto> {
    return this.uploads.post(await this.artifacts.targetOf(lease, artifactId), query, body);
  }

  /** Stores one part. Every part but the last has 10 MiB. Parts may arrive in any order and repeatedly. */
  @PutUpload(':buildArtifactId/upload', 'lease_lost', 'build_artifact_not_found', 'build_not_found')
  @AuthenticatedBy('job')
  async putPart(
    @CurrentLease() lease: Lease,
    @IdParam('buildArtifactId') artifactId: string,
    @Query() query: PutUploadQuery,
    @Body() body: UploadPartDto,
    @UploadedFile() blob: StagedFile | undefined,
  ): Promise<UploadedPartDto> {
    return this.uploads.put(() => this.artifacts.targetOf(lease, artifactId), query, body, blob);
  }
}
