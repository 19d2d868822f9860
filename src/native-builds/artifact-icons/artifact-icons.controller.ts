import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { BlobDownloads } from '../../storage/blob-downloads/blob-downloads.service.js';
import { BlobsService } from '../../storage/blobs/blobs.service.js';
import { ArtifactDetailsService } from '../artifact-details/artifact-details.service.js';
import { BuildArtifactsService } from '../build-artifacts/build-artifacts.service.js';

/** Never SVG, which can run scripts. */
const ICON_TYPES: readonly string[] = ['image/png', 'image/webp'];

@ApiTags('Builds')
@Controller('apps/:appId/builds/:buildId/artifacts/:buildArtifactId/icon')
export class ArtifactIconsController {
  constructor(
    private readonly artifacts: BuildArtifactsService,
    private readonly details: ArtifactDetailsService,
    private readonly blobs: BlobsService,
    private readonly downloads: BlobDownloads,
  ) {}

  /** Downloads the icon of an app, as its file has it: a PNG or WebP picture of at most 1 MB. That of iOS becomes an ordinary PNG. */
  @Get()
  @Requires('builds:read')
  @ApiProduces('image/png', 'image/webp')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiErrors('blob_not_found', 'file_damaged', 'icon_not_found', 'storage_unavailable')
  async get(
    @CurrentApp() app: App,
    @IdParam('buildId') buildId: string,
    @IdParam('buildArtifactId') artifactId: string,
    @Res() response: Response,
  ): Promise<void> {
    const { id } = await this.artifacts.getReady(app.id, buildId, artifactId);
    const { iconBlobId = null, iconMimeType = null } = (await this.details.findOne(id)) ?? {};
    if (iconBlobId === null || iconMimeType === null || !ICON_TYPES.includes(iconMimeType)) {
      throw new NotFoundError('Icon');
    }
    await this.downloads.send(response, await this.blobs.get(iconBlobId), {
      'Content-Type': iconMimeType,
      'Cache-Control': 'private, max-age=3600',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    });
  }
}
