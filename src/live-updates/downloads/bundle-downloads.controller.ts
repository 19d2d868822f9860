import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiQuery } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { Public } from '../../common/access/requires.decorator.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { rawQueryValue, readingsOf } from '../../common/http/raw-query.js';
import { DownloadCountsService } from '../../native-builds/build-artifacts/download-counts.service.js';
import { BlobsService } from '../../storage/blobs/blobs.service.js';
import { sendBlob } from '../../storage/blobs/send-blob.js';
import { ObjectNotFoundError } from '../../storage/storage-errors.js';
import {
  type BrotliVariant,
  BundleDownloadsQueries,
  type DownloadableFile,
} from './bundle-downloads.queries.js';

@ApiTags('Devices: live updates')
@Controller('apps/:appId/bundles/:bundleId/download')
export class BundleDownloadsController {
  constructor(
    private readonly queries: BundleDownloadsQueries,
    private readonly counts: DownloadCountsService,
    private readonly blobs: BlobsService,
  ) {}

  /**
   * Downloads a published bundle: the zip, or with `href` one file of a manifest bundle. The bytes never change. Superseded
   * bundles stay available, so that devices can finish a download. Clients that accept `Content-Encoding: br` get text
   * files compressed.
   */
  @Get()
  @Public()
  @RateLimit('devices')
  @ApiQuery({
    name: 'href',
    required: false,
    description: 'Path of the file in a manifest bundle, such as `assets/app.js`.',
    schema: { type: 'string' },
  })
  @ApiProduces('application/octet-stream')
  @ApiOkResponse({
    schema: { type: 'string', format: 'binary' },
    headers: {
      'X-Checksum': {
        description: 'SHA-256 of the decoded bytes, lower-case hexadecimal.',
        required: true,
        schema: { type: 'string' },
      },
      'X-Signature': {
        description: 'Base64 signature of the decoded bytes, when signed.',
        schema: { type: 'string' },
      },
      'Content-Encoding': {
        description: '`br` if the client accepts it and the file has a Brotli variant.',
        schema: { type: 'string', enum: ['br'] },
      },
    },
  })
  @ApiErrors('file_damaged', 'file_not_found')
  async download(
    @IdParam('appId') appId: string,
    @IdParam('bundleId') bundleId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const raw = rawQueryValue(request.originalUrl, 'href');
    const file = await this.find(appId, bundleId, raw === null ? [null] : readingsOf(raw));
    const { brotli } = file;
    const accepted = brotli !== null && request.acceptsEncodings(['br', 'identity']) === 'br';
    if (accepted && brotli !== 'pending' && (await this.sendBrotli(response, bundleId, file, brotli))) return;
    const open = () => this.blobs.open({ id: file.blobId });
    this.counts.count(bundleId, file.kind, await sendBlob(response, file, open, headersOf(file)));
  }

  /** @returns false if the variant is missing in storage; nothing was sent then */
  private async sendBrotli(
    response: Response,
    bundleId: string,
    file: DownloadableFile,
    { objectId, sizeInBytes }: BrotliVariant,
  ): Promise<boolean> {
    try {
      const open = () => this.blobs.open({ id: objectId });
      const { sha256, damagedAt } = file;
      const variant = { sha256, damagedAt, sizeInBytes, encoding: 'br' } as const;
      this.counts.count(bundleId, file.kind, await sendBlob(response, variant, open, headersOf(file)));
      return true;
    } catch (error) {
      if (error instanceof ObjectNotFoundError) return false;
      throw error;
    }
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

/** The bytes of a file never change, but its encoding changes once, when its Brotli variant becomes available. */
function headersOf({ mimeType, sha256, signature, brotli }: DownloadableFile): Record<string, string> {
  return {
    'Content-Type': mimeType,
    'Cache-Control': brotli === 'pending' ? 'public, max-age=60' : 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
    'Content-Disposition': 'attachment',
    'X-Checksum': sha256,
    ...(signature === null ? {} : { 'X-Signature': signature }),
    ...(brotli === null ? {} : { Vary: 'Accept-Encoding' }),
  };
}
