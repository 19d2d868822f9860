import { hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { DamagedFileError } from '../../common/errors/app-error.js';
import { BlobChecksService } from '../../storage/blobs/blob-checks.service.js';
import type { KnownBlob } from '../../storage/blobs/blob-damage.queries.js';
import { BlobsService } from '../../storage/blobs/blobs.service.js';
import { decodeManifest, type ManifestItem, parseManifest } from '../bundle-manifests/manifest.js';
import { hasManifest } from '../bundle-zips/has-manifest.js';
import { inspectZip } from '../bundle-zips/inspect-zip.js';

/** Reads manifests of published bundles again, to derive something from them. */
@Injectable()
export class StoredManifestsService {
  constructor(
    private readonly blobs: BlobsService,
    private readonly checks: BlobChecksService,
  ) {}

  /**
   * What an uploaded manifest lists.
   *
   * @throws DamagedFileError when the stored bytes are not those that were uploaded, which is recorded
   */
  async ofManifest(blob: KnownBlob): Promise<ManifestItem[]> {
    const bytes = await this.blobs.open(blob).then(buffer, async (error: unknown) => {
      await this.checks.verify(blob);
      throw error;
    });
    if (hash('sha256', bytes) !== blob.sha256) {
      await this.checks.verify(blob);
      throw new DamagedFileError();
    }
    return parseManifest(decodeManifest(bytes));
  }

  /**
   * What the manifest in a zip lists; `null`: there is none.
   *
   * @throws DamagedFileError when the zip cannot be unpacked, or its manifest lists other files than it has
   */
  async inZip(blob: KnownBlob): Promise<readonly ManifestItem[] | null> {
    const open = (range: { start: number; length: number }) => this.blobs.openRange(blob, range);
    if (!(await hasManifest(open, blob.sizeInBytes))) return null;
    const { problems, manifest } = await inspectZip(open, blob.sizeInBytes);
    if (problems.length === 0) return manifest;
    await this.checks.verify(blob);
    throw new DamagedFileError();
  }
}
