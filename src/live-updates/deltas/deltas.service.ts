import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Limits } from '../../common/background/limits.js';
import { openWork } from '../../common/background/shared-capacity.js';
import { AppError, NotFoundError, errorOf, ServerBusyError } from '../../common/errors/app-error.js';
import { transaction } from '../../database/transactions/transaction.js';
import { isCompressible } from '../../storage/blob-variants/compressible.js';
import { VerifiedReads } from '../../storage/blob-downloads/verified-reads.service.js';
import type { Blob } from '../../storage/blobs/blob.entity.js';
import { BlobRepairsService } from '../../storage/blobs/blob-repairs.service.js';
import { BlobsService, type StagedBlob } from '../../storage/blobs/blobs.service.js';
import { MANIFEST_HREF } from '../bundle-content/href.js';
import { type ManifestItem, parseManifest } from '../bundle-manifests/manifest.js';
import { type ArchiveEntry, zipStream } from '../bundle-zips/zip-stream.js';
import { type BundlePair, type DeltaBlob, type DeltaBundle, DeltasQueries } from './deltas.queries.js';

/** An archive that updates one bundle to another. */
export interface Delta {
  readonly archive: Blob;
  /** Signature of the manifest in it, Base64; `null`: not signed. */
  readonly manifestSignature: string | null;
}

/** A bundle in manifest form. */
type ManifestBundle = DeltaBundle & { readonly manifest: DeltaBlob };

/** Archives of one app. Anyone who knows the ids can ask for them. */
const MAX_OF_APP = openWork['open-deltas'].of.app;

/** Seconds after which a client may ask again. */
const RETRY_AFTER = 5;

/** In milliseconds. */
const RENEWED_EVERY = 5_000;
const LOOKS_EVERY = 200;

/**
 * Makes archives with what one bundle has and another lacks, each once: a request for one that is being made, by
 * this process or by another, waits for it.
 */
@Injectable()
export class DeltasService {
  /** By app and by pair. */
  private readonly underWay = new Map<string, Map<string, Promise<Blob>>>();

  constructor(
    private readonly queries: DeltasQueries,
    private readonly blobs: BlobsService,
    private readonly reads: VerifiedReads,
    private readonly repairs: BlobRepairsService,
    private readonly limits: Limits,
  ) {}

  /**
   * The archive from one bundle of an app to another.
   *
   * @throws NotFoundError when the app has not published and deployed both
   * @throws DeltaQueueFullError when too many others of the app wait, or its account has no turn
   * @throws InvalidRequestError when one of them is a zip
   * @throws DamagedFileError when a file of them is damaged
   */
  async get(appId: string, pair: BundlePair): Promise<Delta> {
    const bundles = await this.queries.bundles(appId, [pair.from, pair.to]);
    const [from, to] = [pair.from, pair.to].map((id) => requireManifest(bundles.find((b) => b.id === id)));
    const { signature } = to as ManifestBundle;
    const found = await this.findSound(pair);
    return { archive: found ?? (await this.join(appId, pair, from!, to!)), manifestSignature: signature };
  }

  /** An archive that is damaged is made again, with the same bytes, which repairs it. */
  private async findSound(pair: BundlePair): Promise<Blob | null> {
    const found = await this.queries.find(pair);
    if (found === null || found.damagedAt === null) return found;
    await this.queries.forget(pair, found.id);
    return null;
  }

  /** All requests of this process for the same delta share the work. */
  private join(appId: string, pair: BundlePair, from: ManifestBundle, to: ManifestBundle): Promise<Blob> {
    const key = `${pair.from} ${pair.to}`;
    const ofApp = this.underWay.get(appId) ?? new Map<string, Promise<Blob>>();
    let work = ofApp.get(key);
    if (work === undefined) {
      if (ofApp.size >= MAX_OF_APP) throw new DeltaQueueFullError();
      work = this.makeOrAwait(pair, from, to).finally(() => {
        ofApp.delete(key);
        if (ofApp.size === 0) this.underWay.delete(appId);
      });
      this.underWay.set(appId, ofApp.set(key, work));
    }
    return work;
  }

  private async makeOrAwait(pair: BundlePair, from: ManifestBundle, to: ManifestBundle): Promise<Blob> {
    for (;;) {
      // A device asks: it never gets a 429.
      await this.limits
        .run('deltas', to.organizationId, async () => {
          if (await this.queries.claim(pair)) await this.make(pair, from, to);
        })
        .catch((error: unknown) => {
          throw error instanceof ServerBusyError ? new DeltaQueueFullError() : error;
        });
      const found = await this.queries.find(pair);
      if (found !== null) return found;
      // Another process makes it. If that process ends early, its claim expires.
      await sleep(LOOKS_EVERY);
    }
  }

  private async make(pair: BundlePair, from: ManifestBundle, to: ManifestBundle): Promise<void> {
    const renewing = setInterval(() => void this.queries.renew(pair).catch(() => undefined), RENEWED_EVERY);
    try {
      const staged = await this.blobs.stage(zipStream(await this.entriesOf(from, to)));
      await this.keep(pair, to.organizationId, staged);
    } catch (error) {
      await this.queries.release(pair).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  private async keep(pair: BundlePair, organizationId: string, staged: StagedBlob): Promise<void> {
    const blobId = await this.blobs.discardIfRefused(staged, () =>
      transaction(async () => {
        const kept = await this.blobs.keep(organizationId, staged);
        await this.queries.keep(pair, kept);
        return kept;
      }),
    );
    await this.repairs.settle(staged, blobId);
  }

  /** The manifest, then what is missing, by path. */
  private async entriesOf(from: ManifestBundle, to: ManifestBundle): Promise<ArchiveEntry[]> {
    const missing = missingFiles(await this.manifestOf(to), await this.manifestOf(from));
    const hrefs = missing.map(({ href }) => href);
    const files = await this.queries.files(to.id, hrefs);
    return [
      { path: MANIFEST_HREF, isCompressible: true, open: () => this.reads.open(to.manifest) },
      ...hrefs.map((href) => {
        const file = files.get(href);
        // A manifest is compared with the files when it is published, and they never change.
        if (file === undefined) throw new NotFoundError('Bundle');
        return {
          path: href,
          isCompressible: isCompressible({ name: href, ...file }),
          open: () => this.reads.open(file),
        };
      }),
    ];
  }

  private async manifestOf({ manifest }: ManifestBundle): Promise<ManifestItem[]> {
    return parseManifest(await text(await this.reads.open(manifest)));
  }
}

/** 503: too many other archives of the app wait. */
class DeltaQueueFullError extends AppError {
  override readonly headers = { 'Retry-After': String(RETRY_AFTER) };

  constructor() {
    super(
      'Too many deltas of this app are waiting. Try again in a moment, or download the bundle.',
      'delta_queue_full',
    );
  }
}

function requireManifest(bundle: DeltaBundle | undefined): ManifestBundle {
  if (bundle === undefined) throw new NotFoundError('Bundle');
  if (bundle.type !== 'manifest' || bundle.manifest === null) throw errorOf('not_a_manifest_bundle');
  return { ...bundle, manifest: bundle.manifest };
}

/**
 * The files of a bundle that a device with another one has to fetch, by path: those whose content is nowhere in the
 * other bundle, as the plugins compare them.
 */
export function missingFiles(to: readonly ManifestItem[], from: readonly ManifestItem[]): ManifestItem[] {
  const known = new Set(from.map(({ checksum }) => checksum));
  return to
    .filter(({ checksum }) => !known.has(checksum))
    .sort((a, b) => (a.href < b.href ? -1 : Number(a.href > b.href)));
}
