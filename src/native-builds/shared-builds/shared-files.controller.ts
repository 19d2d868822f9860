import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { BlobDownloads } from '../../storage/blob-downloads/blob-downloads.service.js';
import { BlobsService } from '../../storage/blobs/blobs.service.js';
import { ApiStoreRedirect } from '../../storage/redirects/api-store-redirect.decorator.js';
import { DownloadRedirects } from '../../storage/redirects/download-redirects.service.js';
import type { ArtifactType } from '../build-artifacts/build-artifact.entity.js';
import { DownloadCountsService } from '../build-artifacts/download-counts.service.js';
import { ICON, ShareAddressesService } from './share-addresses.service.js';
import { iconOf, SharedBuildsService } from './shared-builds.service.js';
import { SignedAddressQuery } from '../build-artifacts/signed-address-query.dto.js';

/** Android offers to install what has this type. */
const CONTENT_TYPES: Partial<Record<ArtifactType, string>> = {
  apk: 'application/vnd.android.package-archive',
};
const UNKNOWN_TYPE = 'application/octet-stream';
/** A share can end at any time. */
const CACHE_CONTROL = 'private, no-cache';

@ApiTags('Builds')
@Controller('app-build-shares/:buildShareId')
export class SharedFilesController {
  constructor(
    private readonly shared: SharedBuildsService,
    private readonly addresses: ShareAddressesService,
    private readonly blobs: BlobsService,
    private readonly downloads: BlobDownloads,
    private readonly counts: DownloadCountsService,
    private readonly redirects: DownloadRedirects,
  ) {}

  /**
   * Downloads a file of a shared build, at an address of `GET /v1/app-build-shares/{buildShareId}`. The share is read for each
   * request: when it ends or its password changes, the address stops working.
   */
  @Get('artifacts/:buildArtifactId/download')
  @Public()
  @ApiProduces(UNKNOWN_TYPE)
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiStoreRedirect('one minute')
  @ApiErrors('blob_not_found', 'file_damaged', 'share_locked', 'storage_unavailable')
  async download(
    @IdParam('buildShareId') id: string,
    @IdParam('buildArtifactId') artifactId: string,
    @Query() query: SignedAddressQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const share = await this.shared.findShare(id);
    this.addresses.require(share, artifactId, query);
    const artifact = await this.shared.getFile(share, artifactId);
    const blob = await this.blobs.get(artifact.blobId);
    response.attachment(artifact.fileName ?? `${artifact.id}.${artifact.type}`);
    const contentType = CONTENT_TYPES[artifact.type] ?? UNKNOWN_TYPE;
    const contentDisposition = String(response.getHeader('Content-Disposition'));
    const headers = { 'Content-Type': contentType, 'Cache-Control': CACHE_CONTROL };
    const redirect = () =>
      this.redirects.find(request, {
        blob,
        contentType,
        contentDisposition,
        cacheControl: CACHE_CONTROL,
        isPublic: false,
        expiresIn: this.addresses.redirectSeconds(share, query),
      });
    this.counts.count(
      artifact.id,
      'artifact',
      await this.downloads.send(response, blob, headers, { redirect }),
    );
  }

  /** Downloads the icon of a shared build, as its file has it. */
  @Get(ICON)
  @Public()
  @ApiProduces('image/png', 'image/webp')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiErrors('blob_not_found', 'file_damaged', 'icon_not_found', 'share_locked', 'storage_unavailable')
  async icon(
    @IdParam('buildShareId') id: string,
    @Query() query: SignedAddressQuery,
    @Res() response: Response,
  ): Promise<void> {
    const share = await this.shared.findShare(id);
    this.addresses.require(share, ICON, query);
    const icon = iconOf(await this.shared.find(share));
    if (icon === null) throw new NotFoundError('Icon');
    await this.downloads.send(response, await this.blobs.get(icon.blobId), {
      'Content-Type': icon.mimeType,
      'Cache-Control': CACHE_CONTROL,
      'Content-Security-Policy': "default-src 'none'; sandbox",
    });
  }
}
