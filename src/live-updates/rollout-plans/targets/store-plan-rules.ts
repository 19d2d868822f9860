import type { ReleaseStatus, StoreRelease } from '../../../app-submissions/releases/store-release.entity.js';
import type { Submission } from '../../../app-submissions/submissions/submission.entity.js';
import { ConflictError, InvalidRequestError, invalidField } from '../../../common/errors/app-error.js';
import type { PlanContent } from './plan-target.js';

/** @throws InvalidRequestError unless the store lets others set the shares of its releases */
export function requirePlannable({
  type,
  submitsForReview,
}: Pick<Submission, 'type' | 'submitsForReview'>): void {
  if (type === 'google-play') return;
  throw new InvalidRequestError(whyNot(type, submitsForReview), 'deployment_to_store');
}

function whyNot(type: Submission['type'], submitsForReview: boolean): string {
  if (type !== 'apple-app-store-connect')
    return 'Releases in this store have no shares, so there is no rollout plan.';
  return submitsForReview
    ? 'Apple sets the shares of a phased release itself, over seven days: use applePhasedRelease of the destination in place of a rollout plan.'
    : 'TestFlight gives a build to all testers of its groups at once, so there is no rollout plan.';
}

/**
 * @param release `null`: the store has none yet
 * @throws InvalidRequestError for what a plan of a store cannot do
 */
export function requireContent({ healthGate, steps }: PlanContent, release: StoreRelease | null): void {
  if (healthGate !== null) {
    throw invalidField(
      'healthGate',
      'healthGate must be absent: it counts what devices report about bundles of live updates, and stores report none of that.',
    );
  }
  const least = presentShare(release);
  if ((steps[0]?.percentage ?? 1) >= least) return;
  throw invalidField(
    'steps.0.percentage',
    `percentage must be at least ${least}, the present share of the release: Google Play takes it from no user.`,
  );
}

/** @throws ConflictError unless the release is being rolled out, to no more users than in the first step of the plan */
export function requireBegun({ steps }: PlanContent, release: StoreRelease | null): void {
  if (release === null)
    throw cannotStart('the store has no release yet. Wait until the submission has ended');
  if (release.status !== 'rolling_out') throw cannotStart(NOT_BEGUN[release.status]);
  const least = presentShare(release);
  if ((steps[0]?.percentage ?? 1) >= least) return;
  throw cannotStart(
    `users have more of it than its first step gives. Put a plan that begins with at least ${least}`,
  );
}

const NOT_BEGUN: Readonly<Record<Exclude<ReleaseStatus, 'rolling_out'>, string>> = {
  draft:
    'the release is a draft. Roll it out to a share of the users in the Play Console, and wait until Slipway shows that',
  not_sent_for_review:
    'the release was not sent for review. Send it in the Play Console under "Publishing overview", then mark the deployment as done',
  waiting_for_review: 'the release waits for its review. Start the plan when it is rolling out',
  in_review: 'the release is in review. Start the plan when it is rolling out',
  rejected: 'Google has rejected the release. Read why in the Play Console, and submit a build that mends it',
  withdrawn: 'the release was taken out of its review. Submit the build again',
  approved:
    'the release is approved and not published. Publish it in the Play Console under "Publishing overview"',
  testing: 'testers have the release already',
  paused: 'the release is paused. Resume it with the share that it had',
  halted:
    'the release is halted. Set a share that is at least as large as before, then put a plan and start it',
  released: 'all users get the release already',
  replaced: 'another release has taken its place',
  removed: 'the track does not show the release any more. Submit the build again',
};

/** Share of users who have the release already, which no plan can lower. */
function presentShare(release: StoreRelease | null): number {
  if (release === null) return 0;
  if (release.status === 'halted') return release.resumeFraction ?? 0;
  return release.status === 'rolling_out' ? (release.userFraction ?? 0) : 0;
}

/** @param why without a full stop */
function cannotStart(why: string): ConflictError {
  return new ConflictError(`The rollout plan cannot start: ${why}.`, 'release_state');
}
