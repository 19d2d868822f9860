import { Injectable } from '@nestjs/common';

/** Update checks by their answer. */
export interface Answers {
  update: number;
  none: number;
  unknown_app: number;
}

/** How many checks each road has answered since the start: plain numbers, because the short one must cost nothing. */
@Injectable()
export class CheckCounts {
  readonly short: Answers = { update: 0, none: 0, unknown_app: 0 };
  readonly express: Answers = { update: 0, none: 0, unknown_app: 0 };
}
