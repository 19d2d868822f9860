import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { ConflictError } from '../../common/errors/app-error.js';
import { transaction } from '../../database/transactions/transaction.js';
import { findUnsafeReuse, type ListedFile } from '../bundle-manifests/unsafe-reuse.js';
import { BATCH, type PlainManifestKey, PlainManifestsQueries } from './plain-manifests.queries.js';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Before every other id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Fast: a large manifest must not keep the transaction waiting for the best compression. */
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** A bundle that is about to be published. */
export interface PublishedBundle {
  readonly id: string;
  readonly appId: string;
}

/** What is known of its content. */
export interface PublishedContent {
  readonly signed: boolean;
  /** Also one in a zip; `null`: none. */
  readonly manifest: readonly ListedFile[] | null;
  /** What devices that run a manifest bundle have instead; `null`: they have `manifest`. See `findCarriedManifest`. */
  readonly carried: readonly ListedFile[] | null;
}

/** A manifest that devices may have as it was uploaded. */
interface NewManifest extends PlainManifestKey {
  readonly files: readonly ListedFile[];
  readonly carried: readonly ListedFile[] | null;
}

/** Finds out which bundles of an app devices must not build from which others. */
@Injectable()
export class ManifestComparisonsService {
  constructor(private readonly queries: PlainManifestsQueries) {}

  /**
   * Finds out which devices would build a bundle wrongly, and remembers it for update checks. To be called in the
   * transaction that publishes it, before it is deployed. Unsigned manifests are offered by name, so only those of signed
   * bundles matter, those in zips, and those in the folder that devices take as the root.
   */
  async publish({ id, appId }: PublishedBundle, type: string, content: PublishedContent): Promise<void> {
    const { signed, manifest, carried } = content;
    const key = { bundleId: id, appId };
    if (manifest !== null && type === 'zip') {
      await this.record({ ...key, offered: false, files: manifest, carried: null });
    } else if (manifest !== null && signed) {
      await this.record({ ...key, offered: true, files: manifest, carried });
    } else if (carried !== null) {
      await this.record({ ...key, offered: false, files: carried, carried: null });
    }
  }

  /**
   * Stores the manifest of another server's bundle that devices run, in place of an earlier one.
   *
   * @param files none: it has no manifest
   * @returns how many signed bundles devices that run it would build wrongly
   * @throws ConflictError when the app has published the bundle itself
   */
  import(appId: string, bundleId: string, files: readonly ListedFile[]): Promise<number> {
    return transaction(async () => {
      await this.queries.lock(appId);
      if (await this.queries.isOwn(appId, bundleId)) {
        throw new ConflictError('The app has published this bundle itself: Slipway knows its manifest.');
      }
      await this.queries.deleteImported(appId, bundleId);
      return this.record({ appId, bundleId, offered: false, files, carried: null });
    });
  }

  /**
   * Compares a manifest with all others of the app, in both directions, and remembers the result for update checks.
   * Publications of one app wait for each other here.
   *
   * @returns how many bundles must not be built from this one
   */
  private async record(manifest: NewManifest): Promise<number> {
    const { appId, bundleId, files, offered } = manifest;
    const carried = manifest.carried ?? files;
    await this.queries.lock(appId);
    let unsafe = 0;
    for (let after = FIRST_ID; ;) {
      const others = await this.queries.batch(manifest, after);
      for (const other of others) {
        after = other.bundleId;
        const otherFiles = await unpacked(other.files);
        const otherCarried = other.carried === null ? otherFiles : await unpacked(other.carried);
        const reuse = offered ? findUnsafeReuse(files, otherCarried) : null;
        if (reuse !== null) await this.queries.insertReuse(appId, bundleId, other.bundleId, reuse);
        const reverse = other.offered ? findUnsafeReuse(otherFiles, carried) : null;
        if (reverse !== null && (await this.queries.insertReuse(appId, other.bundleId, bundleId, reverse))) {
          unsafe++;
        }
      }
      if (others.length < BATCH) break;
    }
    await this.queries.insert(manifest, {
      files: await packed(files),
      carried: manifest.carried === null ? null : await packed(manifest.carried),
    });
    await this.queries.deleteOldest(appId);
    return unsafe;
  }
}

function packed(files: readonly ListedFile[]): Promise<Buffer> {
  return compress(JSON.stringify(files.map(({ href, checksum }) => [href, checksum])), COMPRESSION);
}

async function unpacked(files: Buffer): Promise<ListedFile[]> {
  const rows = JSON.parse((await decompress(files)).toString()) as [string, string][];
  return rows.map(([href, checksum]) => ({ href, checksum }));
}
