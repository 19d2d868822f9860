import { Injectable } from '@nestjs/common';
import type { StoreRefusal } from '../calls/refusals/refusal.js';
import type { StoreSession } from '../calls/store-session.js';
import type { DestinationType } from '../destinations/destination.entity.js';
import type { ReleaseLook } from '../releases/release-look.js';
import type { Submission } from '../submissions/submission.entity.js';
import type { SubmissionRun } from './submission-run.js';

/**
 * What a store does. A submission that makes a release begins with the step `check`; one that changes a release begins with
 * the step that is called as its action.
 */
export interface Store {
  readonly type: DestinationType;
  /** As people know it. */
  readonly name: string;
  /** What is replaced in logs: the secrets of the account, and its e-mail address. */
  masks(submission: Submission): Promise<readonly string[]>;
  /**
   * Does the present step of the flow of a submission, in less than about half a minute unless the store is slow.
   *
   * @throws RunOver how the submission continues is written
   * @throws StoreRefusal what the store refuses
   * @throws StoreUnreachableError
   */
  run(run: SubmissionRun): Promise<void>;
  /**
   * Goes on after a refusal, where the store or the refusal says how.
   *
   * @returns it is refused permanently, or was tried often enough
   * @throws RunOver as `run`
   */
  recover(refusal: StoreRefusal, run: SubmissionRun): Promise<void>;
  /** Whether something is left in the store of a submission that has ended early. */
  leavesWork(submission: Submission): boolean;
  /** Removes it. @throws StoreRefusal @throws StoreUnreachableError */
  discard(submission: Submission, session: StoreSession): Promise<void>;
  /** What is said when a submission fails or times out, after `commitSentAt`; `null`: the reason says it all. */
  afterCommit(submission: Submission): string | null;
  /**
   * Whether a person has finished what `failed_with_action_required` asked for.
   *
   * @returns `null`: yes; otherwise one sentence about what is missing
   * @throws StoreRefusal @throws StoreUnreachableError
   */
  missingAction(submission: Submission, session: StoreSession): Promise<string | null>;
  /**
   * Asks where a release is: few calls, no edit, nothing that changes anything.
   *
   * @param submission that has made it
   * @param known what is known of it; `null`: nothing yet
   * @throws StoreRefusal @throws StoreUnreachableError
   */
  look(submission: Submission, session: StoreSession, known: ReleaseLook | null): Promise<ReleaseLook>;
}

/** The stores that Slipway submits to: each registers with it. */
@Injectable()
export class SubmissionStores {
  private readonly stores = new Map<DestinationType, Store>();

  /** Once for each store, before the first submission runs. */
  register(store: Store): void {
    this.stores.set(store.type, store);
  }

  /** @throws Error when submissions to the store do not exist */
  of(type: DestinationType): Store {
    const store = this.stores.get(type);
    if (store === undefined) throw new Error(`Slipway does not submit to ${type}.`);
    return store;
  }
}
