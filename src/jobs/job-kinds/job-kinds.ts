import { Injectable } from '@nestjs/common';
import { isForRunners, type Job, type JobKindName } from '../jobs/job.entity.js';

/** What happens besides the execution of a job, by its kind; areas below register theirs. */
export interface JobKind {
  /** Called in the transaction in which a runner starts the job, each time that one does. */
  started?(job: Job): Promise<void>;

  /**
   * Called in the transaction that ends the job, after its row has changed. An error undoes the end: an `AppError` says
   * what the runner has to do first.
   */
  ended(job: Job): Promise<void>;

  /** Called in the transaction that puts a job back whose runner was lost: removes what the attempt has left. */
  requeued(job: Job): Promise<void>;

  /** The secrets that the job works with. They are replaced in its log. */
  masks(job: Job): Promise<readonly string[]>;
}

const NOTHING: JobKind = {
  ended: () => Promise.resolve(),
  requeued: () => Promise.resolve(),
  masks: () => Promise.resolve([]),
};

@Injectable()
export class JobKinds {
  private readonly kinds = new Map<JobKindName, JobKind>();

  /** Before any job of the kind is made, in `onModuleInit`. */
  register(kind: JobKindName, hooks: JobKind): void {
    this.kinds.set(kind, hooks);
  }

  /**
   * A kind that the API itself executes need not be registered: then nothing else depends on how its jobs end.
   *
   * @throws Error when runners execute the kind, and no area has registered it
   */
  of(kind: JobKindName): JobKind {
    const registered = this.kinds.get(kind);
    if (registered === undefined && isForRunners(kind))
      throw new Error(`Jobs of the kind ${kind} are not known.`);
    return registered ?? NOTHING;
  }
}
