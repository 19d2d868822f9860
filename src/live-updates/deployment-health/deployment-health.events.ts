import { deploymentPage } from '../../events/console-pages.js';
import { defineEvent } from '../../events/event-definition.js';
import { percent } from '../../events/facts.js';
import { factsOfDeployment, RollbacksHighEventDto } from '../deployment-events/deployment-event.dto.js';

export const appRollbacksHigh = defineEvent<RollbacksHighEventDto>({
  type: 'app_rollbacks_high',
  title: 'Many rollbacks',
  description:
    'Of at least 20 devices that ran the newest deployment of a channel, 5 % or 20 %, and at least three, went back to another bundle. Each of these shares has one event, and another one only after the share has halved.',
  permission: 'deployments:read',
  of: 'app',
  data: RollbacksHighEventDto,
  facts: (deployment) => ({
    ...factsOfDeployment(deployment),
    'Rolled back': `${percent(deployment.rollbackShare)}: ${deployment.rolledBackDevices} of ${deployment.appliedDevices} devices`,
  }),
  severity: 'critical',
  notice: {
    kind: 'health',
    to: 'readers',
    advice: 'Lower the share of the deployment, or go back to an older build.',
    path: ({ appId, objectId }) => `/v1/apps/${appId}/deployments/${objectId}`,
    page: deploymentPage,
  },
});
