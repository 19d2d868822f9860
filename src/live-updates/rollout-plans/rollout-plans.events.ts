import { deploymentPage } from '../../events/console-pages.js';
import { defineEvent, type EventFacts } from '../../events/event-definition.js';
import { minuteOf } from '../../events/facts.js';
import { factsOfDeployment } from '../deployment-events/deployment-event.dto.js';
import { RolloutEventDto } from './rollout-event.dto.js';
import type { PlanReason } from './rollout-plan.entity.js';

export const appRolloutStepReached = defineEvent<RolloutEventDto>({
  type: 'app_rollout_step_reached',
  title: 'Rollout step reached',
  description:
    'A rollout plan has begun a step that is not its last one: more devices, or users of the store, get the deployment. The last step is `app_rollout_completed`.',
  permission: 'deployments:read',
  of: 'app',
  data: RolloutEventDto,
  facts: ({ stepEndsAt, ...plan }) => ({
    ...planFacts(plan),
    'Next step': stepEndsAt === null ? null : minuteOf(stepEndsAt),
  }),
});

export const appRolloutHeld = defineEvent<RolloutEventDto>({
  type: 'app_rollout_held',
  title: 'Rollout held',
  description:
    'A rollout plan waits until a user resumes it: held by a user, by its health gate, or by a store.',
  permission: 'deployments:read',
  of: 'app',
  data: RolloutEventDto,
  facts: (plan) => ({
    ...planFacts(plan),
    ...healthFacts(plan),
    Reason: reasonOf(plan),
    Comment: plan.comment,
  }),
  severity: 'warning',
  notice: {
    kind: 'health',
    to: 'readers',
    advice:
      'The share stays as it is. Look at the reason, then resume the plan with POST …/resume, or end it with POST …/abort.',
    path: ({ appId, objectId }) => `/v1/apps/${appId}/deployments/${objectId}/rollout-plan`,
    page: deploymentPage,
  },
});

export const appRolloutResumed = defineEvent<RolloutEventDto>({
  type: 'app_rollout_resumed',
  title: 'Rollout resumed',
  description: 'A user has resumed a held rollout plan.',
  permission: 'deployments:read',
  of: 'app',
  data: RolloutEventDto,
  facts: planFacts,
});

export const appRolloutCompleted = defineEvent<RolloutEventDto>({
  type: 'app_rollout_completed',
  title: 'Rollout completed',
  description: 'A rollout plan has reached its last step.',
  permission: 'deployments:read',
  of: 'app',
  data: RolloutEventDto,
  facts: planFacts,
});

export const appRolloutAborted = defineEvent<RolloutEventDto>({
  type: 'app_rollout_aborted',
  title: 'Rollout aborted',
  description:
    'A rollout plan has ended before its last step: a user has aborted it or changed the share, a newer deployment is delivered, or the store has removed the release.',
  permission: 'deployments:read',
  of: 'app',
  data: RolloutEventDto,
  facts: (plan) => ({ ...planFacts(plan), Reason: reasonOf(plan), Comment: plan.comment }),
  severity: 'warning',
  notice: {
    kind: 'health',
    to: 'readers',
    // A newer deployment is the usual end of a plan.
    when: ({ reason }) => reason !== 'superseded',
    advice: 'Look at what devices get now. To go on, deploy again.',
    path: ({ appId, objectId }) => `/v1/apps/${appId}/deployments/${objectId}/rollout-plan`,
    page: deploymentPage,
  },
});

function planFacts(plan: Omit<RolloutEventDto, 'stepEndsAt'>): EventFacts {
  const { stepIndex, totalSteps } = plan;
  return {
    ...factsOfDeployment(plan),
    Step: stepIndex === null ? null : `${stepIndex + 1} of ${totalSteps}`,
  };
}

function healthFacts({ appliedDevices, rolledBackDevices }: RolloutEventDto): EventFacts {
  if (appliedDevices === null || rolledBackDevices === null) return {};
  return { 'Rolled back': `${rolledBackDevices} of ${appliedDevices} devices` };
}

function reasonOf({ reason, storeMessage }: RolloutEventDto): string | null {
  return storeMessage ?? (reason === null ? null : REASONS[reason]);
}

const REASONS: Readonly<Record<PlanReason, string>> = {
  person: 'A user has requested it',
  'health-gate': 'More devices rolled back than the health gate accepts',
  'share-changed': 'The share was changed outside of the plan',
  superseded: 'A newer deployment has replaced this one',
  'unsafe-reuse': 'Devices would build the bundle with wrong files',
  store: 'The store has not taken the share',
};
