import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, type Repository } from 'typeorm';
import { errorOf } from '../../common/errors/app-error.js';
import { findOrThrow } from '../../database/rows.js';
import { JobLogWriter } from '../../jobs/job-logs/job-log-writer.service.js';
import { JobsService } from '../../jobs/jobs/jobs.service.js';
import { WorkerJobs } from '../../jobs/jobs/worker-jobs.service.js';
import { DestinationsService } from '../destinations/destinations.service.js';
import { APPROVALS, openSubmissionStates, Submission } from './submission.entity.js';

/** Submissions of one place that are looked at: older ones were replaced before. */
const MAX_OF_PLACE = 10;

/** Submissions, each under the id of its deployment. Their jobs do the work: see `SubmissionJob`. */
@Injectable()
export class SubmissionsService implements OnModuleInit {
  constructor(
    @InjectRepository(Submission) private readonly submissions: Repository<Submission>,
    private readonly destinations: DestinationsService,
    private readonly jobs: JobsService,
    private readonly logs: JobLogWriter,
    private readonly workers: WorkerJobs,
  ) {}

  onModuleInit(): void {
    this.destinations.deleting.register(async ({ id: destinationId }) => {
      const open = { destinationId, state: In([...openSubmissionStates]) };
      if (await this.submissions.existsBy(open)) throw errorOf('destination_in_use');
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
