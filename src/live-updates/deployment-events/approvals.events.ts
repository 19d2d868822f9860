import { deploymentPage } from '../../events/console-pages.js';
import { defineEvent, type EventFacts } from '../../events/event-definition.js';
import { factsOfDeployment, ApprovalEventDto } from './deployment-event.dto.js';

export const appApprovalRequested = defineEvent<ApprovalEventDto>({
  type: 'app_approval_requested',
  title: 'Approval requested',
  description: 'A deployment was created that waits until other people approve it.',
  permission: 'deployments:read',
  of: 'app',
  data: ApprovalEventDto,
  facts: (approval) => ({ ...factsOfDeployment(approval), 'Approvals needed': approval.missingApprovals }),
  notice: {
    kind: 'approvals',
    to: 'approvers',
    advice:
      'Look at the deployment on its page, then approve or reject it there, or with POST …/approvals and POST …/reject.',
    path: ({ appId, objectId }) => `/v1/apps/${appId}/deployments/${objectId}`,
    page: deploymentPage,
  },
});

export const appApprovalGiven = defineEvent<ApprovalEventDto>({
  type: 'app_approval_given',
  title: 'Approval given',
  description:
    'A user has approved a deployment, or has overridden the approvals in an emergency. With the last one, it goes live or is submitted.',
  permission: 'deployments:read',
  of: 'app',
  data: ApprovalEventDto,
  facts: factsOf,
  notice: {
    kind: 'approvals',
    to: 'requester',
    advice: 'Nothing needs to be done. The deployment shows whether more approvals are missing.',
    path: ({ appId, objectId }) => `/v1/apps/${appId}/deployments/${objectId}`,
    page: deploymentPage,
  },
});

export const appApprovalWithdrawn = defineEvent<ApprovalEventDto>({
  type: 'app_approval_withdrawn',
  title: 'Approval withdrawn',
  description: 'A user has withdrawn the approval of a deployment that waits for more of them.',
  permission: 'deployments:read',
  of: 'app',
  data: ApprovalEventDto,
  facts: factsOf,
  notice: {
    kind: 'approvals',
    to: 'requester',
    advice: 'Ask why, or ask another person for an approval.',
    path: ({ appId, objectId }) => `/v1/apps/${appId}/deployments/${objectId}`,
    page: deploymentPage,
  },
});

export const appApprovalRejected = defineEvent<ApprovalEventDto>({
  type: 'app_approval_rejected',
  title: 'Approval rejected',
  description:
    'A deployment that waited for approvals is rejected: by a user, because its job was canceled, or because its time is over.',
  permission: 'deployments:read',
  of: 'app',
  data: ApprovalEventDto,
  facts: ({ appChannelName, appDestinationName, appBuildNumber, comment }) => ({
    Channel: appChannelName,
    Destination: appDestinationName,
    Build: appBuildNumber,
    Comment: comment,
  }),
  notice: {
    kind: 'approvals',
    to: 'requester',
    advice: 'The deployment is not delivered. Change what was refused, and deploy again.',
    path: ({ appId, objectId }) => `/v1/apps/${appId}/deployments/${objectId}`,
    page: deploymentPage,
  },
});

function factsOf(approval: ApprovalEventDto): EventFacts {
  return {
    ...factsOfDeployment(approval),
    'Approvals missing': approval.missingApprovals,
    Comment: approval.comment,
    Emergency: approval.emergencyReason,
  };
}
