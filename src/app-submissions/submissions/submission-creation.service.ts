import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { type App, DEFAULT_BUILD_STACK } from '../../apps/apps/app.entity.js';
import { databaseNow } from '../../common/database-clock.js';
import { errorOf } from '../../common/errors/app-error.js';
import { Listeners } from '../../common/listeners.js';
import { CountLimits } from '../../database/count-limits.js';
import { insertOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { JobLogWriter } from '../../jobs/job-logs/job-log-writer.service.js';
import type { Job } from '../../jobs/jobs/job.entity.js';
import { JobsService } from '../../jobs/jobs/jobs.service.js';
import { WorkerJobs } from '../../jobs/jobs/worker-jobs.service.js';
import type { Destination } from '../destinations/destination.entity.js';
import { DestinationsService } from '../destinations/destinations.service.js';
import {
  APPROVALS,
  OPEN_ACTION_KEY,
  openSubmissionStates,
  type ReleaseAction,
  Submission,
  type SubmittedArtifactType,
  type SymbolFile,
} from './submission.entity.js';

/** The file that is submitted. */
export interface SubmittedArtifact {
  readonly id: string;
  readonly type: SubmittedArtifactType;
  readonly blobId: string;
  readonly sizeInBytes: number;
  /** In lower-case hexadecimal. */
  readonly sha256: string;
}

/** What the API has read from the file. */
export type SubmittedFacts = Pick<
  Submission,
  'packageName' | 'versionName' | 'versionCode' | 'signerSha256' | 'usesNonExemptEncryption' | 'applePlatform'
>;

/** A submission that was checked against its destination. */
export interface NewSubmission {
  /** That of the deployment. */
  readonly id: string;
  /** `promote`: the store has the file, which may be gone here. */
  readonly action: 'submit' | 'promote';
  readonly destination: Destination;
  readonly artifact: SubmittedArtifact;
  readonly facts: SubmittedFacts;
  readonly symbolFiles: readonly SymbolFile[];
  /** By locale; `default` is for the default language. */
  readonly releaseNotes: Readonly<Record<string, string>> | null;
  /** Share of users that get a staged release, above 0; 1: all. */
  readonly userFraction: number;
  readonly inAppUpdatePriority: number | null;
  /** Whether it may cancel a review that runs. */
  readonly cancelsReview: boolean;
  /** With the Apple release type `scheduled`: when it goes live at the earliest; otherwise `null`. */
  readonly earliestReleaseAt: Date | null;
  /** Whether it waits for approvals: then one sentence that says for whose; `null`: it begins. */
  readonly waitsForApprovals: string | null;
  /** `null`: an automation. */
  readonly createdBy: string | null;
}

/** A change of a release that was checked. */
export interface ReleaseChange {
  readonly action: ReleaseAction;
  /** With `set-rollout`, the new share of users, 0 to 1. */
  readonly userFraction?: number;
  /** `null`: a plan. */
  readonly createdBy: string | null;
}

/** A submission works for at most a day; waiting for others does not count. */
const TIMEOUT_SECONDS = 86_400;
/** What every store does first to make a release. */
const FIRST_STEP = 'check';

const violations = {
  [OPEN_ACTION_KEY]: () => errorOf('release_busy'),
};

/** Creates submissions and changes of their releases, each with the job that does the work: see `SubmissionJob`. */
@Injectable()
export class SubmissionCreation {
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
   * Adds a submission with its job, which begins after the running transaction unless it waits for approvals: deployments to
   * destinations come here (`StoreDeploymentsService.submit`). It locks its destination.
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
}
