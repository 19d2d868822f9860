import { text } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, type EntityManager, type Repository } from 'typeorm';
import { ConflictError, InvalidRequestError, invalidField } from '../../common/errors/app-error.js';
import { findOrThrow, updateOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transaction.js';
import type { BuildArtifact } from '../../native-builds/build-artifacts/build-artifact.entity.js';
import { BuildArtifactsService } from '../../native-builds/build-artifacts/build-artifacts.service.js';
import { BuildsService } from '../../native-builds/builds/builds.service.js';
import { BlobsService } from '../../storage/blobs/blobs.service.js';
import { ChannelsService } from '../channels/channels.service.js';
import { DeploymentsService } from '../deployments/deployments.service.js';
import { type BundleDto, toBundleDto } from './bundle.dto.js';
import { Bundle } from './bundle.entity.js';
import { BundleFilesQueries, type UploadedFile } from './bundle-files.queries.js';
import { BundlesService, targetingOf } from './bundles.service.js';
import { MANIFEST_HREF } from './href.js';
import { type ManifestItem, MAX_MANIFEST_BYTES, parseManifest, verifyManifest } from './manifest.js';
import type { UpdateBundleDto } from './update-bundle.dto.js';

/** A manifest as it was read, and the blob that it was read from. */
interface ReadManifest {
  readonly blobId: string;
  readonly items: readonly ManifestItem[];
}

/**
 * Makes an uploaded bundle available to devices: all of it or nothing. What was uploaded is compared with what was
 * announced under a lock, in the transaction that also deploys it.
 */
@Injectable()
export class BundlePublicationService {
  constructor(
    @InjectRepository(Bundle) private readonly bundles: Repository<Bundle>,
    private readonly database: DataSource,
    private readonly builds: BuildsService,
    private readonly artifacts: BuildArtifactsService,
    private readonly files: BundleFilesQueries,
    private readonly blobs: BlobsService,
    private readonly channels: ChannelsService,
    private readonly deployments: DeploymentsService,
    private readonly service: BundlesService,
  ) {}

  /**
   * Changes a bundle, and publishes it when it is said to be ready. A bundle that is ready already stays as it is,
   * so that the request may be repeated.
   *
   * @throws NotFoundError for an unknown bundle, or when the channel was deleted meanwhile
   * @throws InvalidRequestError naming the first files that are missing or differ from the manifest
   */
  async update(appId: string, id: string, changes: UpdateBundleDto): Promise<BundleDto> {
    const { id: bundleId } = await findOrThrow(this.bundles, { appId, id });
    // Storage is read before the transaction, in which nothing may wait for it.
    const manifest = changes.artifactStatus === 'ready' ? await this.readManifest(bundleId) : null;
    return transaction(this.database, async (tx) => {
      const artifact = await this.artifacts.lock(tx, bundleId);
      let bundle = await this.changeRollout(tx, bundleId, changes.rolloutPercentage);
      await this.builds.update(appId, artifact.buildId, targetingOf(changes), tx);
      if (changes.artifactStatus === 'ready' && artifact.status !== 'ready') {
        bundle = await this.publish(tx, bundle, artifact, manifest, changes.appBundleFileId ?? null);
        artifact.status = 'ready';
      }
      return toBundleDto(bundle, artifact);
    });
  }

  private async publish(
    tx: EntityManager,
    bundle: Bundle,
    artifact: BuildArtifact,
    manifest: ReadManifest | null,
    fileId: string | null,
  ): Promise<Bundle> {
    const uploaded = await this.files.uploaded(tx, bundle.id);
    const main = artifact.type === 'manifest' ? manifestFile(uploaded, manifest) : zipFile(uploaded, fileId);
    const files = uploaded.filter(isComplete);
    const signed = files.every(({ signature }) => signature !== null);
    await this.artifacts.markReady(tx, artifact.id, {
      blobId: main.blobId,
      fileName: main.name,
      fileMimeType: main.mimeType,
      fileSizeInBytes: main.sizeInBytes,
      totalSizeInBytes: files.reduce((total, { sizeInBytes }) => total + sizeInBytes, 0),
    });
    const published = await updateOrThrow(
      tx.withRepository(this.bundles),
      { id: bundle.id },
      artifact.type === 'zip' ? { checksum: main.sha256, signature: main.signature, signed } : { signed },
    );
    if (bundle.channelId === null) return published;
    const channel = await this.channels.get(bundle.appId, bundle.channelId, tx);
    return this.service.deploy(tx, published, artifact, channel);
  }

  /** Older clients change the share with the bundle: of its deployment, once there is one. */
  private async changeRollout(tx: EntityManager, id: string, rolloutPercentage?: number): Promise<Bundle> {
    const bundle = await updateOrThrow(tx.withRepository(this.bundles), { id }, { rolloutPercentage });
    if (rolloutPercentage !== undefined && bundle.deploymentId !== null) {
      await this.deployments.update(bundle.appId, bundle.deploymentId, rolloutPercentage, { tx });
    }
    return bundle;
  }

  private async readManifest(bundleId: string): Promise<ReadManifest | null> {
    const files = await this.files.uploaded(this.database.manager, bundleId, MANIFEST_HREF);
    const [file] = files;
    if (file?.blobId == null) return null;
    if (file.sizeInBytes > MAX_MANIFEST_BYTES) {
      throw new InvalidRequestError(
        `The manifest is larger than ${MAX_MANIFEST_BYTES} bytes.`,
        'invalid_manifest',
      );
    }
    return {
      blobId: file.blobId,
      items: parseManifest(await text(await this.blobs.open({ id: file.blobId }))),
    };
  }
}

type CompleteFile = UploadedFile & { blobId: string; sha256: string };

function manifestFile(files: readonly UploadedFile[], manifest: ReadManifest | null): CompleteFile {
  const file = files.find(({ href }) => href === MANIFEST_HREF);
  if (file === undefined || !isComplete(file)) {
    throw new InvalidRequestError(`The bundle has no ${MANIFEST_HREF}.`, 'incomplete_bundle');
  }
  if (manifest?.blobId !== file.blobId) {
    throw new ConflictError(
      'The manifest was replaced while the bundle was being published. Please try again.',
    );
  }
  verifyManifest(manifest.items, files);
  return file;
}

function zipFile(files: readonly UploadedFile[], fileId: string | null): CompleteFile {
  const [file] = files;
  if (fileId !== null && file?.id !== fileId) {
    throw invalidField('appBundleFileId', 'appBundleFileId must be the id of a file of this bundle.');
  }
  if (file === undefined || !isComplete(file)) {
    throw new InvalidRequestError('The zip of the bundle was not uploaded.', 'incomplete_bundle');
  }
  return file;
}

function isComplete(file: UploadedFile): file is CompleteFile {
  return file.blobId !== null && file.sha256 !== null;
}
