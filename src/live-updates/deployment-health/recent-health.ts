import { Injectable } from '@nestjs/common';
import type { Health } from '../rollout-plans/rollout-plan.entity.js';
import { DeploymentHealthQueries, type ObservedDeployment } from './deployment-health.queries.js';

/** Counts that took so many milliseconds are kept: those of about a hundred thousand devices. */
const SLOW = 100;
/** They are kept this many times as long as they took, and at most so many milliseconds. */
const KEPT_TIMES = 10;
const KEPT_AT_MOST = 10_000;
/** Deployments whose counts are kept. */
const MAX_KEPT = 1000;

/**
 * How devices responded to deployments, for people who look at it: counting a million devices takes most of a second of a
 * processor, so many who look, or look again and again, do not count each time. Gates, which decide, count themselves.
 */
@Injectable()
export class RecentHealth {
  private readonly kept = new Map<string, { readonly health: Health | undefined; readonly until: number }>();

  constructor(private readonly queries: DeploymentHealthQueries) {}

  /** As `countMany` of the queries, at most ten seconds ago. */
  async countMany(observed: readonly ObservedDeployment[]): Promise<Map<string, Health>> {
    const startedAt = performance.now();
    const isKept = (each: ObservedDeployment): boolean =>
      (this.kept.get(keyOf(each))?.until ?? 0) > startedAt;
    const missing = observed.filter((each) => !isKept(each));
    const found = observed
      .filter(isKept)
      .map((each) => [each.deploymentId, this.kept.get(keyOf(each))?.health] as const);
    const counted = await this.queries.countMany(missing);
    const endedAt = performance.now();
    const took = endedAt - startedAt;
    if (took >= SLOW) this.keep(missing, counted, endedAt + Math.min(KEPT_TIMES * took, KEPT_AT_MOST));
    const known = found.filter((each): each is readonly [string, Health] => each[1] !== undefined);
    return new Map([...known, ...counted]);
  }

  private keep(
    observed: readonly ObservedDeployment[],
    counted: ReadonlyMap<string, Health>,
    until: number,
  ): void {
    for (const each of observed) {
      // Written last, so that the first ones are the oldest.
      this.kept.delete(keyOf(each));
      this.kept.set(keyOf(each), { health: counted.get(each.deploymentId), until });
    }
    for (const key of this.kept.keys()) {
      if (this.kept.size <= MAX_KEPT) break;
      this.kept.delete(key);
    }
  }
}

function keyOf({ deploymentId, observedSince }: ObservedDeployment): string {
  return `${deploymentId} ${observedSince?.getTime()}`;
}
