import type { ReactNode } from 'react';
import type { Deployment } from '../../api/types';
import { count, counted, percent } from '../../parts/format';
import { Banner } from '../../parts/page';
import type { Release } from '../../parts/release';
import { personName, TimeAgo } from '../../parts/texts';
import { planReasons } from './plan-steps';

/** Whether a person holds a release, and not its health check. */
export const heldByPerson = ({ rolloutPlan: plan }: Deployment): boolean => plan?.reason === 'person';

/** Why a release is held, and what one does then. */
export function HeldBanner({ release: { deployment, name, status } }: { release: Release }): ReactNode {
  const { rolloutPlan: plan } = deployment;
  if (status !== 'held' || plan == null) return null;
  const { evidence, healthGate } = plan;
  return (
    <Banner tone="warn">
      <b>
        {name} is held {planReasons[plan.reason ?? ''] ?? ''}
      </b>{' '}
      since <TimeAgo at={plan.stateSince} />
      {plan.comment === null ? (
        '.'
      ) : (
        <>
          : <q className="break">{plan.comment}</q>
        </>
      )}{' '}
      {evidence === null || healthGate === null
        ? ''
        : `${counted(evidence.rolledBack, 'device')} of ${count(evidence.applied)} that ran it had gone back, the limit is ${percent(healthGate.maxFailureShare)}. `}
      It stays at {percent(deployment.rolloutPercentage)} of devices.{' '}
      {heldByPerson(deployment)
        ? 'Resume the plan when the reason is gone.'
        : 'Roll it back, or resume the plan when the cause is found.'}
    </Banner>
  );
}

/** Who has rolled a release back, and why. */
export function RollBackBanner({
  release: { deployment, name, status },
  rollBack,
}: {
  release: Release;
  rollBack: Deployment | undefined;
}): ReactNode {
  const by = status === 'takenBack' ? deployment : status === 'rolledBack' ? rollBack : undefined;
  if (by === undefined) return null;
  const person = by === deployment ? by.updatedBy : by.createdBy;
  return (
    <Banner tone="warn">
      <b>{name} was rolled back</b>
      {person === null ? '' : ` by ${personName(person)}`},{' '}
      <TimeAgo at={by === deployment ? (by.takenBackAt ?? by.updatedAt) : by.createdAt} />
      {by.comment === null ? (
        '.'
      ) : (
        <>
          : <q className="break">{by.comment}</q>
        </>
      )}
    </Banner>
  );
}
