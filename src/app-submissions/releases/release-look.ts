import type { ReleaseStatus } from './store-release.entity.js';

/** What a store says about a release. */
export interface ReleaseLook {
  readonly status: ReleaseStatus;
  /** Share of users that get it, 0 to 1; `null`: the store does not say, so what is known stays. */
  readonly userFraction: number | null;
  /** While it is paused or halted, the share that it had before; `null`: as `userFraction`. */
  readonly resumeFraction: number | null;
  /** One sentence: what it means, and what a person has to do, if anything. */
  readonly message: string;
  /** The word of the store, such as `PENDING_DEVELOPER_RELEASE`. */
  readonly storeStatus: string | null;
  /** The page of the store that shows it. */
  readonly link: string | null;
}

/** A share in percent, as sentences say it: 0.05 is `5 %`. @param share 0 to 1 */
export function inPercent(share: number): string {
  return `${Number((share * 100).toFixed(4))} %`;
}
