import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, type Repository } from 'typeorm';
import { type App, DEFAULT_BUILD_STACK } from '../../apps/apps/app.entity.js';
import { ConflictError } from '../../common/errors/app-error.js';
import { Listeners } from '../../common/listeners.js';
import { CountLimits } from '../../database/count-limits.js';
import { findOrThrow, insertOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { databaseNow } from '../../common/database-clock.js';
import { JobLogWriter } from '../../jobs/job-logs/job-log-writer.service.js';
import type { Job } from '../../jobs/jobs/job.entity.js';
import { JobsService } from '../../jobs/jobs/jobs.service.js';
import { WorkerJobs } from '../../jobs/worker-jobs/worker-jobs.service.js';
import { DestinationsService } from '../destinations/destinations.service.js';
import type { NewSubmission, ReleaseChange } from './new-submission.js';
import { OPEN_ACTION_KEY, openSubmissionStates, Submission } from './submission.entity.js';

/** A submission works for at most a day; waiting for others does not count. */
const TIMEOUT_SECONDS = 86_400;
/** What every store does first to make a release. */
const FIRST_STEP = 'check';

/** Submissions of one place that are looked at: older ones were replaced before. */
const MAX_OF_PLACE = 10;

/** Why a submission waits that has to be approved: `waitsFor` of its row. */
export const APPROVALS = 'approvals';

const violations = {
  [OPEN_ACTION_KEY]: () =>
    new ConflictError('The release is being changed: wait for its job, or cancel it.', 'release_busy'),
};

/** Submissions, each under the id of its deployment. Their jobs do the work: see `SubmissionJob`. */
@Injectable()
export class SubmissionsService {
  /** A submission that makes a release was created, with its job. */
  readonly created = new Listeners<[submission: Submission]>();

  constructor(
    @InjectRepository(Submission) private readonly submissions: Repository<Submission>,
    private readonly destinations: DestinationsService,
    private readonly limits: CountLimits,
    private readonly jobs: JobsService,
    private readonly logs: JobLogWriter,
    private readonly workers: WorkerJobs,
  ) {}

  /**
   * Adds a submission with its job, which begins after the running transaction unless it waits for approvals. It locks its
   * destination.
   *
   * @throws NotFoundError when the destination was deleted
   * @throws ConflictError when the app has as many open submissions as the server allows
   */
  create(app: App, values: NewSubmission): Promise<Submission> {
    return transaction(async () => {
      await this.destinations.lockShared(app.id, values.destination.id);
      const open = { appId: app.id, state: In([...openSubmissionStates]) };
      await this.limits.requireRoom('openSubmissionsPerApp', app.id, this.submissions, open);
      const { destination, artifact, facts, waitsForApprovals } = values;
      const isPending = waitsForApprovals !== null;
      const job = await this.createJob(app, {
        ...values,
        subjectId: values.id,
        platform: destination.platform,
      });
      const forReview = destination.type === 'apple-app-store-connect' && destination.appleSubmitForReview;
      const submission = await insertOrThrow(this.submissions, {
        id: values.id,
        appId: app.id,
        destinationId: destination.id,
        jobId: job.id,
        action: values.action,
        createdByUserId: values.createdBy,
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
        submitsForReview: forReview,
        rejectsIfPossible: forReview && destination.appleRejectIfPossible,
        appleReleaseType: forReview ? (destination.appleReleaseType ?? 'manual') : null,
        isPhased: forReview && destination.applePhasedRelease,
        earliestReleaseAt: values.earliestReleaseAt,
        step: FIRST_STEP,
        ...(isPending && { waitsFor: APPROVALS, waitingSince: databaseNow(), message: waitsForApprovals }),
      });
      if (isPending) await this.logs.end(job, waitsForApprovals);
      else await this.workers.request(job);
      await this.created.notify(submission);
      return submission;
    });
  }

  /**
   * Adds a change of a release with its job, which begins after the running transaction.
   *
   * @param release the submission that has made it
   * @throws ConflictError when another change of it is open
   */
  createChange(app: App, release: Submission, change: ReleaseChange): Promise<Submission> {
    const { action, createdBy, userFraction = 1 } = change;
    return transaction(async () => {
      const { platform } = await this.jobs.get(release.jobId);
      const job = await this.createJob(app, { subjectId: release.id, platform, createdBy });
      const { packageName, versionName, versionCode, signerSha256, usesNonExemptEncryption, applePlatform } =
        release;
      const facts = {
        packageName,
        versionName,
        versionCode,
        signerSha256,
        usesNonExemptEncryption,
        applePlatform,
      };
      const { artifactId, artifactType, blobId, sizeInBytes, sha256 } = release;
      const submission = await insertOrThrow(
        this.submissions,
        {
          appId: app.id,
          destinationId: release.destinationId,
          jobId: job.id,
          action,
          releaseId: release.id,
          createdByUserId: createdBy,
          type: release.type,
          ...facts,
          artifactId,
          artifactType,
          blobId,
          sizeInBytes,
          sha256,
          track: release.track,
          releaseStatus: release.releaseStatus,
          userFraction,
          step: action,
        },
        violations,
      );
      await this.workers.request(job);
      return submission;
    });
  }

  /** Locks the job of a submission until the transaction ends. @throws NotFoundError when the app has no such submission */
  async lockJob(appId: string, id: string): Promise<void> {
    const { jobId } = await this.get(appId, id);
    await this.jobs.lock(jobId);
  }

  /** Says how far the approvals are that a submission waits for, in its log as well. @param line one sentence */
  async noteApprovals(id: string, line: string): Promise<void> {
    const { jobId } = await findOrThrow(this.submissions, { id });
    await this.submissions.update({ id, waitsFor: APPROVALS }, { message: line });
    await this.logs.end(await this.jobs.get(jobId), line);
  }

  /** Lets a submission begin that was approved. Does nothing to one that has ended. */
  async begin(id: string): Promise<void> {
    const { jobId } = await findOrThrow(this.submissions, { id });
    await this.submissions.update(
      { id, waitsFor: APPROVALS },
      { waitsFor: null, waitingSince: null, message: null },
    );
    await this.workers.wake(jobId);
  }

  /** Ends a submission that was not approved: its job is `rejected`. @param reason one sentence */
  async reject(id: string, reason: string): Promise<void> {
    const { jobId } = await findOrThrow(this.submissions, { id });
    await this.jobs.reject([jobId], reason);
  }

  private createJob(
    app: App,
    { subjectId, platform, createdBy }: Pick<Job, 'subjectId' | 'platform' | 'createdBy'>,
  ): Promise<Job> {
    return this.jobs.create({
      organizationId: app.organizationId,
      appId: app.id,
      kind: 'submission',
      subjectId,
      platform,
      stack: app.buildStack ?? DEFAULT_BUILD_STACK,
      labels: [],
      createdBy,
      isAutomated: createdBy === null,
      // What no worker was requested for waits, too.
      isHeld: false,
      timeoutSeconds: TIMEOUT_SECONDS,
    });
  }

  /** As `get`, but not a change of a release. @throws NotFoundError when the app has no deployment to a store under this id */
  getOfDeployment(appId: string, id: string): Promise<Submission> {
    return findOrThrow(this.submissions, { id, appId, releaseId: IsNull() });
  }

  /** @throws NotFoundError when the app has no such submission */
  get(appId: string, id: string): Promise<Submission> {
    return findOrThrow(this.submissions, { id, appId });
  }

  /** The change of each release that has not ended, by the id of the release. */
  async openChangesOf(releaseIds: readonly string[]): Promise<Map<string, Submission>> {
    if (releaseIds.length === 0) return new Map();
    const open = await this.submissions.findBy({
      releaseId: In([...releaseIds]),
      state: In([...openSubmissionStates]),
    });
    return new Map(open.map((change) => [change.releaseId ?? '', change]));
  }

  /** The ids of all changes of a release. */
  async changesOf(releaseId: string): Promise<string[]> {
    const changes = await this.submissions.find({ select: { id: true }, where: { releaseId } });
    return changes.map(({ id }) => id);
  }

  /** Submissions by their ids, which are those of their deployments; others are missing. */
  async getMany(ids: readonly string[]): Promise<Map<string, Submission>> {
    if (ids.length === 0) return new Map();
    const found = await this.submissions.findBy({ id: In([...ids]) });
    return new Map(found.map((submission) => [submission.id, submission]));
  }

  /** The latest other submissions that have made a release of the same package in the same place, the newest first. */
  async ofSamePlace(id: string): Promise<Submission[]> {
    const submission = await this.submissions.findOneBy({ id });
    if (submission === null) return [];
    const { appId, packageName, type, track } = submission;
    return this.submissions.find({
      where: { appId, packageName, type, track: track ?? IsNull(), releaseId: IsNull(), id: Not(id) },
      order: { id: 'DESC' },
      take: MAX_OF_PLACE,
    });
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
