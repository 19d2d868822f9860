import { text } from 'node:stream/consumers';
import { addAbortSignal, type Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../common/errors/app-error.js';
import { transaction } from '../../database/transactions/transaction.js';
import { BlobChecksService } from '../../storage/blobs/blob-checks.service.js';
import { BlobRepairsService } from '../../storage/blobs/blob-repairs.service.js';
import { BlobsService, type StagedBlob } from '../../storage/blobs/blobs.service.js';
import { hashed } from '../../storage/blobs/hashed.js';
import { BundleOwnersQueries } from '../bundle-content/bundle-owners.queries.js';
import { MANIFEST_HREF } from '../bundle-content/href.js';
import { parseManifest } from '../bundle-manifests/manifest.js';
import { NAMED_MANIFEST_HREF } from '../bundle-manifests/named-manifest.js';
import { zipStream } from '../bundle-zips/zip-stream.js';
import { type FilesBytes, isSmallEnough, isWorthwhile, withHeads } from './files-bytes.js';
import { type ClaimedZip, GeneratedZipsQueries, type ZippedFile } from './generated-zips.queries.js';

/** What a zip is made of. */
interface ZipContent {
  /** The manifest, by the path that it has on devices, then the files in its order. */
  readonly files: readonly ZippedFile[];
  /** What the same files take one by one. */
  readonly filesBytes: FilesBytes;
}

/**
 * Zips of unsigned manifest bundles. Publication requests them in its transaction; they are made afterwards, one at a
 * time. Without a zip, devices are offered the single files, except those that cannot download an empty one.
 */
@Injectable()
export class GeneratedZipsService {
  constructor(
    private readonly queries: GeneratedZipsQueries,
    private readonly owners: BundleOwnersQueries,
    private readonly blobs: BlobsService,
    private readonly checks: BlobChecksService,
    private readonly repairs: BlobRepairsService,
  ) {}

  /** Asks for the zip of an unsigned manifest bundle, unless it is too large. To be called in the transaction that publishes. */
  async request(bundleId: string, files: readonly { readonly sizeInBytes: number }[]): Promise<void> {
    if (isSmallEnough(files)) await this.queries.request(bundleId);
  }

  /**
   * Makes a zip that was claimed, and keeps it if it saves enough or some devices need it.
   *
   * @param signal ends it immediately, with an error
   * @throws NotFoundError when the bundle has been deleted in the meantime
   * @throws Error when the stored bytes of a file are not the ones that were published
   */
  async make(claimed: ClaimedZip, signal: AbortSignal): Promise<void> {
    const content = await this.contentOf(claimed.bundleId);
    // Small bundles: not even an empty zip would save enough.
    if (isUseful(0, content)) await this.keep(claimed, content, await this.stage(content, signal));
    else await this.queries.giveUp(claimed, content.filesBytes);
  }

  private async contentOf(bundleId: string): Promise<ZipContent> {
    const stored = await this.queries.files(bundleId);
    const manifest = requireFile(stored, NAMED_MANIFEST_HREF);
    const items = parseManifest(await text(await this.blobs.open({ id: manifest.blobId })));
    const hrefs = items.map(({ href }) => href);
    const files = [{ ...manifest, href: MANIFEST_HREF }, ...hrefs.map((href) => requireFile(stored, href))];
    return { files, filesBytes: withHeads(await this.queries.bodyBytes(bundleId, hrefs), files.length) };
  }

  /** @throws Error when the stored bytes of a file are not the ones that were published */
  private async stage({ files }: ZipContent, signal: AbortSignal): Promise<StagedBlob> {
    const damaged: ZippedFile[] = [];
    const entries = files.map((file) => ({
      path: file.href,
      isCompressible: true,
      open: async (): Promise<Readable> => {
        const { body, sha256 } = hashed(await this.blobs.open({ id: file.blobId }));
        return body.once('end', () => {
          if (sha256() !== file.sha256) damaged.push(file);
        });
      },
    }));
    const staged = await this.blobs.stage(addAbortSignal(signal, zipStream(entries)));
    if (damaged.length === 0) return staged;
    await this.blobs.discardUnless(null, staged);
    for (const { blobId } of damaged) await this.checks.verify(await this.blobs.get(blobId));
    throw new Error('The stored files are not those that were published.');
  }

  private async keep(claimed: ClaimedZip, content: ZipContent, staged: StagedBlob): Promise<void> {
    const { bundleId, checksum } = claimed;
    const { filesBytes } = content;
    // Caches have the bytes under the same address, so other ones cannot take their place.
    const isSame = checksum === null || checksum === staged.sha256;
    if (!isSame || !isUseful(staged.sizeInBytes, content)) {
      await this.blobs.discardUnless(null, staged);
      await this.queries.giveUp(claimed, filesBytes);
      return;
    }
    const blobId = await this.blobs.discardIfRefused(staged, () =>
      transaction(async () => {
        const kept = await this.blobs.keep(await this.owners.organizationId(bundleId), staged);
        // When another worker was faster, the blob that it has kept has the same bytes.
        await this.queries.settle(bundleId, {
          state: 'ready',
          blobId: kept,
          checksum: staged.sha256,
          filesBytes,
        });
        return kept;
      }),
    );
    await this.repairs.settle(staged, blobId);
  }
}

/** Some devices cannot download an empty file separately, so they need the zip, however large it is. */
function isUseful(zipBytes: number, { files, filesBytes }: ZipContent): boolean {
  return files.some(({ sizeInBytes }) => sizeInBytes === 0) || isWorthwhile(zipBytes, filesBytes);
}

/** A manifest is compared with the files when it is published, and they never change. */
function requireFile(files: ReadonlyMap<string, ZippedFile>, href: string): ZippedFile {
  const file = files.get(href);
  if (file === undefined) throw new NotFoundError('Bundle');
  return file;
}
