import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { Public } from '../../common/access/requires.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { DownloadCountsService } from '../../native-builds/build-artifacts/download-counts.service.js';
import { BlobDownloads } from '../../storage/blob-downloads/blob-downloads.service.js';
import { CHECKSUM_HEADER } from '../bundle-content/integrity-headers.js';
import { DeltaQuery } from './delta-query.dto.js';
import { DeltasService } from './deltas.service.js';

@ApiTags('Devices: live updates')
@Controller('apps/:appId/bundles/:bundleId/delta')
export class DeltasController {
  constructor(
    private readonly deltas: DeltasService,
    private readonly counts: DownloadCountsService,
    private readonly downloads: BlobDownloads,
  ) {}

  /**
   * Downloads the difference between two bundles as a zip. It contains the manifest of the bundle, and its files whose
   * content the bundle `from` does not have. Both must be published manifest bundles of the app that have been deployed. Like downloads, this needs
   * the ids, but no token.
   */
  @Get()
  @Public()
  @RateLimit('devices')
  @ApiProduces('application/zip')
  @ApiOkResponse({
    schema: { type: 'string', format: 'binary' },
    headers: {
      'X-Checksum': {
        description: 'SHA-256 of the zip, lower-case hexadecimal.',
        required: true,
        schema: { type: 'string' },
      },
      'X-Manifest-Signature': {
        description: 'Base64 signature of the manifest in the zip, when signed.',
        schema: { type: 'string' },
      },
    },
  })
  @ApiErrors(
    'delta_queue_full',
    'file_damaged',
    'insufficient_storage',
    'not_a_manifest_bundle',
    'storage_unavailable',
  )
  async get(
    @IdParam('appId') appId: string,
    @IdParam('bundleId') bundleId: string,
    @Query() query: DeltaQuery,
    @Res() response: Response,
  ): Promise<void> {
    const pair = { from: query.from.toLowerCase(), to: bundleId };
    const { archive, manifestSignature } = await this.deltas.get(appId, pair);
    const sent = await this.downloads.send(response, archive, {
      'Content-Type': 'application/zip',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Disposition': 'attachment; filename="delta.zip"',
      [CHECKSUM_HEADER]: archive.sha256,
      ...(manifestSignature === null ? {} : { 'X-Manifest-Signature': manifestSignature }),
    });
    this.counts.count(bundleId, 'delta', sent);
  }
}
