import type { EventDefinition } from './events/event-definition.js';
import {
  appReleaseActionRequired,
  appReleaseStatusChanged,
  appSubmissionStateChanged,
} from './app-submissions/submission-events/submissions.events.js';
import { automationStopped } from './automations/automations/automations.events.js';
import {
  automationLimited,
  automationStarted,
  gitPush,
  gitTag,
} from './automations/git-looks/git-looks.events.js';
import { nativeVersionFirstSeen } from './devices/native-versions/native-versions.events.js';
import { jobUnmatched } from './jobs/job-queues/job-queues.events.js';
import { jobCreated, jobFinished } from './jobs/jobs/jobs.events.js';
import { runnerLost } from './jobs/lost-runners/lost-runners.events.js';
import {
  appApprovalGiven,
  appApprovalRejected,
  appApprovalRequested,
  appApprovalWithdrawn,
} from './live-updates/deployment-events/approvals.events.js';
import {
  appChannelExpired,
  appChannelExpiring,
  appChannelPaused,
  appChannelResumed,
  appChannelUpdated,
} from './live-updates/channels/channels.events.js';
import { appBundleDamaged } from './live-updates/damaged-files/damaged-files.events.js';
import {
  appDeploymentCreated,
  appDeploymentLive,
  appDeploymentRolledBack,
  appDeploymentShareChanged,
} from './live-updates/deployment-events/deployments.events.js';
import { appRollbacksHigh } from './live-updates/deployment-health/deployment-health.events.js';
import {
  appRolloutAborted,
  appRolloutCompleted,
  appRolloutHeld,
  appRolloutResumed,
  appRolloutStepReached,
} from './live-updates/rollout-plans/rollout-plans.events.js';
import {
  appBuildCreated,
  appBuildFinished,
  appBuildStarted,
  appImportFinished,
} from './native-builds/builds/builds.events.js';
import {
  appCertificateExpiring,
  appProvisioningProfileExpiring,
} from './native-builds/signing-expiry/signing-expiry.events.js';
import { memberAdded, memberRemoved, memberUpdated } from './organizations/members/members.events.js';
import { storageQuotaNear } from './organizations/storage-usage/storage-quota.events.js';
import {
  tokenCreated,
  tokenDeleted,
  tokenExpiring,
  tokenRotated,
  tokenUpdated,
} from './organizations/token-events/tokens.events.js';
import {
  webhookDisabled,
  webhookFailing,
  webhookRecovered,
} from './notifications/deliveries/deliveries.events.js';

/** Every kind of event. An explicit list, because a bundle has no files to search. */
export const eventTypes: readonly EventDefinition[] = [
  // Organizations
  memberAdded,
  memberUpdated,
  memberRemoved,
  tokenCreated,
  tokenUpdated,
  tokenRotated,
  tokenDeleted,
  tokenExpiring,
  storageQuotaNear,
  // Jobs
  jobCreated,
  jobFinished,
  jobUnmatched,
  runnerLost,
  // Live updates
  appApprovalGiven,
  appApprovalRejected,
  appApprovalRequested,
  appApprovalWithdrawn,
  appBundleDamaged,
  appChannelExpired,
  appChannelExpiring,
  appChannelPaused,
  appChannelResumed,
  appChannelUpdated,
  appDeploymentCreated,
  appDeploymentLive,
  appDeploymentShareChanged,
  appDeploymentRolledBack,
  appRollbacksHigh,
  appRolloutAborted,
  appRolloutCompleted,
  appRolloutHeld,
  appRolloutResumed,
  appRolloutStepReached,
  // Devices
  nativeVersionFirstSeen,
  // Native builds
  appBuildCreated,
  appBuildStarted,
  appBuildFinished,
  appImportFinished,
  appCertificateExpiring,
  appProvisioningProfileExpiring,
  // App submissions
  appSubmissionStateChanged,
  appReleaseStatusChanged,
  appReleaseActionRequired,
  // Automations
  automationStarted,
  automationLimited,
  gitPush,
  gitTag,
  automationStopped,
  // Webhooks
  webhookDisabled,
  webhookFailing,
  webhookRecovered,
];
