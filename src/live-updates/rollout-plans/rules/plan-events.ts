import type { EventDefinition } from '../../../events/event-definition.js';
import type { RolloutEventDto } from '../rollout-event.dto.js';
import type { PlanProgress } from '../rollout-plan.entity.js';
import { isAwaited } from './rollout-plan-state-machine.js';
import {
  appRolloutAborted,
  appRolloutCompleted,
  appRolloutHeld,
  appRolloutResumed,
  appRolloutStepReached,
} from '../rollout-plans.events.js';

/** What decides which events a change of a plan has. */
export type PlanPosition = Pick<PlanProgress, 'state' | 'stepIndex' | 'stepStartedAt'>;

/** The events of a change of a plan, in their order. A step is reached when devices or users get its share. */
export function planEvents(before: PlanPosition, after: PlanPosition): EventDefinition<RolloutEventDto>[] {
  const events: EventDefinition<RolloutEventDto>[] = [];
  const begins = (state: PlanProgress['state']): boolean => before.state !== state && after.state === state;
  if (begins('completed')) return [appRolloutCompleted];
  if (before.state === 'held' && after.state === 'running') events.push(appRolloutResumed);
  if (isReached(before, after)) events.push(appRolloutStepReached);
  if (begins('held')) events.push(appRolloutHeld);
  if (begins('aborted')) events.push(appRolloutAborted);
  return events;
}

/** Whether the event says that devices or users get the share of the step of the plan. */
export function isOfShare(definition: EventDefinition<RolloutEventDto>): boolean {
  return definition === appRolloutStepReached || definition === appRolloutCompleted;
}

/** A step that starts again when a plan is resumed was reached before. */
function isReached(before: PlanPosition, after: PlanPosition): boolean {
  if (after.stepIndex === null || isAwaited(after)) return false;
  return before.stepIndex !== after.stepIndex || isAwaited(before);
}
