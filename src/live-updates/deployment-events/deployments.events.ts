import { deploymentPage } from '../../events/console-pages.js';
import { defineEvent } from '../../events/event-definition.js';
import { percent } from '../../events/facts.js';
import {
  DeploymentCreatedEventDto,
  DeploymentLiveEventDto,
  DeploymentRolledBackEventDto,
  DeploymentShareChangedEventDto,
  type RollBackReason,
  factsOfDeployment,
} from './deployment-event.dto.js';

export const appDeploymentCreated = defineEvent<DeploymentCreatedEventDto>({
  type: 'app_deployment_created',
  title: 'Deployment created',
  description:
    'A build was sent to a channel or to a destination in a store. It may wait for approvals: see `app_deployment_live`.',
  permission: 'deployments:read',
  of: 'app',
  data: DeploymentCreatedEventDto,
  facts: (deployment) => ({
    Channel: deployment.appChannelName,
    Destination: deployment.appDestinationName,
    Share: percent(deployment.rolloutPercentage),
    Status: deployment.approvalStatus === 'pending' ? 'Waits for approvals' : null,
    Comment: deployment.comment,
    Emergency: deployment.emergency?.reason ?? null,
  }),
});

export const appDeploymentLive = defineEvent<DeploymentLiveEventDto>({
  type: 'app_deployment_live',
  title: 'Deployment live',
  description:
    'Devices of a channel get a deployment from now on: at its creation, or after the last approval.',
  permission: 'deployments:read',
  of: 'app',
  data: DeploymentLiveEventDto,
  facts: (deployment) => ({ ...factsOfDeployment(deployment), Emergency: deployment.emergencyReason }),
});

export const appDeploymentShareChanged = defineEvent<DeploymentShareChangedEventDto>({
  type: 'app_deployment_share_changed',
  title: 'Share changed',
  description:
    'A user has changed the share of devices that receive a deployment to a channel. Steps of rollout plans have their own event: `app_rollout_step_reached`.',
  permission: 'deployments:read',
  of: 'app',
  data: DeploymentShareChangedEventDto,
  facts: ({ before, comment, ...deployment }) => ({
    ...factsOfDeployment(deployment),
    'Share before': percent(before.rolloutPercentage),
    Comment: comment,
  }),
});

export const appDeploymentRolledBack = defineEvent<DeploymentRolledBackEventDto>({
  type: 'app_deployment_rolled_back',
  title: 'Deployment rolled back',
  description:
    'A deployment to a channel was taken back: an older build was deployed again, its share was set to 0, or its rollout plan was aborted.',
  permission: 'deployments:read',
  of: 'app',
  data: DeploymentRolledBackEventDto,
  facts: ({ appChannelName, appBuildNumber, reason, comment }) => ({
    Channel: appChannelName,
    Build: appBuildNumber,
    Reason: REASONS[reason],
    Comment: comment,
  }),
  severity: 'warning',
  notice: {
    kind: 'health',
    to: 'readers',
    // The plan has its own mail.
    when: ({ reason }) => reason !== 'plan-aborted',
    advice: 'Find out what is wrong with the build before you deploy it again.',
    path: ({ appId, objectId }) => `/v1/apps/${appId}/deployments/${objectId}`,
    page: deploymentPage,
  },
});

const REASONS: Readonly<Record<RollBackReason, string>> = {
  'older-build': 'An older build was deployed again',
  'share-withdrawn': 'The share was set to 0 %',
  'plan-aborted': 'The rollout plan was aborted',
};
