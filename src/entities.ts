import { Automation } from './automations/automations/automation.entity.js';
import { GitHook } from './automations/git-hooks/git-hook.entity.js';
import { DecidedRef } from './automations/git-looks/decided-ref.entity.js';
import { ExpectedPush } from './automations/git-looks/expected-push.entity.js';
import { GitEvent } from './automations/git-looks/git-event.entity.js';
import { RepositoryLook } from './automations/git-looks/repository-look.entity.js';
import { UserIdentity } from './accounts/oidc/user-identity.entity.js';
import { Password } from './accounts/passwords/password.entity.js';
import { SessionCode } from './accounts/session-codes/session-code.entity.js';
import { Session } from './accounts/sessions/session.entity.js';
import { Attempt } from './accounts/sign-in-attempts/attempt.entity.js';
import { SignInLink } from './accounts/sign-in-links/sign-in-link.entity.js';
import { Token } from './accounts/tokens/token.entity.js';
import { RecoveryCode } from './accounts/two-factor/recovery-code.entity.js';
import { TwoFactor } from './accounts/two-factor/two-factor.entity.js';
import { User } from './accounts/users/user.entity.js';
import { Destination } from './app-submissions/destinations/destination.entity.js';
import { ReleaseEvent } from './app-submissions/release-history/release-event.entity.js';
import { StoreKey } from './app-submissions/store-keys/store-key.entity.js';
import { StoreRelease } from './app-submissions/releases/store-release.entity.js';
import { StoreTurn } from './app-submissions/flow/store-turn.entity.js';
import { AppleKeyCalls } from './app-submissions/app-store-connect/rate-limits/apple-key-calls.entity.js';
import { SubmissionRequest } from './app-submissions/submission-requests/submission-request.entity.js';
import { Submission } from './app-submissions/submissions/submission.entity.js';
import { App } from './apps/apps/app.entity.js';
import { AppRepository } from './apps/repository/app-repository.entity.js';
import { EncryptionCheck } from './database/encryption-check.entity.js';
import { CustomIdKey } from './devices/devices/custom-id-key.entity.js';
import { Device } from './devices/devices/device.entity.js';
import { DeviceCount } from './devices/insights/device-count.entity.js';
import { NativeVersion } from './devices/native-versions/native-version.entity.js';
import { DeviceRollback } from './devices/rollbacks/device-rollback.entity.js';
import { EventCondition } from './events/event-condition.entity.js';
import { EventEpoch } from './events/event-epoch.entity.js';
import { EventPosition } from './events/event-position.entity.js';
import { RecordedEvent } from './events/event.entity.js';
import { StoredResponse } from './idempotency/stored-response.entity.js';
import { JobLogChunk } from './jobs/job-logs/job-log-chunk.entity.js';
import { JobLog } from './jobs/job-logs/job-log.entity.js';
import { JobQueueApp } from './jobs/job-queues/job-queue-app.entity.js';
import { JobQueue } from './jobs/job-queues/job-queue.entity.js';
import { JobLease } from './jobs/job-leases/job-lease.entity.js';
import { Job } from './jobs/jobs/job.entity.js';
import { RunnerSession } from './jobs/runner-sessions/runner-session.entity.js';
import { Runner } from './jobs/runners/runner.entity.js';
import { DeploymentApproval } from './live-updates/approvals/deployment-approval.entity.js';
import { BuildDeployment } from './live-updates/build-deployments/build-deployment.entity.js';
import { BundleFile } from './live-updates/bundle-files/bundle-file.entity.js';
import { Bundle } from './live-updates/bundles/bundle.entity.js';
import { Channel } from './live-updates/channels/channel.entity.js';
import { BundleDelta } from './live-updates/deltas/bundle-delta.entity.js';
import { Deployment } from './live-updates/deployments/deployment.entity.js';
import { GeneratedZip } from './live-updates/generated-zips/generated-zip.entity.js';
import { BundleExpiration } from './live-updates/retention/bundle-expiration.entity.js';
import { RetiredDeployment } from './live-updates/retention/retired-deployment.entity.js';
import { RolloutPlan } from './live-updates/rollout-plans/rollout-plan.entity.js';
import { PlainManifest } from './live-updates/unsafe-reuse/plain-manifest.entity.js';
import { UnsafeReuse } from './live-updates/unsafe-reuse/unsafe-reuse.entity.js';
import { ArtifactDetails } from './native-builds/artifact-details/artifact-details.entity.js';
import { BuildArtifact } from './native-builds/build-artifacts/build-artifact.entity.js';
import { DownloadCount } from './native-builds/build-artifacts/download-count.entity.js';
import { BuildShare } from './native-builds/build-shares/build-share.entity.js';
import { BuildSource } from './native-builds/build-sources/build-source.entity.js';
import { Build } from './native-builds/builds/build.entity.js';
import { Certificate } from './native-builds/certificates/certificate.entity.js';
import { Configuration } from './native-builds/configurations/configuration.entity.js';
import { EnvironmentSecret } from './native-builds/environment-values/environment-secret.entity.js';
import { EnvironmentVariable } from './native-builds/environment-values/environment-variable.entity.js';
import { Environment } from './native-builds/environments/environment.entity.js';
import { ProvisioningProfile } from './native-builds/provisioning-profiles/provisioning-profile.entity.js';
import { WebhookDelivery } from './notifications/deliveries/webhook-delivery.entity.js';
import { WebhookObjectAside } from './notifications/deliveries/webhook-object-aside.entity.js';
import { WebhookSchedule } from './notifications/deliveries/webhook-schedule.entity.js';
import { NoticeMail } from './notifications/notices/notice-mail.entity.js';
import { NoticeSettings } from './notifications/notices/notice-settings.entity.js';
import { Webhook } from './notifications/webhooks/webhook.entity.js';
import { Activity } from './organizations/activities/activity.entity.js';
import { AuditChain } from './organizations/audit-log/audit-chain.entity.js';
import { AuditEvent } from './organizations/audit-log/audit-event.entity.js';
import { GitConnection } from './organizations/git-connections/git-connection.entity.js';
import { InvitationCount } from './organizations/invitations/invitation-count.entity.js';
import { InvitationLink } from './organizations/invitations/invitation-link.entity.js';
import { Invitation } from './organizations/invitations/invitation.entity.js';
import { LicenseKeyPackage } from './organizations/license-keys/license-key-package.entity.js';
import { LicenseKey } from './organizations/license-keys/license-key.entity.js';
import { Member } from './organizations/members/member.entity.js';
import { Organization } from './organizations/organizations/organization.entity.js';
import { TeamApp } from './organizations/team-assignments/team-app.entity.js';
import { TeamMember } from './organizations/team-assignments/team-member.entity.js';
import { Team } from './organizations/teams/team.entity.js';
import { RateCount } from './rate-limits/rate-count.entity.js';
import { BlobVariant } from './storage/blob-variants/blob-variant.entity.js';
import { Blob } from './storage/blobs/blob.entity.js';
import { DeletedObject } from './storage/blobs/deleted-object.entity.js';
import { UploadPart } from './storage/uploads/upload-part.entity.js';
import { Upload } from './storage/uploads/upload.entity.js';

/** Every entity. An explicit list, because a bundle has no files to search. */
export const entities = [
  Activity,
  App,
  AppRepository,
  AppleKeyCalls,
  ArtifactDetails,
  Attempt,
  AuditChain,
  AuditEvent,
  Automation,
  DecidedRef,
  ExpectedPush,
  GitEvent,
  GitHook,
  RepositoryLook,
  Blob,
  BlobVariant,
  Build,
  BuildArtifact,
  BuildDeployment,
  BuildShare,
  BuildSource,
  Bundle,
  BundleDelta,
  BundleExpiration,
  BundleFile,
  Certificate,
  Channel,
  Configuration,
  CustomIdKey,
  DeletedObject,
  Deployment,
  DeploymentApproval,
  Destination,
  Device,
  DeviceCount,
  DeviceRollback,
  DownloadCount,
  EncryptionCheck,
  Environment,
  EnvironmentSecret,
  EnvironmentVariable,
  EventCondition,
  EventEpoch,
  EventPosition,
  GeneratedZip,
  GitConnection,
  Invitation,
  InvitationCount,
  InvitationLink,
  Job,
  JobLease,
  JobLog,
  JobLogChunk,
  JobQueue,
  JobQueueApp,
  LicenseKey,
  LicenseKeyPackage,
  Member,
  NativeVersion,
  NoticeMail,
  NoticeSettings,
  Organization,
  Password,
  PlainManifest,
  ProvisioningProfile,
  RateCount,
  RecordedEvent,
  RecoveryCode,
  ReleaseEvent,
  RetiredDeployment,
  RolloutPlan,
  Runner,
  RunnerSession,
  Session,
  SessionCode,
  SignInLink,
  StoreKey,
  StoreRelease,
  StoreTurn,
  StoredResponse,
  Submission,
  SubmissionRequest,
  Team,
  TeamApp,
  TeamMember,
  Token,
  TwoFactor,
  UnsafeReuse,
  Upload,
  UploadPart,
  User,
  UserIdentity,
  Webhook,
  WebhookDelivery,
  WebhookObjectAside,
  WebhookSchedule,
];
