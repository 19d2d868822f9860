import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { type App, DEFAULT_BUILD_STACK } from '../../apps/apps/app.entity.js';
import { CountLimits } from '../../database/count-limits.js';
import { findOrThrow, insertOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import type { Job } from '../../jobs/jobs/job.entity.js';
import { JobsService } from '../../jobs/jobs/jobs.service.js';
import { WorkerJobs } from '../../jobs/worker-jobs/worker-jobs.service.js';
import { DestinationsService } from '../destinations/destinations.service.js';
import type { NewSubmission } from './new-submission.js';
import { openSubmissionStates, Submission } from './submission.entity.js';

/** A submission works for at most a day; waiting for others does not count. */
const TIMEOUT_SECONDS = 86_400;
/** What every store does first. */
export const FIRST_STEP = 'check';

/** Submissions, each under the id of its deployment. Their jobs do the work: see `SubmissionJob`. */
@Injectable()
export class SubmissionsService {
  constructor(
    @InjectRepository(Submission) private readonly submissions: Repository<Submission>,
    private readonly destinations: DestinationsService,
    private readonly limits: CountLimits,
    private readonly jobs: JobsService,
    private readonly workers: WorkerJobs,
  ) {}

  /**
   * Adds a submission with its job, which begins after the running transaction. It locks its destination.
   *
   * @throws NotFoundError when the destination was deleted
   * @throws ConflictError when the app has as many open submissions as the server allows
   */
  create(app: App, values: NewSubmission): Promise<Submission> {
    return transaction(async () => {
      await this.destinations.lockShared(app.id, values.destination.id);
      const open = { appId: app.id, state: In([...openSubmissionStates]) };
      await this.limits.requireRoom('openSubmissionsPerApp', app.id, this.submissions, open);
      const job = await this.createJob(app, values);
      const { destination, artifact, facts } = values;
      const submission = await insertOrThrow(this.submissions, {
        id: values.id,
        appId: app.id,
        destinationId: destination.id,
        jobId: job.id,
        type: destination.type,
        ...facts,
        artifactId: artifact.id,
        artifactType: artifact.type,
        blobId: artifact.blobId,
        sizeInBytes: artifact.sizeInBytes,
        sha256: artifact.sha256,
        symbolFiles: [...values.symbolFiles],
        track: destination.type === 'google-play' ? destination.googlePlayTrack : null,
        releaseStatus: destination.platform === 'android' ? destination.androidReleaseStatus : null,
        userFraction: values.userFraction,
        releaseNotes: values.releaseNotes === null ? null : { ...values.releaseNotes },
        inAppUpdatePriority: values.inAppUpdatePriority,
        cancelsReview: values.cancelsReview,
        betaGroups: [...destination.appleBetaGroups],
        step: FIRST_STEP,
      });
      await this.workers.request(job);
      return submission;
    });
  }

  private createJob(app: App, { id, destination, createdBy }: NewSubmission): Promise<Job> {
    return this.jobs.create({
      organizationId: app.organizationId,
      appId: app.id,
      kind: 'submission',
      subjectId: id,
      platform: destination.platform,
      stack: app.buildStack ?? DEFAULT_BUILD_STACK,
      labels: [],
      createdBy,
      isAutomated: createdBy === null,
      isHeld: false,
      timeoutSeconds: TIMEOUT_SECONDS,
    });
  }

  /** @throws NotFoundError when the app has no such submission */
  get(appId: string, id: string): Promise<Submission> {
    return findOrThrow(this.submissions, { id, appId });
  }

  /** Submissions by their ids, which are those of their deployments; others are missing. */
  async getMany(ids: readonly string[]): Promise<Map<string, Submission>> {
    if (ids.length === 0) return new Map();
    const found = await this.submissions.findBy({ id: In([...ids]) });
    return new Map(found.map((submission) => [submission.id, submission]));
  }

  /** The package or bundle id of the last submission to a destination; `null`: there was none. */
  async lastPackageOf(destinationId: string): Promise<string | null> {
    const last = await this.submissions.findOne({
      select: { id: true, packageName: true },
      where: { destinationId },
      order: { id: 'DESC' },
    });
    return last?.packageName ?? null;
  }

  /** Which of the artifacts open submissions still need. */
  async openOf(artifactIds: readonly string[]): Promise<Set<string>> {
    if (artifactIds.length === 0) return new Set();
    const open = await this.submissions.find({
      select: { id: true, artifactId: true },
      where: { artifactId: In([...artifactIds]), state: In([...openSubmissionStates]) },
    });
    return new Set(open.map(({ artifactId }) => artifactId));
  }
}
