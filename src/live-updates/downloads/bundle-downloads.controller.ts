import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { DamagedFileError, NotFoundError } from '../../common/errors/app-error.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { rawQueryValue, readingsOf } from '../../common/http/raw-query.js';
import { KeptRows } from '../../database/outages/kept-rows.js';
import { DownloadCountsService } from '../../native-builds/build-artifacts/download-counts.service.js';
import { blobEncodings } from '../../storage/blob-variants/blob-variant.entity.js';
import { BlobDownloads } from '../../storage/blob-downloads/blob-downloads.service.js';
import type { EncodedBlob } from '../../storage/blob-downloads/download-form.js';
import type { PresignedObject } from '../../storage/object-storage.js';
import { DownloadRedirects } from '../../storage/redirects/download-redirects.service.js';
import { MANIFEST_HREF } from '../bundle-content/href.js';
import { NAMED_MANIFEST_HREF } from '../bundle-manifests/named-manifest.js';
import { NamedManifestsService } from '../named-manifests/named-manifests.service.js';
import { ApiBundleDownload } from './api-bundle-download.decorator.js';
import { BundleDownloadsQueries, type DownloadableFile } from './bundle-downloads.queries.js';
import { CHECKSUM_HEADER, SIGNATURE_HEADER } from '../bundle-content/integrity-headers.js';
import { verifiesZips } from '../bundle-content/verifies-zips.js';

@ApiTags('Devices: live updates')
@Controller('apps/:appId/bundles/:bundleId/download')
export class BundleDownloadsController {
  constructor(
    private readonly queries: BundleDownloadsQueries,
    private readonly rows: KeptRows,
    private readonly counts: DownloadCountsService,
    private readonly downloads: BlobDownloads,
    private readonly namedManifests: NamedManifestsService,
    private readonly redirects: DownloadRedirects,
  ) {}

  /**
   * Downloads a published bundle: the zip, or with `href` one file of a manifest bundle. The bytes never change. Superseded
   * bundles stay available, so that devices can finish a download. Clients that accept
   * `Content-Encoding: br` or `gzip` get text files compressed.
   */
  @Get()
  @ApiBundleDownload()
  async download(
    @IdParam('appId') appId: string,
    @IdParam('bundleId') bundleId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const file = await this.find(appId, bundleId, hrefsOf(request));
    await this.send(bundleId, file, request, response);
  }

  /**
   * Downloads a file of an unsigned manifest bundle, as `download` does. Its manifest has other checksums: each is the
   * SHA-256 of `<sha256>\n<href>`, in lower-case hexadecimal, so that a device copies a file from the bundle that it runs only
   * if it has the same path and content there.
   */
  @Get('named')
  @ApiBundleDownload()
  async downloadNamed(
    @IdParam('appId') appId: string,
    @IdParam('bundleId') bundleId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const hrefs = hrefsOf(request);
    if (!hrefs.includes(MANIFEST_HREF))
      return this.send(bundleId, await this.find(appId, bundleId, hrefs), request, response);
    const found = await this.findNamedManifest(appId, bundleId);
    await this.send(bundleId, found, request, response).catch(async (error: unknown) => {
      if (!(error instanceof DamagedFileError)) throw error;
      // Nothing was sent yet.
      await this.send(bundleId, await this.createNamedManifest(appId, bundleId), request, response);
    });
  }

  private async send(
    bundleId: string,
    file: DownloadableFile,
    request: Request,
    response: Response,
  ): Promise<void> {
    const blob = { ...file, id: file.blobId };
    const sent = await this.downloads.send(response, blob, headersOf(file), {
      encoded: acceptedOf(file, request),
      redirect: () => this.rows.opening(() => this.findRedirect(file, request)),
      opening: (open) => this.rows.opening(open),
    });
    this.counts.count(bundleId, file.kind, sent);
  }

  /** The files of a manifest are verified by the header `X-Checksum`, which a store does not send. */
  private async findRedirect(file: DownloadableFile, request: Request): Promise<PresignedObject | null> {
    if (file.kind !== 'zip' || !verifiesZips(request)) return null;
    return this.redirects.find(request, {
      blob: { id: file.blobId, sizeInBytes: file.sizeInBytes },
      contentType: file.mimeType,
      contentDisposition: 'attachment',
      cacheControl: 'public, max-age=31536000, immutable',
      isPublic: true,
    });
  }

  /** Makes a damaged one again. */
  private async findNamedManifest(appId: string, bundleId: string): Promise<DownloadableFile> {
    const found = await this.read(appId, bundleId, NAMED_MANIFEST_HREF);
    return found?.damagedAt === null ? found : this.createNamedManifest(appId, bundleId);
  }

  private async createNamedManifest(appId: string, bundleId: string): Promise<DownloadableFile> {
    await this.namedManifests.create({ appId, bundleId });
    return this.find(appId, bundleId, [NAMED_MANIFEST_HREF]);
  }

  private async find(
    appId: string,
    bundleId: string,
    hrefs: readonly (string | null)[],
  ): Promise<DownloadableFile> {
    for (const href of hrefs) {
      const file = await this.read(appId, bundleId, href);
      if (file !== null) return file;
    }
    throw new NotFoundError('File');
  }

  private read(appId: string, bundleId: string, href: string | null): Promise<DownloadableFile | null> {
    const name = href === null ? bundleId : `${bundleId}/${href}`;
    return this.rows.find(appId, name, () => this.queries.find(appId, bundleId, href));
  }
}

/** The readings of the path; `null`: the zip. */
function hrefsOf(request: Request): readonly (string | null)[] {
  const raw = rawQueryValue(request.originalUrl, 'href');
  return raw === null ? [null] : readingsOf(raw);
}

/** The codings that a client prefers to none: Brotli, when it accepts that, then gzip. */
function acceptedOf({ encoded }: DownloadableFile, request: Request): EncodedBlob[] {
  return blobEncodings
    .filter((encoding) => request.acceptsEncodings([encoding, 'identity']) === encoding)
    .flatMap((encoding) => encoded.filter((each) => each.encoding === encoding));
}

/** The bytes of a file never change, but its codings do, until all of them are there in the best quality. */
function headersOf(file: DownloadableFile): Record<string, string> {
  const { mimeType, sha256, signature, isCompressible, isChanging } = file;
  return {
    'Content-Type': mimeType,
    'Cache-Control': isChanging ? 'public, max-age=60' : 'public, max-age=31536000, immutable',
    'Content-Disposition': 'attachment',
    [CHECKSUM_HEADER]: sha256,
    ...(signature === null ? {} : { [SIGNATURE_HEADER]: signature }),
    ...(isCompressible ? { Vary: 'Accept-Encoding' } : {}),
  };
}
