import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { ConflictError } from '../../../common/errors/app-error.js';
import type { Warning } from '../../../common/warnings/warning.js';
import { updateOrThrow } from '../../../database/rows.js';
import type { BuildArtifact } from '../../../native-builds/build-artifacts/build-artifact.entity.js';
import { BuildArtifactsService } from '../../../native-builds/build-artifacts/build-artifacts.service.js';
import type { Build } from '../../../native-builds/builds/build.entity.js';
import { targetingOf } from '../../../native-builds/builds/create-build.dto.js';
import { BuildsService } from '../../../native-builds/builds/builds.service.js';
import { emptyFilesWarning, manifestForElectron } from '../../bundle-content/bundle-warnings.js';
import { DeploymentsService } from '../../deployments/deployments.service.js';
import { isSmallEnough } from '../../generated-zips/files-bytes.js';
import { ManifestComparisonsService } from '../../unsafe-reuse/manifest-comparisons.service.js';
import { UnsafeReuseService } from '../../unsafe-reuse/unsafe-reuse.service.js';
import { type BundleDto, toBundleDto, type UpdateBundleDto } from '../bundle.dto.js';
import { Bundle } from '../bundle.entity.js';
import { BundlesService } from '../bundles.service.js';
import {
  BundleVerificationService,
  type Verification,
  type VerifiedBundle,
} from './bundle-verification.service.js';
import { type DerivedFiles, DerivedFilesService } from './derived-files.service.js';

/** A bundle that was verified, to be published. */
export interface PreparedBundle {
  readonly bundle: VerifiedBundle;
  readonly verification: Verification;
  readonly derived: DerivedFiles;
}

/** What the transaction has written. */
export interface WrittenBundle {
  readonly bundle: BundleDto;
  /** The blob of its named manifest, or of the zip with its flags; `null`: none was kept. */
  readonly keptBlobId: string | null;
}

/** The bundle is no longer the one that was verified. */
export class BundleChanged extends ConflictError {
  constructor() {
    super('The files changed while the bundle was being published. Please try again.');
  }
}

/** Changes and publishes bundles in the database: the transaction of `BundlePublicationService`. */
@Injectable()
export class BundleWriter {
  constructor(
    @InjectRepository(Bundle) private readonly bundles: Repository<Bundle>,
    private readonly builds: BuildsService,
    private readonly artifacts: BuildArtifactsService,
    private readonly verification: BundleVerificationService,
    private readonly derived: DerivedFilesService,
    private readonly comparisons: ManifestComparisonsService,
    private readonly reuses: UnsafeReuseService,
    private readonly deployments: DeploymentsService,
    private readonly service: BundlesService,
  ) {}

  /**
   * Changes a bundle, and publishes it unless it is ready already. To be called in a transaction.
   *
   * @param prepared `null`: the bundle is not to be published, or is ready already
   * @param consequences what it means for devices if it is deployed or changed
   * @throws BundleChanged when it is not the one that was verified
   */
  async write(
    { appId, id }: Bundle,
    changes: UpdateBundleDto,
    prepared: PreparedBundle | null,
    consequences: readonly Warning[],
  ): Promise<WrittenBundle> {
    // Leaves its files unchanged.
    const artifact = await this.artifacts.lock(id);
    const bundle = await this.changeColumns(id, changes);
    const build = await this.builds.update(appId, artifact.buildId, targetingOf(changes));
    const warnings = prepared === null ? [] : warningsOf(prepared, build);
    if (prepared === null || artifact.status === 'ready') {
      const former =
        changes.artifactStatus === 'ready'
          ? await this.service.published(bundle, artifact)
          : { bundle, warnings: [] };
      const all = [...warnings, ...former.warnings, ...consequences];
      return { bundle: toBundleDto(former.bundle, artifact, all), keptBlobId: null };
    }
    const { derived } = prepared;
    if (!(await this.verification.isSame(prepared.bundle, prepared.verification))) throw new BundleChanged();
    const verification = await this.derived.keepZip(id, prepared.verification, derived);
    await this.comparisons.publish(bundle, artifact.type, verification);
    const published = await this.publish(artifact, verification);
    const { buildId } = artifact;
    if (bundle.channelId === null) warnings.push(...(await this.reuses.check({ buildId, channelId: null })));
    const namedBlobId = await this.derived.keep(id, verification.files, derived);
    const deployed = await this.service.deploy(published, artifact, changes.emergency ?? null);
    const ready = { ...artifact, status: 'ready' as const };
    const keptBlobId = derived.flagged === null ? namedBlobId : verification.main.blobId;
    warnings.push(...deployed.warnings, ...(deployed.isSkipped ? [] : consequences));
    return { bundle: toBundleDto(deployed.bundle, ready, warnings), keptBlobId };
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

  private async publish(
    { id, type }: BuildArtifact,
    { main, files, signed, contentDigest }: Verification,
  ): Promise<Bundle> {
    await this.artifacts.markReady(id, {
      blobId: main.blobId,
      fileName: main.name,
      fileMimeType: main.mimeType,
      fileSizeInBytes: main.sizeInBytes,
      totalSizeInBytes: files.reduce((total, { sizeInBytes }) => total + sizeInBytes, 0),
    });
    const ofZip = type === 'zip' ? { checksum: main.sha256, signature: main.signature } : {};
    return updateOrThrow(this.bundles, { id }, { ...ofZip, signed, contentDigest });
  }
}

function warningsOf({ bundle, verification }: PreparedBundle, build: Build): Warning[] {
  const { minElectronAppVersionCode, maxElectronAppVersionCode, eqElectronAppVersionCode } = build;
  const targetsElectron =
    (minElectronAppVersionCode ?? maxElectronAppVersionCode ?? eqElectronAppVersionCode) !== null;
  const forElectron = bundle.type === 'manifest' && targetsElectron;
  const { manifest, signed, files } = verification;
  const listed = bundle.type === 'manifest' ? (manifest ?? []) : [];
  return [
    ...verification.warnings,
    ...(forElectron ? [manifestForElectron()] : []),
    ...emptyFilesWarning(listed, !signed && isSmallEnough(files)),
  ];
}
