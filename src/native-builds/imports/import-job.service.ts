import { Injectable, type OnModuleInit } from '@nestjs/common';
import { NO_TURN, WAITS_FOR_TURN } from '../../common/background/shared-capacity.js';
import { ArtifactReaderBusyError } from '../../common/errors/app-error.js';
import { type JobKind, JobKinds } from '../../jobs/job-kinds/job-kinds.js';
import type { Job } from '../../jobs/jobs/job.entity.js';
import { WorkerJobs } from '../../jobs/jobs/worker-jobs.service.js';
import type { WorkerRun } from '../../jobs/jobs/worker-run.js';
import type { QueueDefinition } from '../../queue/queue.service.js';
import { BlobsService } from '../../storage/blobs/blobs.service.js';
import { ArtifactDetailsService, type ReadArtifact } from '../artifact-details/artifact-details.service.js';
import type { ReadableType, ArtifactFacts, ArtifactSigner } from '../artifact-readers/artifact-facts.js';
import type { BuildArtifact } from '../build-artifacts/build-artifact.entity.js';
import { BuildArtifactsService } from '../build-artifacts/build-artifacts.service.js';
import { BuildEvents } from '../builds/build-events.service.js';
import { BuildsService } from '../builds/builds.service.js';
import type { ApplePlatform } from '../../common/apple-platforms.js';
import { checkImport } from './check-import.js';

const PLATFORMS: Readonly<Record<ApplePlatform, string>> = { ios: 'iOS', tvos: 'tvOS', visionos: 'visionOS' };

const QUEUE: QueueDefinition = {
  name: 'imports',
  retryLimit: 5,
  retryDelay: 5,
  retryDelayMax: 60,
  expireInSeconds: 20 * 60,
  heartbeatSeconds: 60,
};

/** Of two minutes each. */
const MAX_WAITS = 30;

/** The reason for users when the queue has no attempts left. */
const GIVEN_UP = 'The server failed several times to read the file. Import it again.';

/** An artifact whose bytes are stored. */
type StoredArtifact = BuildArtifact & { readonly blobId: string };

/** The job of an import: reads the file, compares it with what was announced, and publishes it. */
@Injectable()
export class ImportJob implements JobKind, OnModuleInit {
  constructor(
    private readonly builds: BuildsService,
    private readonly artifacts: BuildArtifactsService,
    private readonly details: ArtifactDetailsService,
    private readonly blobs: BlobsService,
    private readonly events: BuildEvents,
    private readonly kinds: JobKinds,
    private readonly workers: WorkerJobs,
  ) {}

  onModuleInit(): void {
    this.kinds.register('import', this);
    this.workers.register('import', { queue: QUEUE, givenUp: GIVEN_UP, run: (run) => this.run(run) });
  }

  /** Only what is published is kept of an import. */
  async ended(job: Job): Promise<void> {
    const build = await this.builds.findByJob(job.appId, job.id);
    if (build === null) return;
    if (job.status !== 'succeeded') await this.artifacts.discard(build.id);
    await this.events.importFinished(job);
  }

  requeued(): Promise<void> {
    return Promise.resolve();
  }

  masks(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  /** @throws InvalidRequestError when the file cannot be read, or is not what was announced */
  private async run(run: WorkerRun): Promise<void> {
    const { id, appId, organizationId } = run.job;
    const build = await this.builds.getByJob(appId, id);
    const artifact = await this.storedOf(build.id);
    const sizeInBytes = artifact.fileSizeInBytes ?? 0;
    await run.log(
      `Reading ${artifact.fileName ?? artifact.type}: ${sizeInBytes.toLocaleString('en')} bytes.`,
    );
    let read: ReadArtifact;
    try {
      read = await this.details.read(organizationId, {
        type: artifact.type as ReadableType,
        sizeInBytes,
        openRange: (range) => this.blobs.openRange({ id: artifact.blobId }, range),
      });
    } catch (error) {
      if (!(error instanceof ArtifactReaderBusyError)) throw error;
      return this.wait(run);
    }
    const { facts } = read;
    await run.log(...describeArtifact(facts));
    if (read.remark !== null)
      await run.log(`Not read: ${read.remark}. Devices may be unable to read it, too.`);
    await run.succeed(async () => {
      // The user may have changed it in the meantime.
      const current = await this.builds.get(appId, build.id);
      await this.builds.setImported(build.id, {
        type: checkImport(current, facts),
        packageName: facts.packageName,
        packageVersion: facts.versionName ?? facts.versionCode,
        displayName: current.displayName ?? facts.label,
      });
      await this.details.keep(artifact.id, organizationId, read);
      await this.artifacts.markReady(artifact.id, null);
    });
  }

  /** Other files were read for two minutes: lets other imports pass, for an hour in all. */
  private async wait(run: WorkerRun): Promise<void> {
    if (run.job.step >= MAX_WAITS) return run.fail(NO_TURN);
    await run.log(WAITS_FOR_TURN);
    await run.goOn({ waits: true, afterSeconds: 5 });
  }

  private async storedOf(buildId: string): Promise<StoredArtifact> {
    const [artifact] = await this.artifacts.listAll([buildId]);
    if (artifact?.blobId == null)
      throw new Error(`The import ${buildId} began before its upload was complete.`);
    return { ...artifact, blobId: artifact.blobId };
  }
}

/** What was read of a file, as lines of the log. */
function describeArtifact(facts: ArtifactFacts): string[] {
  const { packageName, versionName, versionCode, label, minSdkVersion, targetSdkVersion, minOsVersion } =
    facts;
  const { applePlatform, usesNonExemptEncryption } = facts;
  return [
    `Package: ${packageName}`,
    `Version: ${versionName ?? 'none'} (${versionCode ?? 'none'})`,
    ...(label === null ? [] : [`Name: ${label}`]),
    ...(minSdkVersion === null && targetSdkVersion === null
      ? []
      : [`API level: ${minSdkVersion ?? 'any'} or higher, made for ${targetSdkVersion ?? 'an unknown one'}`]),
    ...(minOsVersion === null ? [] : [`${PLATFORMS[applePlatform ?? 'ios']}: ${minOsVersion} or higher`]),
    ...(usesNonExemptEncryption === null
      ? []
      : [`Encryption that is not exempt from export rules: ${usesNonExemptEncryption ? 'yes' : 'no'}`]),
    `Signer: ${facts.signer === null ? 'none, so devices do not install it' : describeSigner(facts.signer)}`,
  ];
}

function describeSigner({ scheme, subject, sha256, expiresAt, teamId, profileType }: ArtifactSigner): string {
  const parts = [
    subject ?? 'a certificate that cannot be read',
    ...(teamId === null ? [] : [`team ${teamId}`]),
    ...(sha256 === null ? [] : [`SHA-256 ${sha256}`]),
    ...(expiresAt === null ? [] : [`until ${expiresAt.toISOString().slice(0, 10)}`]),
    scheme === 'profile'
      ? `profile${profileType === null ? '' : ` for ${profileType}`}`
      : `signature ${scheme}`,
  ];
  return parts.join(', ');
}
