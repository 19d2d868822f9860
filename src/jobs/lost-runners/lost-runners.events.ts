import { defineEvent } from '../../events/event-definition.js';
import { minuteOf } from '../../events/facts.js';
import { RunnerLostEventDto } from './runner-lost-event.dto.js';

export const runnerLost = defineEvent<RunnerLostEventDto>({
  type: 'runner_lost',
  title: 'Runner lost',
  description:
    'A runner of the organization has not been in contact for five minutes, and has not ended its session.',
  permission: 'runners:read',
  of: 'organization',
  data: RunnerLostEventDto,
  facts: ({ runnerName, lastSeenAt }) => ({
    Runner: runnerName,
    'Last seen': lastSeenAt === null ? null : minuteOf(lastSeenAt),
  }),
  severity: 'warning',
  notice: {
    kind: 'health',
    to: 'readers',
    advice: 'Look at the machine of the runner, and start the runner again.',
    path: ({ organizationId, objectId }) => `/v1/organizations/${organizationId}/runners/${objectId}`,
  },
});
