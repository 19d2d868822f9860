import { Injectable } from '@nestjs/common';
import type { Job, JobKindName } from '../jobs/job.entity.js';

/** What a kind of job does besides running; areas below register theirs. */
export interface JobKind {
  /**
   * Called in the transaction that ends the job, after its row has changed. An error undoes the end: an `AppError` says
   * what the runner has to do first.
   */
  ended(job: Job): Promise<void>;

  /** Called in the transaction that puts a job back which had started: removes what the attempt has left. */
  requeued(job: Job): Promise<void>;

  /** The secrets that the runner gets for the job. They are replaced in its log. */
  masks(job: Job): Promise<readonly string[]>;
}

/** The kinds of jobs. */
@Injectable()
export class JobKinds {
  private readonly kinds = new Map<JobKindName, JobKind>();

  /** Before any job of the kind is made, in `onModuleInit`. */
  register(kind: JobKindName, work: JobKind): void {
    this.kinds.set(kind, work);
  }

  /** @throws Error when no area has registered the kind */
  of(kind: JobKindName): JobKind {
    const work = this.kinds.get(kind);
    if (work === undefined) throw new Error(`Jobs of the kind ${kind} are not known.`);
    return work;
  }
}
