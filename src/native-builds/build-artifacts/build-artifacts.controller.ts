import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { databaseNow } from '../../common/database-clock.js';
import { ApiSuccess } from '../../common/openapi/api-success.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { AppAccessService } from '../../apps/app-access/app-access.service.js';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { memberErrors, OptionalToken, Requires } from '../../common/access/requires.decorator.js';
import { UnauthenticatedError } from '../../common/errors/app-error.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { publicUrl } from '../../common/request-origin/public-url.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { Config } from '../../config/config.js';
import { BlobDownloads } from '../../storage/blob-downloads/blob-downloads.service.js';
import { ApiStoreRedirect } from '../../storage/redirects/api-store-redirect.decorator.js';
import { DownloadRedirects } from '../../storage/redirects/download-redirects.service.js';
import { BlobsService } from '../../storage/blobs/blobs.service.js';
import {
  BuildArtifactDto,
  SignedDownloadUrlDto,
  DownloadArtifactQuery,
  FileNameQuery,
} from './build-artifact.dto.js';
import type { BuildArtifact } from './build-artifact.entity.js';
import { BuildArtifactsPresenter } from './build-artifacts.presenter.js';
import { BuildArtifactsService } from './build-artifacts.service.js';
import { DownloadCountsService } from './download-counts.service.js';
import { SIGNED_FOR, SignedDownloads } from './signed-downloads.service.js';

@ApiTags('Builds')
@Controller('apps/:appId/builds/:buildId/artifacts')
export class BuildArtifactsController {
  constructor(
    private readonly artifacts: BuildArtifactsService,
    private readonly presenter: BuildArtifactsPresenter,
    private readonly downloads: BlobDownloads,
    private readonly counts: DownloadCountsService,
    private readonly blobs: BlobsService,
    private readonly access: AppAccessService,
    private readonly redirects: DownloadRedirects,
    private readonly signed: SignedDownloads,
    private readonly config: Config,
  ) {}

  /** Lists the artifacts of a build, newest first. */
  @Get()
  @Requires('builds:read')
  @ApiPage(BuildArtifactDto)
  async list(
    @CurrentApp() app: App,
    @IdParam('buildId') buildId: string,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BuildArtifactDto[]> {
    const { items, total } = await this.artifacts.list(app.id, buildId, query);
    return sendPage(response, query, { items: await this.presenter.present(app.id, items), total });
  }

  /** Gets an artifact, with an address that downloads it without a token for 15 minutes. */
  @Get(':buildArtifactId')
  @Requires('builds:read')
  async get(
    @CurrentApp() app: App,
    @IdParam('buildId') buildId: string,
    @IdParam('buildArtifactId') artifactId: string,
    @Req() request: Request,
  ): Promise<BuildArtifactDto> {
    const artifact = await this.artifacts.getOf(app.id, buildId, artifactId);
    const isStored = artifact.status === 'ready' && artifact.blobId !== null;
    const url = isStored ? this.signUrl(app.id, artifact, request).url : null;
    return this.presenter.presentOne(app.id, artifact, url);
  }

  /** Creates a signed URL that downloads an artifact without a token. It is valid for 15 minutes. */
  @Get(':buildArtifactId/signed-download-url')
  @ApiSuccess('The URL, and how long it works.')
  @Requires('builds:read')
  async signedDownloadUrl(
    @CurrentApp() app: App,
    @IdParam('buildId') buildId: string,
    @IdParam('buildArtifactId') artifactId: string,
    @Query() query: FileNameQuery,
    @Req() request: Request,
  ): Promise<SignedDownloadUrlDto> {
    const artifact = await this.artifacts.getReady(app.id, buildId, artifactId);
    return this.signUrl(app.id, artifact, request, query.fileName);
  }

  /** Downloads an artifact. Requires a token with `builds:read`, or the parameters of a signed URL. */
  @Get(':buildArtifactId/download')
  @OptionalToken()
  @ApiProduces('application/octet-stream')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiStoreRedirect()
  @ApiErrors('blob_not_found', 'file_damaged', 'not_authenticated', 'storage_unavailable', ...memberErrors)
  async download(
    @IdParam('appId') appId: string,
    @IdParam('buildId') buildId: string,
    @IdParam('buildArtifactId') artifactId: string,
    @Query() query: DownloadArtifactQuery,
    @Caller() caller: Principal | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (!this.signed.isValid(artifactId, query)) {
      if (caller === undefined) throw new UnauthenticatedError();
      await this.access.require(caller, appId, 'builds:read');
    }
    const artifact = await this.artifacts.getReady(appId, buildId, artifactId);
    const blob = await this.blobs.get(artifact.blobId);
    response.attachment(query.fileName ?? artifact.fileName ?? artifact.id);
    const contentType = artifact.fileMimeType ?? 'application/octet-stream';
    const contentDisposition = String(response.getHeader('Content-Disposition'));
    const cacheControl = 'private, no-cache';
    const headers = { 'Content-Type': contentType, 'Cache-Control': cacheControl };
    const redirect = () =>
      this.redirects.find(request, {
        blob,
        contentType,
        contentDisposition,
        cacheControl,
        isPublic: false,
        ...(query.expiresAt === undefined ? {} : { expiresIn: secondsUntil(query.expiresAt) }),
      });
    this.counts.count(
      artifact.id,
      'artifact',
      await this.downloads.send(response, blob, headers, { redirect }),
    );
  }

  private signUrl(
    appId: string,
    { id, buildId }: Pick<BuildArtifact, 'id' | 'buildId'>,
    request: Request,
    fileName?: string,
  ): SignedDownloadUrlDto {
    return this.signed.sign({ appId, buildId, id }, publicUrl(this.config.http, request), fileName);
  }
}

/** The address of the store must not work for longer than the one that led to it. */
function secondsUntil(expiresAt: number): number {
  const seconds = Math.ceil((expiresAt - databaseNow().getTime()) / 1000);
  return Math.min(Math.max(1, seconds), SIGNED_FOR / 1000);
}
