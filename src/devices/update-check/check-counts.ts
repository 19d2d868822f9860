import { Injectable } from '@nestjs/common';

/** Update checks by result. */
export interface CheckResults {
  update: number;
  none: number;
  unknown_app: number;
}

/** Update checks since the start, by path: plain numbers, because the fast path must cost nothing. */
@Injectable()
export class CheckCounts {
  readonly fast: CheckResults = { update: 0, none: 0, unknown_app: 0 };
  readonly express: CheckResults = { update: 0, none: 0, unknown_app: 0 };
}
