import { requireUploadedByUser } from '../../native-builds/build-artifacts/built-artifact.js';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository } from 'typeorm';
import { ConflictError, invalidField } from '../../common/errors/app-error.js';
import { findOrThrow, updateOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import type { BuildArtifact } from '../../native-builds/build-artifacts/build-artifact.entity.js';
import { BuildArtifactsService } from '../../native-builds/build-artifacts/build-artifacts.service.js';
import type { Build } from '../../native-builds/builds/build.entity.js';
import { BuildsService } from '../../native-builds/builds/builds.service.js';
import { BlobRepairsService } from '../../storage/blobs/blob-repairs.service.js';
import { BlobsService, type StagedBlob } from '../../storage/blobs/blobs.service.js';
import { BlobVariantsQueries } from '../../storage/blob-variants/blob-variants.queries.js';
import { BlobVariantsWorker } from '../../storage/blob-variants/blob-variants.worker.js';
import { isCompressible } from '../../storage/blob-variants/compressible.js';
import { QuickVariantsService } from '../../storage/blob-variants/quick-variants.service.js';
import { type BundleWarning, manifestForElectron } from '../bundle-content/bundle-warnings.js';
import { DeploymentsService } from '../deployments/deployments.service.js';
import { type BundleDto, toBundleDto } from './bundle.dto.js';
import { Bundle, type BundleType } from './bundle.entity.js';
import {
  BundleVerificationService,
  type Verification,
  type VerifiedBundle,
} from './bundle-verification.service.js';
import { BundlesService, targetingOf } from './bundles.service.js';
import { GeneratedZipsService } from '../generated-zips/generated-zips.service.js';
import { GeneratedZipsWorker } from '../generated-zips/generated-zips.worker.js';
import { UnsafeReuseService } from '../unsafe-reuse/unsafe-reuse.service.js';
import { NamedManifestsService } from './named-manifests.service.js';
import type { UpdateBundleDto } from './update-bundle.dto.js';
import { UploadedFilesQueries } from './uploaded-files.queries.js';

/** How often a bundle is verified whose files change meanwhile. */
const ATTEMPTS = 3;

/** A bundle and what is known of it, to be published. */
interface Verified {
  readonly bundle: VerifiedBundle;
  readonly verification: Verification;
  /** The blobs of the files that are worth compressing. */
  readonly compressible: readonly string[];
  /** Until when the publication waits for them to be compressed. */
  readonly timeLimit: AbortSignal;
  /** The named manifest of an unsigned one; `null`: none is needed. */
  readonly named: StagedBlob | null;
}

/** A changed bundle. */
interface Changed {
  readonly bundle: BundleDto;
  /** The blob of its named manifest; `null`: none was kept. */
  readonly namedBlobId: string | null;
}

/** The bundle is not the one any more that was verified. */
class BundleChanged extends ConflictError {
  constructor() {
    super('The files changed while the bundle was being published. Please try again.');
  }
}

/**
 * Makes an uploaded bundle available to devices: all of it or nothing. It is verified first, by what is in storage, and
 * its files are compressed; then one transaction, which no change of its files can get into, makes sure that it is still
 * the same and deploys it.
 */
@Injectable()
export class BundlePublicationService {
  constructor(
    @InjectRepository(Bundle) private readonly bundles: Repository<Bundle>,
    private readonly builds: BuildsService,
    private readonly artifacts: BuildArtifactsService,
    private readonly verification: BundleVerificationService,
    private readonly files: UploadedFilesQueries,
    private readonly namedManifests: NamedManifestsService,
    private readonly reuses: UnsafeReuseService,
    private readonly blobs: BlobsService,
    private readonly repairs: BlobRepairsService,
    private readonly variants: BlobVariantsQueries,
    private readonly quickVariants: QuickVariantsService,
    private readonly variantsWorker: BlobVariantsWorker,
    private readonly zips: GeneratedZipsService,
    private readonly zipsWorker: GeneratedZipsWorker,
    private readonly deployments: DeploymentsService,
    private readonly service: BundlesService,
  ) {}

  /**
   * Changes a bundle, and publishes it when it is said to be ready. A bundle that is ready already stays as it is,
   * so that the request may be repeated.
   *
   * @throws NotFoundError for an unknown bundle, or when the channel was deleted meanwhile
   * @throws InvalidRequestError naming the first files that are missing or wrong; nothing has changed then
   * @throws ConflictError when the files change all the time, or the channel is frozen
   */
  async update(appId: string, id: string, changes: UpdateBundleDto): Promise<BundleDto> {
    const bundle = await findOrThrow(this.bundles, { appId, id });
    requireUseOfEmergency(changes);
    for (let attempt = 1; ; attempt++) {
      const verified = changes.artifactStatus === 'ready' ? await this.verify(bundle, changes) : null;
      try {
        return await this.changeWith(bundle, changes, verified);
      } catch (error) {
        if (!(error instanceof BundleChanged) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** Changes a bundle in one transaction, and keeps what was staged for it, or discards it. */
  private async changeWith(
    bundle: Bundle,
    changes: UpdateBundleDto,
    verified: Verified | null,
  ): Promise<BundleDto> {
    const named = verified?.named ?? null;
    const change = (): Promise<Changed> => transaction(() => this.change(bundle, changes, verified));
    const changed = await (named === null ? change() : this.blobs.discardIfRefused(named, change));
    if (named !== null) await this.repairs.settle(named, changed.namedBlobId);
    // The named manifest is a blob only now.
    if (verified !== null && changed.namedBlobId !== null)
      await this.quickVariants.makeRequested([changed.namedBlobId], verified.timeLimit);
    const pendingCompressions =
      changes.artifactStatus === 'ready' ? await this.countUncompressed(bundle.id) : null;
    this.variantsWorker.wake();
    this.zipsWorker.wake();
    return { ...changed.bundle, pendingCompressions };
  }

  /** @returns `null`: not known. The bundle is published all the same, so a failure must not be reported as one of it. */
  private countUncompressed(bundleId: string): Promise<number | null> {
    return this.files.countUncompressed(bundleId).catch(() => null);
  }

  /** @returns `null`: it is ready already */
  private async verify({ appId, id }: Bundle, changes: UpdateBundleDto): Promise<Verified | null> {
    const artifact = await this.artifacts.get(id);
    const { type, status } = artifact;
    if (status === 'ready') return null;
    requireUploadedByUser(artifact);
    const bundle = { appId, id, type: type as BundleType, fileId: changes.appBundleFileId ?? null };
    try {
      const verification = await this.verification.verify(bundle);
      const { files, manifest, signed } = verification;
      const compressible = type === 'manifest' ? compressibleBlobs(files) : [];
      const timeLimit = this.quickVariants.startTimeLimit();
      await this.quickVariants.make(compressible, timeLimit);
      const named =
        type === 'manifest' && manifest !== null && !signed
          ? await this.namedManifests.stage(manifest)
          : null;
      return { bundle, verification, compressible, timeLimit, named };
    } catch (error) {
      // Its files are missing, too, when it was deleted meanwhile.
      await findOrThrow(this.bundles, { appId, id });
      throw error;
    }
  }

  private async change(
    { appId, id }: Bundle,
    changes: UpdateBundleDto,
    verified: Verified | null,
  ): Promise<Changed> {
    let namedBlobId: string | null = null;
    let reuseWarnings: BundleWarning[] = [];
    const artifact = await this.artifacts.lock(id);
    let bundle = await this.changeColumns(id, changes);
    const build = await this.builds.update(appId, artifact.buildId, targetingOf(changes));
    if (verified !== null && artifact.status !== 'ready') {
      if (!(await this.verification.isSame(verified.bundle, verified.verification)))
        throw new BundleChanged();
      if (verified.named !== null) {
        namedBlobId = await this.namedManifests.keep(appId, id, verified.named);
        await this.zips.request(id, verified.verification.files);
      }
      reuseWarnings = await this.reuses.publish(bundle, artifact.type, verified.verification);
      bundle = await this.publish(bundle, artifact, verified, changes);
      artifact.status = 'ready';
    }
    const warnings = verified === null ? [] : [...warningsOf(verified, build), ...reuseWarnings];
    return { bundle: toBundleDto(bundle, artifact, warnings), namedBlobId };
  }

  private async publish(
    { id }: Bundle,
    artifact: BuildArtifact,
    { verification: { main, files, signed }, compressible }: Verified,
    { emergency }: UpdateBundleDto,
  ): Promise<Bundle> {
    await this.artifacts.markReady(artifact.id, {
      blobId: main.blobId,
      fileName: main.name,
      fileMimeType: main.mimeType,
      fileSizeInBytes: main.sizeInBytes,
      totalSizeInBytes: files.reduce((total, { sizeInBytes }) => total + sizeInBytes, 0),
    });
    const published = await updateOrThrow(
      this.bundles,
      { id },
      artifact.type === 'zip' ? { checksum: main.sha256, signature: main.signature, signed } : { signed },
    );
    await this.variants.request(compressible);
    return this.service.deploy(published, artifact, emergency ?? null);
  }

  /** Older clients change the share with the bundle: of its deployment, once there is one. */
  private async changeColumns(
    id: string,
    { rolloutPercentage, expiresAt, emergency }: UpdateBundleDto,
  ): Promise<Bundle> {
    const bundle = await updateOrThrow(this.bundles, { id }, { rolloutPercentage, expiresAt });
    if (rolloutPercentage !== undefined && bundle.deploymentId !== null) {
      await this.deployments.update(bundle.appId, bundle.deploymentId, rolloutPercentage, { emergency });
    }
    return bundle;
  }
}

function warningsOf({ bundle, verification }: Verified, build: Build): BundleWarning[] {
  const { minElectronAppVersionCode, maxElectronAppVersionCode, eqElectronAppVersionCode } = build;
  const targetsElectron =
    (minElectronAppVersionCode ?? maxElectronAppVersionCode ?? eqElectronAppVersionCode) !== null;
  const forElectron = bundle.type === 'manifest' && targetsElectron;
  return [...verification.warnings, ...(forElectron ? [manifestForElectron()] : [])];
}

/** @throws InvalidRequestError for an emergency in a request that neither publishes nor changes the share */
function requireUseOfEmergency({ emergency, artifactStatus, rolloutPercentage }: UpdateBundleDto): void {
  if (!emergency || artifactStatus === 'ready' || rolloutPercentage !== undefined) return;
  throw invalidField('emergency', 'emergency requires artifactStatus ready or a rolloutPercentage.');
}

/** The blobs to compress for devices: those of a manifest bundle. The files of a zip stay in the zip. */
function compressibleBlobs(files: Verification['files']): string[] {
  return files
    .filter(({ href, mimeType, sizeInBytes }) => isCompressible({ name: href, mimeType, sizeInBytes }))
    .map(({ blobId }) => blobId);
}
