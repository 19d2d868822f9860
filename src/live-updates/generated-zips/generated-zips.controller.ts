import type { Readable } from 'node:stream';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { Public } from '../../common/access/requires.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { KeptRows } from '../../database/outages/kept-rows.js';
import { DownloadCountsService } from '../../native-builds/build-artifacts/download-counts.service.js';
import type { Blob } from '../../storage/blobs/blob.entity.js';
import { BlobChecksService } from '../../storage/blobs/blob-checks.service.js';
import { BlobsService } from '../../storage/blobs/blobs.service.js';
import { sendBlob } from '../../storage/blobs/send-blob.js';
import { DownloadRedirects } from '../../storage/redirects/download-redirects.service.js';
import { ObjectNotFoundError } from '../../storage/storage-errors.js';
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
    private readonly blobs: BlobsService,
    private readonly checks: BlobChecksService,
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
    this.counts.count(
      bundleId,
      'zip',
      await sendBlob(response, zip, () => this.open(zip), headers, { redirect }),
    );
  }

  private async findRedirect(zip: Blob, request: Request): Promise<string | null> {
    if (!verifiesZips(request)) return null;
    return this.redirects.find(request, {
      blob: zip,
      contentType: 'application/zip',
      contentDisposition: 'attachment; filename="bundle.zip"',
      cacheControl: 'public, max-age=31536000, immutable',
      isPublic: true,
    });
  }

  /** A zip that is gone is recorded as damaged, so that devices are offered the single files until it is made again. */
  private async open(zip: Blob): Promise<Readable> {
    try {
      return await this.blobs.open(zip);
    } catch (error) {
      if (!(error instanceof ObjectNotFoundError)) throw error;
      await this.checks.checkPresence(await this.blobs.get(zip.id));
      this.worker.wake();
      throw new NotFoundError('File');
    }
  }
}
