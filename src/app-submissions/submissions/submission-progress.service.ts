import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { Listeners } from '../../common/listeners.js';
import { Submission, type SubmissionState } from './submission.entity.js';

/** Releases of one track that wait for a person: Google Play shows 20 at most. */
const MAX_ACTIONS = 20;

/** Submissions of one upload or build that are looked at. */
const MAX_OF_IDS = 100;

/** Where the work on submissions is: only their jobs write it. */
@Injectable()
export class SubmissionProgress {
  /** A submission, or a change of a release, has another state. */
  readonly stateChanged = new Listeners<[submission: Submission, before: SubmissionState]>();

  constructor(@InjectRepository(Submission) private readonly submissions: Repository<Submission>) {}

  /** With the sealed address of its upload. @returns `null`: it was deleted */
  findByJob(jobId: string): Promise<Submission | null> {
    return this.submissions
      .createQueryBuilder('submission')
      .addSelect('submission.sealedUpload')
      .where('submission.jobId = :jobId', { jobId })
      .getOne();
  }

  /** By its own id, without the sealed address. @returns `null`: it was deleted */
  find(id: string): Promise<Submission | null> {
    return this.submissions.findOneBy({ id });
  }

  /** Locks the submission of a job until the transaction ends. @returns `null`: it was deleted */
  lockByJob(jobId: string): Promise<Submission | null> {
    return this.submissions.findOne({ where: { jobId }, lock: { mode: 'for_no_key_update' } });
  }

  /** As `lockByJob`, by its own id. */
  lock(id: string): Promise<Submission | null> {
    return this.submissions.findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  /**
   * Submissions of the same package of an app whose store has given them one of these ids, the newest first; the given one may
   * be among them.
   */
  ofStoreIds({ appId, packageName }: Submission, ids: readonly string[]): Promise<Submission[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return this.submissions
      .createQueryBuilder('submission')
      .where({ appId, packageName })
      .andWhere(
        `(submission.external->>'buildUploadId' IN (:...ids) OR submission.external->>'buildId' IN (:...ids))`,
        {
          ids,
        },
      )
      .orderBy('submission.id', 'DESC')
      .take(MAX_OF_IDS)
      .getMany();
  }

  /** In the transaction of its job, or of what has locked it. */
  async write(id: string, changes: Partial<Submission>): Promise<void> {
    if (Object.keys(changes).length === 0) return;
    const before = changes.state === undefined ? null : await this.find(id);
    await this.submissions.update(id, changes as QueryDeepPartialEntity<Submission>);
    if (before === null || before.state === changes.state) return;
    const after = await this.find(id);
    if (after !== null) await this.stateChanged.notify(after, before.state);
  }

  /** The latest submissions of the package to the track that wait for a person, the newest first. */
  actionRequired(packageName: string, track: string): Promise<Submission[]> {
    return this.submissions.find({
      where: { packageName, track, state: 'failed_with_action_required' },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: MAX_ACTIONS,
    });
  }
}
