import { fits, type JobNeeds, type RunnerAbilities } from './abilities.js';

/** A job that waits for a runner. */
export interface QueuedJob extends JobNeeds {
  readonly id: string;
  /** A job of an automation that is younger than ten minutes: it lets others pass. */
  readonly yields: boolean;
}

export interface AppQueue {
  readonly appId: string;
  /** How many more of its jobs may run. */
  free: number;
  /** Oldest first. */
  readonly jobs: QueuedJob[];
}

export interface OrganizationQueue {
  readonly organizationId: string;
  /** Organizations of one account take one turn together. */
  readonly account: string;
  /** How many more of its jobs may run. */
  free: number;
  /** The app that was served least recently first. */
  readonly apps: AppQueue[];
}

/** A runner that waits for one job. */
export interface WaitingRunner extends RunnerAbilities {
  /** How many more jobs its process can take, this one included. */
  readonly free: number;
}

/** A job and the runner that gets it. */
export interface Assignment<R extends WaitingRunner> {
  readonly job: QueuedJob;
  readonly runner: R;
}

/**
 * Gives jobs to runners, within the limits. The account that was served least recently comes first, and of its
 * organizations the one that was. Within it, jobs of people come before young ones of automations, then the app that was served least recently, then the oldest job.
 *
 * @param queues in that order; what is given away is removed
 * @param runners the one that waits longest first; one that waits for several jobs is there as often
 * @param maximum how many jobs to give away at most
 * @returns in the order in which they were given
 */
export function assign<R extends WaitingRunner>(
  queues: readonly OrganizationQueue[],
  runners: readonly R[],
  maximum: number,
): Assignment<R>[] {
  const waiting = [...runners];
  let order = [...queues];
  /** Needs that none of the waiting runners meets. */
  const unmet = new Set<string>();
  const assignments: Assignment<R>[] = [];

  const takeFrom = (queue: OrganizationQueue): boolean => {
    if (queue.free <= 0) return false;
    for (const yields of [false, true]) {
      for (const [place, app] of queue.apps.entries()) {
        if (app.free <= 0) continue;
        const found = firstMatch(app.jobs, yields, waiting, unmet);
        if (found === null) continue;
        const { index, job, runner } = found;
        assignments.push({ job, runner });
        app.jobs.splice(index, 1);
        waiting.splice(waiting.indexOf(runner), 1);
        queue.free--;
        app.free--;
        queue.apps.push(...queue.apps.splice(place, 1));
        return true;
      }
    }
    return false;
  };

  while (assignments.length < maximum && waiting.length > 0) {
    const served = order.find(takeFrom);
    if (served === undefined) break;
    // Behind all others, and behind its siblings.
    const rankOfTurn = (queue: OrganizationQueue): number =>
      Number(queue.account === served.account) + Number(queue === served);
    order = order.toSorted((a, b) => rankOfTurn(a) - rankOfTurn(b));
  }
  return assignments;
}

function firstMatch<R extends WaitingRunner>(
  jobs: readonly QueuedJob[],
  yields: boolean,
  waiting: readonly R[],
  unmet: Set<string>,
): { readonly index: number; readonly job: QueuedJob; readonly runner: R } | null {
  for (const [index, job] of jobs.entries()) {
    if (job.yields !== yields) continue;
    const needs = JSON.stringify([job.appId, job.platform, job.stack, job.labels]);
    if (unmet.has(needs)) continue;
    const runner = bestOf(waiting, job);
    if (runner !== null) return { index, job, runner };
    unmet.add(needs);
  }
  return null;
}

/** Of the runners that fit: the one that others need least, and of several such the one that waits longest. */
function bestOf<R extends WaitingRunner>(waiting: readonly R[], job: JobNeeds): R | null {
  let best: { readonly runner: R; readonly rank: readonly number[] } | null = null;
  for (const runner of waiting) {
    if (!fits(job, runner)) continue;
    const rank = rankOf(runner, job);
    if (best === null || isLess(rank, best.rank)) best = { runner, rank };
  }
  return best?.runner ?? null;
}

/** A runner of the organization before one of all, one for fewer platforms, with the stack, with more free slots. */
function rankOf(runner: WaitingRunner, { stack }: JobNeeds): readonly number[] {
  return [
    runner.organizationId === null ? 1 : 0,
    runner.platforms.length,
    runner.stacks.includes(stack) ? 0 : 1,
    -runner.free,
  ];
}

function isLess(left: readonly number[], right: readonly number[]): boolean {
  const index = left.findIndex((value, place) => value !== right[place]);
  return index >= 0 && (left[index] as number) < (right[index] as number);
}
