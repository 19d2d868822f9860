import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { InvalidRequestError } from '../../common/errors/app-error.js';
import { BATCH, type PlainManifestKey, PlainManifestsQueries } from './plain-manifests.queries.js';
import type { BundleWarning } from '../bundle-content/bundle-warnings.js';
import { findUnsafeReuse, type ListedFile, type UnsafeReuse } from '../bundle-manifests/unsafe-reuse.js';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

const REMEDY = 'Change the file, a line break is enough, or publish a zip.';

/** The largest `integer` of PostgreSQL. */
const MAX_INTEGER = 2 ** 31 - 1;
/** Fast: a large manifest must not keep the transaction waiting for the best compression. */
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** A bundle that is about to be published. */
export interface PublishedBundle {
  readonly id: string;
  readonly appId: string;
  /** `null`: it is not deployed. */
  readonly channelId: string | null;
}

/** What is known of its content. */
export interface PublishedContent {
  readonly signed: boolean;
  /** Also one in a zip; `null`: none. */
  readonly manifest: readonly ListedFile[] | null;
}

/** A manifest that devices may have as it was uploaded. */
interface NewManifest extends PlainManifestKey {
  readonly files: readonly ListedFile[];
}

/** What devices that run another bundle would do wrong with a new one. */
interface FoundReuse extends UnsafeReuse {
  readonly runningBundleId: string;
  /** Number of the build of the running bundle. */
  readonly buildNumber: number;
}

/** Finds out, when a bundle is published, which other bundles of the app devices must not build it from. */
@Injectable()
export class UnsafeReuseService {
  constructor(private readonly queries: PlainManifestsQueries) {}

  /**
   * Finds out which devices would build a bundle wrongly. To be called in the transaction that publishes it, before it is
   * deployed. Unsigned manifests are offered by name, so only those of signed bundles and those in zips matter.
   *
   * @throws InvalidRequestError when the devices would that run what the channel serves to every device now
   */
  async publish(
    { id, appId, channelId }: PublishedBundle,
    type: string,
    { signed, manifest }: PublishedContent,
  ): Promise<BundleWarning[]> {
    const offered = type === 'manifest';
    if (manifest === null || (offered && !signed)) return [];
    const found = await this.record({ bundleId: id, appId, offered, files: manifest });
    const [first] = found.toSorted((a, b) => Number(a.kind === 'absent') - Number(b.kind === 'absent'));
    if (first === undefined) return [];
    const served = channelId === null ? null : await this.queries.servedToEverybody(channelId);
    const refused = found.find(
      ({ kind, runningBundleId }) => kind === 'content' && runningBundleId === served,
    );
    if (refused !== undefined) {
      const { href, buildNumber } = refused;
      throw new InvalidRequestError(
        `${href} would keep the content of build ${buildNumber} on devices that run it. ${REMEDY}`,
        'unsafe_reuse',
      );
    }
    return [{ code: 'unsafe_reuse', message: messageOf(first, found.length - 1) }];
  }

  /**
   * Compares a manifest with all others of the app, in both directions, and remembers the result for update checks.
   * Publications of one app wait for each other here.
   *
   * @returns what devices would do wrong with the new bundle, by the bundle that they run, newest build first
   */
  private async record(manifest: NewManifest): Promise<FoundReuse[]> {
    const { appId, bundleId } = manifest;
    await this.queries.lock(appId);
    await this.queries.deleteOldest(appId);
    const found: FoundReuse[] = [];
    for (let after = MAX_INTEGER; ;) {
      const others = await this.queries.batch(manifest, after);
      for (const other of others) {
        after = other.buildNumber;
        const files = await unpacked(other.files);
        const reuse = manifest.offered ? findUnsafeReuse(manifest.files, files) : null;
        if (reuse !== null) {
          await this.queries.insertReuse(appId, bundleId, other.bundleId, reuse);
          found.push({ ...reuse, runningBundleId: other.bundleId, buildNumber: other.buildNumber });
        }
        const reverse = other.offered ? findUnsafeReuse(files, manifest.files) : null;
        if (reverse !== null) await this.queries.insertReuse(appId, other.bundleId, bundleId, reverse);
      }
      if (others.length < BATCH) break;
    }
    await this.queries.insert(manifest, await packed(manifest.files));
    return found;
  }
}

function messageOf({ kind, href, buildNumber }: FoundReuse, others: number): string {
  const builds = `build ${buildNumber}${others === 0 ? '' : ` or one of ${others} others`}`;
  return kind === 'content'
    ? `Devices that run ${builds} are not offered this bundle: ${href} would keep its content on them. ${REMEDY}`
    : `Devices that run ${builds}, with a plugin before 7.2.2, are not offered this bundle: they would lack ${href}. ${REMEDY}`;
}

function packed(files: readonly ListedFile[]): Promise<Buffer> {
  return compress(JSON.stringify(files.map(({ href, checksum }) => [href, checksum])), COMPRESSION);
}

async function unpacked(files: Buffer): Promise<ListedFile[]> {
  const rows = JSON.parse((await decompress(files)).toString()) as [string, string][];
  return rows.map(([href, checksum]) => ({ href, checksum }));
}
