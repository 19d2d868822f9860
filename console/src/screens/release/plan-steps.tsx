import type { ReactNode } from 'react';
import type { Deployment, RolloutPlan } from '../../api/types';
import { duration, percent } from '../../parts/format';
import { Section } from '../../parts/page';
import { personName, TimeAgo, useNow } from '../../parts/texts';

const MINUTE = 60_000;

const states: Readonly<Record<RolloutPlan['state'], string>> = {
  draft: 'not started',
  running: 'running',
  held: 'held',
  completed: 'complete',
  aborted: 'ended early',
};

/** Why a plan is held or has ended. */
export const planReasons: Readonly<Record<string, string>> = {
  person: 'by a person',
  'health-gate': 'by its health check',
  'share-changed': 'because the share was changed by hand',
  superseded: 'because a newer release came',
  'unsafe-reuse': 'because devices would mix files',
  store: 'by the store',
};

/** The steps of a plan: what is done, what runs, what comes. */
export function PlanSteps({
  plan,
  share,
  rollBack,
}: {
  plan: RolloutPlan;
  /** Of the devices that gets the release now, 0 to 1. */
  share: number;
  /** The roll-back of the release, if that is what came after it. */
  rollBack: Deployment | undefined;
}): ReactNode {
  const now = useNow();
  const step = plan.stepIndex === null ? null : `step ${plan.stepIndex + 1} of ${plan.steps.length}`;
  const note = [
    plan.state === 'running' ? step : states[plan.state],
    plan.reason === 'superseded' && rollBack !== undefined
      ? `because it was rolled back${rollBack.createdBy === null ? '' : ` by ${personName(rollBack.createdBy)}`}`
      : planReasons[plan.reason ?? ''],
  ]
    .filter(Boolean)
    .join(' ');
  const stateOf = (index: number): 'done' | 'now' | 'later' => {
    if (plan.state === 'completed') return 'done';
    if (plan.stepIndex === null || index > plan.stepIndex) return 'later';
    if (plan.state === 'aborted') return 'done';
    return index < plan.stepIndex ? 'done' : 'now';
  };
  return (
    <Section title="Plan" note={note}>
      <div className="card pad">
        <ol className="stepper">
          {plan.steps.map(({ percentage, durationMinutes }, index) => {
            const state = stateOf(index);
            const left = plan.stepEndsAt === null ? null : Date.parse(plan.stepEndsAt) - now.getTime();
            return (
              <li key={percentage} className={state} aria-current={state === 'now' ? 'step' : undefined}>
                <b>{percent(percentage)}</b>
                {state === 'now' && left !== null && left > 0
                  ? `${duration(left)} left`
                  : state === 'done'
                    ? 'done'
                    : durationMinutes === null
                      ? 'then complete'
                      : duration(durationMinutes * MINUTE)}
              </li>
            );
          })}
        </ol>
        {plan.state === 'aborted' ? (
          <p className="small muted">
            The plan has ended and raises nothing more
            {plan.reason === 'superseded' ? '.' : `: ${percent(share)} of devices get the release now.`}
          </p>
        ) : null}
        {plan.comment === null ? null : (
          <p className="small muted">
            <q>{plan.comment}</q> · <TimeAgo at={plan.stateSince} />
          </p>
        )}
      </div>
    </Section>
  );
}
