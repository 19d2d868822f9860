import { defineEvent } from '../../events/event-definition.js';
import { AutomationStoppedEventDto } from './automation.dto.js';

export const automationStopped = defineEvent<AutomationStoppedEventDto>({
  type: 'automation_stopped',
  title: 'Automation stopped',
  description:
    'Slipway, not a user, has disabled an automation: something that it needs is gone, or it has built too often.',
  permission: 'automations:read',
  of: 'app',
  data: AutomationStoppedEventDto,
  facts: ({ name, reason }) => ({ Automation: name, Reason: reason }),
  severity: 'warning',
  notice: {
    kind: 'health',
    to: 'user',
    advice: 'Repair what the reason says, then save the automation with PATCH: this also enables it.',
    path: ({ appId, objectId }) => `/v1/apps/${appId}/automations/${objectId}`,
  },
});
