import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { DamagedFileError, NotFoundError } from '../../common/errors/app-error.js';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { Public } from '../../common/access/requires.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { KeptRows } from '../../database/outages/kept-rows.js';
import { DownloadCountsService } from '../../native-builds/build-artifacts/download-counts.service.js';
import { BlobDownloads } from '../../storage/blob-downloads/blob-downloads.service.js';
import type { Blob } from '../../storage/blobs/blob.entity.js';
import type { PresignedObject } from '../../storage/object-storage.js';
import { DownloadRedirects } from '../../storage/redirects/download-redirects.service.js';
import { ApiStoreRedirect } from '../../storage/redirects/api-store-redirect.decorator.js';
import { CHECKSUM_HEADER } from '../bundle-content/integrity-headers.js';
import { verifiesZips } from '../bundle-content/verifies-zips.js';
import { GeneratedZipsQueries } from './generated-zips.queries.js';
import { GeneratedZipsWorker } from './generated-zips.worker.js';

@ApiTags('Devices: live updates')
@Controller('apps/:appId/bundles/:bundleId/download/zip')
export class GeneratedZipsController {
  constructor(
    private readonly queries: GeneratedZipsQueries,
    private readonly rows: KeptRows,
    private readonly counts: DownloadCountsService,
    private readonly downloads: BlobDownloads,
    private readonly worker: GeneratedZipsWorker,
    private readonly redirects: DownloadRedirects,
  ) {}

  /**
   * Downloads the zip that Slipway has generated of an unsigned manifest bundle: its files and the named manifest. Devices
   * without a bundle are offered it instead of the single files, as soon as it exists. The bytes never change.
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
    },
  })
  @ApiStoreRedirect()
  @ApiErrors('file_damaged', 'file_not_found', 'storage_unavailable')
  async get(
    @IdParam('appId') appId: string,
    @IdParam('bundleId') bundleId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const zip = await this.rows.find(appId, `${bundleId}.zip`, () => this.queries.find(appId, bundleId));
    if (zip === null) throw new NotFoundError('File');
    const headers = {
      'Content-Type': 'application/zip',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Disposition': 'attachment; filename="bundle.zip"',
      [CHECKSUM_HEADER]: zip.sha256,
    };
    const redirect = () => this.rows.opening(() => this.findRedirect(zip, request));
    const opening = <R>(open: () => Promise<R>) => this.rows.opening(open);
    const sending = this.downloads.send(response, zip, headers, { redirect, opening });
    this.counts.count(bundleId, 'zip', await sending.catch((error: unknown) => this.makeAgain(error)));
  }

  private async findRedirect(zip: Blob, request: Request): Promise<PresignedObject | null> {
    if (!verifiesZips(request)) return null;
    return this.redirects.find(request, {
      blob: zip,
      contentType: 'application/zip',
      contentDisposition: 'attachment; filename="bundle.zip"',
      cacheControl: 'public, max-age=31536000, immutable',
      isPublic: true,
    });
  }

  /** A zip that is damaged is recorded as such, so that devices are offered the single files until it is made again. */
  private makeAgain(error: unknown): never {
    if (error instanceof DamagedFileError) this.worker.wake();
    throw error;
  }
}
