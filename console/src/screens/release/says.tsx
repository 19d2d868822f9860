import type { ReactNode } from 'react';
import type { ApprovalState } from '../../api/approvals';
import { count, counted, percent } from '../../parts/format';
import { type Release, runningOf } from '../../parts/release';

/** Devices that run the build of a release, also from earlier releases of it; `null`: not counted. */
export function runningOfBuild({ deployment }: Release, older: readonly Release[]): number | null {
  const own = older.filter((each) => each.deployment.appBuildId === deployment.appBuildId);
  const counts = [deployment, ...own.map((each) => each.deployment)].map(({ health }) => runningOf(health));
  return counts.every((count) => count === null)
    ? null
    : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

/** How it is, in one sentence. @param running those that run its bundle, also from an earlier deployment; `null`: not counted */
export function Says({
  release,
  running: known,
  approval,
}: {
  release: Release;
  running: number | null;
  /** Of one that waits. */
  approval?: ApprovalState | undefined;
}): ReactNode {
  const { deployment, status } = release;
  const { health, approvalStatus, requiredApprovals } = deployment;
  if (approvalStatus === 'pending') {
    const missing = approval?.missingApprovals ?? requiredApprovals;
    return <>Waits for {counted(missing, 'approval')}. No device gets it before.</>;
  }
  if (approvalStatus === 'rejected') return <>Rejected. No device gets it.</>;
  if (status === 'notDelivered') return <>No device gets it before its share is raised.</>;
  const running = known ?? runningOf(health);
  const notYet = health == null ? null : Math.max(0, health.offered - health.applied);
  return (
    <>
      {status === 'superseded' ? (
        <>A newer release has replaced it. </>
      ) : status === 'rolledBack' ? (
        <>It was rolled back: no device gets it. </>
      ) : status === 'liveForTheRest' ? (
        <>For the devices that do not get a newer one. </>
      ) : (
        <>
          For <b>{percent(deployment.rolloutPercentage)}</b> of devices.{' '}
        </>
      )}
      <b>{count(running)}</b> run it
      {notYet === null || notYet === 0 ? null : (
        <>
          , <b>{count(notYet)}</b> were sent it and have not started it yet
        </>
      )}
      .
    </>
  );
}
