import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AppsService } from '../../apps/apps/apps.service.js';
import { updateOrThrow } from '../../database/rows.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import { DeploymentEvents } from '../deployment-events/deployment-events.service.js';
import type { EventDefinition } from '../../events/event-definition.js';
import { type PlanProgress, RolloutPlan } from './rollout-plan.entity.js';
import type { RolloutEventDto } from './rollout-event.dto.js';
import { isAwaited } from './rollout-plan-state-machine.js';
import {
  appRolloutAborted,
  appRolloutCompleted,
  appRolloutHeld,
  appRolloutResumed,
  appRolloutStepReached,
} from './rollout-plans.events.js';

/** Checking a plan costs little, so a failed job is tried again for two days. */
export const ROLLOUT_PLANS_QUEUE: QueueDefinition = {
  name: 'rollout-plans',
  retryLimit: 60,
  retryDelay: 5,
  retryDelayMax: 3600,
  expireInSeconds: 120,
  // After months without a server, plans continue where they stopped.
  retentionSeconds: 365 * 24 * 3600,
};

export interface RolloutPlanJob {
  readonly planId: string;
  /** The step that the plan is in when the job is sent. The job does nothing in another step. */
  readonly stepIndex: number;
}

/** Writes what the state machine decides: the only place where the progress of a plan changes. */
@Injectable()
export class RolloutPlanWriter {
  constructor(
    @InjectRepository(RolloutPlan) private readonly plans: Repository<RolloutPlan>,
    private readonly apps: AppsService,
    private readonly queue: QueueService,
    private readonly events: DeploymentEvents,
  ) {}

  /** Writes the progress of a locked plan with its events, and the job that checks it next. @param plan as it was read */
  async write(plan: RolloutPlan, progress: Partial<PlanProgress>): Promise<RolloutPlan> {
    const { id } = plan;
    // A comment is about the state that it was given with.
    const comment = progress.state === undefined ? undefined : (progress.comment ?? null);
    const written = await updateOrThrow(this.plans, { id }, { ...progress, comment });
    await this.record(plan, written);
    if (written.nextCheckAt !== null && written.stepIndex !== null) {
      const job: RolloutPlanJob = { planId: id, stepIndex: written.stepIndex };
      const { organizationId } = await this.apps.get(written.appId);
      await this.queue.send(ROLLOUT_PLANS_QUEUE, organizationId, job, { startAfter: written.nextCheckAt });
    }
    return written;
  }

  private async record(before: RolloutPlan, after: RolloutPlan): Promise<void> {
    const { stepIndex, steps, stepEndsAt, reason, storeMessage, comment, evidence } = after;
    const details = {
      stepIndex,
      totalSteps: steps.length,
      stepEndsAt: stepEndsAt?.toISOString() ?? null,
      reason,
      storeMessage,
      comment,
      appliedDevices: evidence?.applied ?? null,
      rolledBackDevices: evidence?.rolledBack ?? null,
    };
    const share = steps[stepIndex ?? 0]?.percentage;
    for (const definition of planEvents(before, after)) {
      // The row of the deployment follows the store later.
      const reached = isOfShare(definition) && share !== undefined ? { rolloutPercentage: share } : {};
      await this.events.record(definition, after.deploymentId, { ...details, ...reached });
    }
  }
}

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
function isOfShare(definition: EventDefinition<RolloutEventDto>): boolean {
  return definition === appRolloutStepReached || definition === appRolloutCompleted;
}

/** A step that starts again when a plan is resumed was reached before. */
function isReached(before: PlanPosition, after: PlanPosition): boolean {
  if (after.stepIndex === null || isAwaited(after)) return false;
  return before.stepIndex !== after.stepIndex || isAwaited(before);
}
