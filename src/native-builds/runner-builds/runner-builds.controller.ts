import { Body, Controller, Get, Patch, Res, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import type { Response } from 'express';
import { AuthenticatedBy } from '../../common/access/authenticated-by.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { NoStore } from '../../common/http/no-store.decorator.js';
import { ApiSuccess } from '../../common/openapi/api-success.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { CurrentLease } from '../../jobs/runner-jobs/current-lease.decorator.js';
import { JobTokenGuard } from '../../jobs/runner-jobs/job-token.guard.js';
import { Lease } from '../../jobs/job-leases/lease.js';
import { BlobDownloads } from '../../storage/blob-downloads/blob-downloads.service.js';
import { BlobsService } from '../../storage/blobs/blobs.service.js';
import { BuildPayloadDto } from './build-payload.dto.js';
import { BuildPayloadService } from './build-payload.service.js';
import { RunnerBuildsService } from './runner-builds.service.js';
import { RunnerBuildDto, UpdateRunnerBuildDto } from './runner-artifact.dto.js';

@ApiTags('Runner protocol')
@Controller('runner/job')
@UseGuards(JobTokenGuard)
export class RunnerBuildsController {
  constructor(
    private readonly payloads: BuildPayloadService,
    private readonly builds: RunnerBuildsService,
    private readonly blobs: BlobsService,
    private readonly downloads: BlobDownloads,
  ) {}

  /**
   * Gets what the runner needs for its build: source, variables, secrets, certificate and configuration in clear. The
   * audit log records it.
   */
  @Get('payload')
  @NoStore()
  @AuthenticatedBy('job')
  @ApiErrors('lease_lost', 'build_not_found', 'build_source_not_found', 'conflict')
  async payload(@CurrentLease() lease: Lease): Promise<BuildPayloadDto> {
    return this.payloads.get(lease);
  }

  /** Downloads the source of the build, if it is a zip. */
  @Get('source')
  @AuthenticatedBy('job')
  @ApiProduces('application/zip')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiErrors(
    'lease_lost',
    'blob_not_found',
    'build_not_found',
    'build_source_not_found',
    'file_damaged',
    'storage_unavailable',
  )
  async source(@CurrentLease() lease: Lease, @Res() response: Response): Promise<void> {
    const { blobId } = await this.payloads.archive(lease);
    const blob = await this.blobs.get(blobId);
    response.attachment('source.zip');
    await this.downloads.send(response, blob, {
      'Content-Type': 'application/zip',
      'Cache-Control': 'no-store',
    });
  }

  /** Stores what the runner has found out about its build. Omitted fields do not change; `null` clears a field. */
  @Patch('build')
  @ApiSuccess('The build was changed.')
  @AuthenticatedBy('job')
  @ApiErrors('lease_lost', 'build_not_found')
  async update(@CurrentLease() lease: Lease, @Body() body: UpdateRunnerBuildDto): Promise<RunnerBuildDto> {
    return { id: await this.builds.update(lease, body) };
  }
}
