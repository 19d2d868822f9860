import { defineEvent, type EventFacts } from '../../events/event-definition.js';
import { AutomationLimitedEventDto, AutomationStartedEventDto, GitPushEventDto } from './git-event.dto.js';

export const automationStarted = defineEvent<AutomationStartedEventDto>({
  type: 'automation_started',
  title: 'Automation started a build',
  description: 'A push, or a request of a user, has made an automation start a build.',
  permission: 'automations:read',
  of: 'app',
  data: AutomationStartedEventDto,
  facts: ({ appAutomationName, gitRef, gitCommitSha }) => ({
    Automation: appAutomationName,
    Ref: gitRef,
    Commit: gitCommitSha,
  }),
});

export const automationLimited = defineEvent<AutomationLimitedEventDto>({
  type: 'automation_limited',
  title: 'Automation built none of many changes',
  description:
    'More branches or tags of an automation have changed at once than it builds, as after `git push --tags`: it has built none.',
  permission: 'automations:read',
  of: 'app',
  data: AutomationLimitedEventDto,
  facts: ({ appAutomationName, changes }) => ({ Automation: appAutomationName, Changes: changes }),
  severity: 'warning',
  notice: {
    kind: 'health',
    to: 'user',
    advice: 'Build those that you want with POST …/run of the automation.',
    path: ({ appId, objectId }) => `/v1/apps/${appId}/automations/${objectId}`,
  },
});

export const gitPush = defineEvent<GitPushEventDto>({
  type: 'git_push',
  title: 'Pushed',
  description: 'A branch that an automation matches leads to another commit.',
  permission: 'automations:read',
  of: 'app',
  data: GitPushEventDto,
  facts: pushFacts,
});

export const gitTag = defineEvent<GitPushEventDto>({
  type: 'git_tag',
  title: 'Tagged',
  description: 'A tag that an automation matches is new, or leads to another commit.',
  permission: 'automations:read',
  of: 'app',
  data: GitPushEventDto,
  facts: pushFacts,
});

function pushFacts({ gitRef, gitCommitSha, gitCommitMessage }: GitPushEventDto): EventFacts {
  return { Ref: gitRef, Commit: gitCommitSha, Message: gitCommitMessage?.split('\n', 1)[0] ?? null };
}
