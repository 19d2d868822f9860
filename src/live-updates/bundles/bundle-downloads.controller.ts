import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiNotModifiedResponse, ApiOkResponse, ApiProduces, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../common/access/requires.decorator.js';
import { ApiErrorAs, ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { rawQueryValue, readingsOf } from '../../common/http/raw-query.js';
import { BlobsService } from '../../storage/blobs/blobs.service.js';
import { sendBlob } from '../../storage/blobs/send-blob.js';
import { BundleDownloadsQueries, type DownloadableFile } from './bundle-downloads.queries.js';

@ApiTags('Devices: live updates')
@Controller('apps/:appId/bundles/:bundleId/download')
export class BundleDownloadsController {
  constructor(
    private readonly queries: BundleDownloadsQueries,
    private readonly blobs: BlobsService,
  ) {}

  /**
   * The bytes of a published bundle: the zip, or with `href` one file of the manifest form. They never change.
   * Any published bundle of the app is served, also one that was superseded: a device may be in the middle of it.
   */
  @Get()
  @Public()
  @ApiQuery({
    name: 'href',
    required: false,
    description: 'Path of the file inside a bundle in manifest form, such as `assets/app.js`.',
    schema: { type: 'string' },
  })
  @ApiProduces('application/octet-stream')
  @ApiOkResponse({
    schema: { type: 'string', format: 'binary' },
    headers: {
      'X-Checksum': {
        description: 'SHA-256 of the bytes, lower-case hexadecimal.',
        schema: { type: 'string' },
      },
      'X-Signature': {
        description: 'Base64 signature of the bytes, when signed.',
        schema: { type: 'string' },
      },
      ETag: { schema: { type: 'string' } },
    },
  })
  @ApiNotModifiedResponse({ description: 'The client has these bytes already.' })
  @ApiErrors(400)
  @ApiErrorAs(401, 'A token was sent that is not valid; none is needed here.')
  async download(
    @IdParam('appId') appId: string,
    @IdParam('bundleId') bundleId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const raw = rawQueryValue(request.originalUrl, 'href');
    const file = await this.find(appId, bundleId, raw === null ? [null] : readingsOf(raw));
    await sendBlob(response, file, () => this.blobs.open({ id: file.blobId }), {
      'Content-Type': file.mimeType,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      'Content-Disposition': 'attachment',
      'X-Checksum': file.sha256,
      ...(file.signature === null ? {} : { 'X-Signature': file.signature }),
    });
  }

  private async find(
    appId: string,
    bundleId: string,
    hrefs: readonly (string | null)[],
  ): Promise<DownloadableFile> {
    for (const href of hrefs) {
      const file = await this.queries.find(appId, bundleId, href);
      if (file !== null) return file;
    }
    throw new NotFoundError('File');
  }
}
