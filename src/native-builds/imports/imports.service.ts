import { Injectable } from '@nestjs/common';
import type { App } from '../../apps/apps/app.entity.js';
import { openWork } from '../../common/background/shared-capacity.js';
import { ConflictError, invalidField, NotFoundError, errorOf } from '../../common/errors/app-error.js';
import { transaction } from '../../database/transactions/transaction.js';
import type { Job, JobStatus } from '../../jobs/jobs/job.entity.js';
import { JobsQueries } from '../../jobs/jobs/jobs.queries.js';
import { JobsService } from '../../jobs/jobs/jobs.service.js';
import { WorkerJobs } from '../../jobs/jobs/worker-jobs.service.js';
import type { StagedBlob } from '../../storage/blobs/blobs.service.js';
import { UploadStorageService } from '../../storage/uploads/upload-storage.service.js';
import { requireSize, type UploadTarget } from '../../storage/uploads/upload-target.js';
import { artifactMimeTypes } from '../build-artifacts/artifact-mime-types.js';
import type { BuildArtifact } from '../build-artifacts/build-artifact.entity.js';
import { BuildArtifactsService } from '../build-artifacts/build-artifacts.service.js';
import type { Build } from '../builds/build.entity.js';
import { buildTypeOf } from '../builds/build-types.js';
import { BuildsService } from '../builds/builds.service.js';
import { requireFitting } from './check-import.js';
import type { CreateImportDto } from './create-import.dto.js';

/** Imports of one app that have not ended. */
const MAX_PENDING = openWork['pending-imports'].of.app;
/** For reading the file, in seconds; the upload does not count. */
const TIMEOUT_SECONDS = 15 * 60;

/** Why an import no longer takes bytes. */
const ENDED: Readonly<Partial<Record<JobStatus, string>>> = {
  succeeded: 'it has succeeded',
  failed: 'it has failed',
  canceled: 'it was canceled',
  timed_out: 'it has timed out',
};

/** Builds that were made elsewhere: announces them, and takes their bytes. */
@Injectable()
export class ImportsService {
  constructor(
    private readonly builds: BuildsService,
    private readonly artifacts: BuildArtifactsService,
    private readonly jobs: JobsService,
    private readonly jobsQueries: JobsQueries,
    private readonly workers: WorkerJobs,
    private readonly storage: UploadStorageService,
  ) {}

  /**
   * Creates a build with a job and an artifact that waits for its bytes.
   *
   * @throws InvalidRequestError when type, platform and file contradict each other
   * @throws ForbiddenError when the organization may not store the file
   * @throws InsufficientStorageError when only the reserve is left
   * @throws ConflictError when many other imports of the app have not ended
   */
  async create(app: App, userId: string, body: CreateImportDto): Promise<Build> {
    const { platform, artifact } = body;
    const type = body.type == null ? null : buildTypeOf(platform, body.type);
    requireFitting(platform, artifact);
    const sha256 = artifact.sha256 ?? null;
    await this.storage.requireRoom(app.organizationId, { sha256, sizeInBytes: artifact.fileSizeInBytes });
    return transaction(async () => {
      await this.requireTurn(app.id);
      const build = await this.builds.create(app.id, {
        platform,
        type,
        gitRef: body.gitRef ?? null,
        packageName: body.packageName ?? null,
        releaseNotes: body.releaseNotes ?? null,
        createdBy: userId,
      });
      await this.artifacts.create({
        buildId: build.id,
        type: artifact.type,
        status: 'pending',
        fileName: artifact.fileName,
        fileMimeType: artifactMimeTypes[artifact.type],
        fileSizeInBytes: artifact.fileSizeInBytes,
        announcedSha256: sha256,
      });
      return this.start(app, build);
    });
  }

  private async start({ id, organizationId }: App, build: Build): Promise<Build> {
    const job = await this.jobs.create({
      organizationId,
      appId: id,
      kind: 'import',
      subjectId: build.id,
      platform: null,
      stack: null,
      labels: [],
      createdBy: build.createdBy,
      isAutomated: false,
      isHeld: false,
      timeoutSeconds: TIMEOUT_SECONDS,
    });
    const started = await this.builds.setJob(build.id, { jobId: job.id, sealedAdHocVariables: null });
    await this.builds.created.notify(started);
    return started;
  }

  /**
   * Where the parts of an imported file belong: they must be what was announced. The job begins when they are complete.
   *
   * @throws NotFoundError when the build is none of this app, or the artifact is not the one of an import
   * @throws ConflictError when the import has ended without the artifact
   */
  async targetOf(app: App, buildId: string, artifactId: string): Promise<UploadTarget> {
    const build = await this.builds.get(app.id, buildId);
    const job = await this.jobOf(build);
    const artifact = await this.artifactOf(job, buildId, artifactId);
    return {
      ownerId: artifactId,
      organizationId: app.organizationId,
      sizeInBytes: artifact.fileSizeInBytes ?? 0,
      requireOpen: () => requireOpen(job, artifact),
      check: (whole) => requireAnnounced(whole, artifact),
      attach: async (blobId, whole) => {
        await this.jobsQueries.lock(job.id);
        const current = await this.jobs.get(job.id);
        requireOpen(current, await this.artifactOf(current, buildId, artifactId));
        await this.artifacts.attach(buildId, artifactId, blobId, whole.sizeInBytes);
        await this.workers.request(current);
      },
    };
  }

  private async jobOf({ jobId }: Build): Promise<Job> {
    const job = jobId === null ? undefined : (await this.jobs.getMany([jobId])).get(jobId);
    if (job?.kind !== 'import') throw new NotFoundError('Build artifact');
    return job;
  }

  private async artifactOf(job: Job, buildId: string, id: string): Promise<BuildArtifact> {
    const artifact = (await this.artifacts.listAll([buildId])).find((one) => one.id === id);
    if (artifact !== undefined) return artifact;
    // Its end has deleted the artifact.
    if (job.finishedAt !== null && job.status !== 'succeeded') throw hasEnded(job);
    throw new NotFoundError('Build artifact');
  }

  private async requireTurn(appId: string): Promise<void> {
    if (await this.jobs.hasRoomInApp('import', appId, MAX_PENDING)) return;
    throw new ConflictError(
      `The app has ${MAX_PENDING} imports already that have not ended, which is the limit.`,
      'imports_pending',
    );
  }
}

/** @throws ConflictError unless the bytes of the file are to be uploaded */
function requireOpen(job: Job, { blobId }: BuildArtifact): void {
  if (job.finishedAt !== null) throw hasEnded(job);
  if (blobId !== null) throw errorOf('import_ended');
}

function hasEnded({ status, statusMessage }: Job): ConflictError {
  const reason = statusMessage === null ? '.' : `: ${statusMessage}`;
  return new ConflictError(
    `The import takes no bytes, because ${ENDED[status] ?? 'it has ended'}${reason}`,
    'import_ended',
  );
}

/** @throws InvalidRequestError when the bytes are not those that were announced */
function requireAnnounced(whole: StagedBlob, { fileSizeInBytes, announcedSha256 }: BuildArtifact): void {
  requireSize(whole, fileSizeInBytes);
  if (announcedSha256 !== null && whole.sha256 !== announcedSha256) {
    throw invalidField('parts', 'parts do not have the SHA-256 that was announced.');
  }
}
