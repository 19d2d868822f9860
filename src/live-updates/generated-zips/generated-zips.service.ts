import { text } from 'node:stream/consumers';
import { addAbortSignal, type Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../common/errors/app-error.js';
import { transaction } from '../../database/transactions/transaction.js';
import { BlobChecksService } from '../../storage/blobs/blob-checks.service.js';
import { BlobRepairsService } from '../../storage/blobs/blob-repairs.service.js';
import { BlobsService, type StagedBlob } from '../../storage/blobs/blobs.service.js';
import { hashed } from '../../storage/blobs/hashed.js';
import { MANIFEST_HREF } from '../bundle-content/href.js';
import { parseManifest } from '../bundle-manifests/manifest.js';
import { NAMED_MANIFEST_HREF } from '../bundle-manifests/named-manifest.js';
import { type ArchiveEntry, zipStream } from '../bundle-zips/zip-stream.js';
import { type FilesBytes, isWorthwhile, withHeads } from './files-bytes.js';
import {
  type ClaimedZip,
  GeneratedZipsQueries,
  MAX_ATTEMPTS,
  type ZippedFile,
} from './generated-zips.queries.js';

/**
 * Bundles whose files take more bytes get no zip: it would keep a processor busy for more than ten seconds, and a device
 * whose connection breaks begins a zip from the start.
 */
const MAX_BYTES = 256 * 1024 * 1024;

/** A staged zip. */
interface StagedZip {
  readonly staged: StagedBlob;
  /** Files whose stored bytes are not the ones that were published. */
  readonly damaged: readonly ZippedFile[];
  /** What the same files take one by one. */
  readonly filesBytes: FilesBytes;
}

/**
 * Zips of unsigned manifest bundles. Publication requests them in its transaction; they are made afterwards, one at a
 * time. Nothing depends on them: without a zip, devices are offered the single files.
 */
@Injectable()
export class GeneratedZipsService {
  constructor(
    private readonly queries: GeneratedZipsQueries,
    private readonly blobs: BlobsService,
    private readonly checks: BlobChecksService,
    private readonly repairs: BlobRepairsService,
  ) {}

  /** Asks for the zip of an unsigned manifest bundle, unless it is too large. To be called in the transaction that publishes. */
  async request(bundleId: string, files: readonly { readonly sizeInBytes: number }[]): Promise<void> {
    const bytes = files.reduce((total, { sizeInBytes }) => total + sizeInBytes, 0);
    if (bytes <= MAX_BYTES) await this.queries.request(bundleId);
  }

  /**
   * Makes a zip that was claimed. When that fails, it is tried again later, by any process, up to ten times.
   *
   * @param signal ends it at once; the claim is given back
   */
  async make(claimed: ClaimedZip, signal: AbortSignal): Promise<void> {
    const { bundleId } = claimed;
    try {
      const zip = await this.stage(bundleId, signal);
      if (zip.damaged.length > 0) {
        await this.blobs.discardUnless(null, zip.staged);
        for (const { blobId } of zip.damaged) await this.checks.verify(await this.blobs.get(blobId));
        throw new Error('The stored files are not those that were published.');
      }
      await this.keep(claimed, zip);
    } catch (error) {
      // The bundle was deleted meanwhile, and the row with it.
      if (error instanceof NotFoundError) return;
      if (signal.aborted) await this.queries.release(claimed);
      else if (claimed.attempts >= MAX_ATTEMPTS) await this.giveUp(bundleId);
      throw error;
    }
  }

  /** Named manifest first, then the files in its order. */
  private async stage(bundleId: string, signal: AbortSignal): Promise<StagedZip> {
    const files = await this.queries.files(bundleId);
    const damaged: ZippedFile[] = [];
    const open = async (file: ZippedFile): Promise<Readable> => {
      const { body, sha256 } = hashed(await this.blobs.open({ id: file.blobId }));
      return body.once('end', () => {
        if (sha256() !== file.sha256) damaged.push(file);
      });
    };
    const manifest = requireFile(files, NAMED_MANIFEST_HREF);
    const hrefs = parseManifest(await text(await this.blobs.open({ id: manifest.blobId }))).map(
      ({ href }) => href,
    );
    const entries = [
      toEntry(MANIFEST_HREF, () => open(manifest)),
      ...hrefs.map((href) => toEntry(href, () => open(requireFile(files, href)))),
    ];
    const staged = await this.blobs.stage(addAbortSignal(signal, zipStream(entries)));
    const filesBytes = withHeads(await this.queries.bodyBytes(bundleId, hrefs), entries.length);
    return { staged, damaged, filesBytes };
  }

  private async keep({ bundleId, checksum }: ClaimedZip, { staged, filesBytes }: StagedZip): Promise<void> {
    // Caches have the bytes under the same address, so other ones cannot take their place.
    const isSame = checksum === null || checksum === staged.sha256;
    if (!isSame || !isWorthwhile(staged.sizeInBytes, filesBytes)) {
      await this.blobs.discardUnless(null, staged);
      await this.queries.settle(bundleId, { state: 'useless', blobId: null, checksum, filesBytes });
      return;
    }
    const blobId = await this.blobs.discardIfRefused(staged, () =>
      transaction(async () => {
        const kept = await this.blobs.keep(await this.queries.organizationId(bundleId), staged);
        const zip = { state: 'ready', blobId: kept, checksum: staged.sha256, filesBytes } as const;
        // Another worker was faster: the blob that it kept has the same bytes.
        await this.queries.settle(bundleId, zip);
        return kept;
      }),
    );
    await this.repairs.settle(staged, blobId);
  }

  private async giveUp(bundleId: string): Promise<void> {
    const nothing = { blobId: null, checksum: null, filesBytes: null };
    await this.queries.settle(bundleId, { state: 'useless', ...nothing });
  }
}

function toEntry(path: string, open: ArchiveEntry['open']): ArchiveEntry {
  return { path, isCompressible: true, open };
}

/** A manifest is compared with the files when it is published, and they never change. */
function requireFile(files: ReadonlyMap<string, ZippedFile>, href: string): ZippedFile {
  const file = files.get(href);
  if (file === undefined) throw new NotFoundError('Bundle');
  return file;
}
