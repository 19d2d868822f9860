import { Injectable } from '@nestjs/common';
import {
  ConflictError,
  InvalidRequestError,
  invalidField,
  NotFoundError,
} from '../../common/errors/app-error.js';
import { transaction } from '../../database/transactions/transaction.js';
import type { Lease } from '../../jobs/job-leases/lease.js';
import { JobLeasesService } from '../../jobs/runner-jobs/job-leases.service.js';
import { BlobsService, type StagedBlob } from '../../storage/blobs/blobs.service.js';
import { UploadStorageService } from '../../storage/uploads/upload-storage.service.js';
import { requireSize, type UploadTarget } from '../../storage/uploads/upload-target.js';
import { type ReadArtifact, ArtifactDetailsService } from '../artifact-details/artifact-details.service.js';
import { type ReadableType, readableTypes } from '../artifact-readers/artifact-facts.js';
import { artifactMimeTypes } from '../build-artifacts/artifact-mime-types.js';
import type { ArtifactType, BuildArtifact } from '../build-artifacts/build-artifact.entity.js';
import { BuildArtifactsService } from '../build-artifacts/build-artifacts.service.js';
import type { Build, BuildPlatform } from '../builds/build.entity.js';
import { BuildsService } from '../builds/builds.service.js';
import { BundleSigner } from './bundle-signer.service.js';
import type { CreateRunnerArtifactDto } from './runner-artifact.dto.js';
import { WebBundles } from './web-bundles.js';

/** What builds of a platform make. */
const TYPES: Readonly<Record<BuildPlatform, readonly ArtifactType[]>> = {
  // A zip has symbols or mappings.
  android: ['apk', 'aab', 'zip'],
  ios: ['ipa', 'app', 'dsym', 'xcarchive'],
  web: ['zip'],
};
/** Most artifacts of a build. */
const MAX_ARTIFACTS = 50;
/** As uploaded bundles: 1 GiB. */
const MAX_WEB_BYTES = 1024 ** 3;

/** What runners upload. It stays `pending`, and is not served, until the job has succeeded. */
@Injectable()
export class RunnerArtifactsService {
  constructor(
    private readonly artifacts: BuildArtifactsService,
    private readonly builds: BuildsService,
    private readonly details: ArtifactDetailsService,
    private readonly blobs: BlobsService,
    private readonly leases: JobLeasesService,
    private readonly storage: UploadStorageService,
    private readonly signer: BundleSigner,
    private readonly bundles: WebBundles,
  ) {}

  /**
   * Announces an artifact. The same announcement gets the same artifact; another one of the same file replaces one that
   * is not complete.
   *
   * @throws GoneError when the lease is lost
   * @throws InvalidRequestError when builds of the platform make no such file
   * @throws ConflictError when the file is there already with other bytes, or the build has too many
   */
  async create(lease: Lease, values: CreateRunnerArtifactDto): Promise<BuildArtifact> {
    const { type, fileName, fileSizeInBytes, sha256 } = values;
    await this.storage.requireRoom(lease.organizationId, { sha256, sizeInBytes: fileSizeInBytes });
    return this.leases.hold(lease, async () => {
      const build = await this.buildOf(lease);
      requireType(build.platform, values);
      const present = await this.artifacts.listAll([build.id]);
      // A web build has one zip; it is the bundle.
      const earlier = present.find(
        (artifact) => artifact.type === type && (build.platform === 'web' || artifact.fileName === fileName),
      );
      if (earlier !== undefined) {
        const isSame =
          earlier.announcedSha256 === sha256 &&
          earlier.fileSizeInBytes === fileSizeInBytes &&
          earlier.fileName === fileName;
        if (isSame) return earlier;
        if (earlier.blobId !== null) throw new ConflictError(`The build has another ${type} already.`);
        await this.artifacts.discard(build.id, earlier.id);
      } else if (present.length >= MAX_ARTIFACTS) {
        throw new ConflictError(`A build can have at most ${MAX_ARTIFACTS} artifacts.`);
      }
      return this.artifacts.create({
        buildId: build.id,
        type,
        status: 'pending',
        fileName,
        fileMimeType: artifactMimeTypes[type],
        fileSizeInBytes,
        announcedSha256: sha256,
      });
    });
  }

  /**
   * Where the parts of an artifact belong: they must be what was announced. An apk, aab, ipa or app must be one that can be
   * read. The zip of a web build is also signed, if the build has a certificate, and verified as an uploaded bundle is.
   *
   * @throws NotFoundError when the artifact is not one of this job, or is published
   */
  async targetOf(lease: Lease, id: string): Promise<UploadTarget> {
    const build = await this.buildOf(lease);
    const artifact = await this.artifacts.getPending(build.id, id);
    const { organizationId } = lease;
    let signature: string | null = null;
    let read: ReadArtifact | null = null;
    return {
      ownerId: id,
      organizationId,
      sizeInBytes: artifact.fileSizeInBytes ?? 0,
      check: async (whole) => {
        requireSize(whole, artifact.fileSizeInBytes);
        if (whole.sha256 !== artifact.announcedSha256) {
          throw invalidField('parts', 'parts do not have the SHA-256 that was announced.');
        }
        read = await this.read(organizationId, artifact.type, whole);
        signature = await this.signer.sign(lease, build, whole);
      },
      attach: (blobId, whole) =>
        this.leases.hold(lease, async () => {
          await this.artifacts.attach(build.id, id, blobId, whole.sizeInBytes);
          if (read !== null) await this.details.keep(id, organizationId, read);
          if (build.platform !== 'web') return;
          const { appId } = build;
          const fileName = artifact.fileName ?? 'bundle.zip';
          await this.bundles.attach({ appId, id, fileName, blobId, content: whole, signature });
        }),
      afterwards: async () => {
        if (build.platform === 'web') await this.verify(lease, build, id);
      },
    };
  }

  /** @returns `null`: artifacts of the type are not read */
  private async read(
    organizationId: string,
    type: ArtifactType,
    whole: StagedBlob,
  ): Promise<ReadArtifact | null> {
    if (!isReadable(type)) return null;
    return this.details.read(organizationId, {
      type,
      sizeInBytes: whole.sizeInBytes,
      openRange: (range) => this.blobs.openRange(whole, range),
    });
  }

  private async verify(lease: Lease, build: Build, id: string): Promise<void> {
    try {
      await this.bundles.verify(build.appId, id);
    } catch (error) {
      // The runner may build and announce another one.
      if (error instanceof InvalidRequestError) {
        await transaction(() => this.artifacts.discard(build.id, id));
      }
      // The end of a job deletes its artifacts.
      if (error instanceof NotFoundError) await this.leases.hold(lease, () => Promise.resolve());
      throw error;
    }
  }

  private buildOf(lease: Lease): Promise<Build> {
    return this.builds.getByJob(lease.appId, lease.jobId);
  }
}

function requireType(platform: BuildPlatform, { type, fileSizeInBytes }: CreateRunnerArtifactDto): void {
  const types = TYPES[platform];
  if (!types.includes(type)) {
    throw invalidField('type', `type must be ${types.join(', ')}: this is a build for ${platform}.`);
  }
  if (platform === 'web' && fileSizeInBytes > MAX_WEB_BYTES) {
    throw invalidField('fileSizeInBytes', `fileSizeInBytes must be at most ${MAX_WEB_BYTES} for web builds.`);
  }
}

function isReadable(type: ArtifactType): type is ReadableType {
  return (readableTypes as readonly ArtifactType[]).includes(type);
}
