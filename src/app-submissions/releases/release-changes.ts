import { Injectable } from '@nestjs/common';
import { Listeners } from '../../common/listeners.js';
import type { Submission } from '../submissions/submission.entity.js';
import type { StoreRelease } from './store-release.entity.js';

/** The end of the job of a submission, or of a change of its release. */
export interface EndedAction {
  readonly submission: Submission;
  readonly hasSucceeded: boolean;
  /** One sentence; `null`: there is nothing to say. */
  readonly message: string | null;
}

/** What happens to releases in stores, for areas below. */
@Injectable()
export class ReleaseChanges {
  /** A submission, or a change of its release, has ended. */
  readonly actionEnded = new Listeners<[ended: EndedAction]>();
  /** The status or the share of a release is another one. */
  readonly moved = new Listeners<[release: StoreRelease]>();
}
