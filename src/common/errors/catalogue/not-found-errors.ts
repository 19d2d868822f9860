import type { CataloguedError } from './catalogued-error.js';

/** Errors of objects that do not exist, or that the caller cannot see. */
export const notFoundErrors = {
  resource_not_found: {
    status: 404,
    message: 'Resource not found.',
    meaning: 'There is no such path.',
    action: 'Compare it with `/docs`.',
  },
  organization_not_found: {
    status: 404,
    message: 'Organization not found.',
    meaning: 'The caller cannot see this organization, or it does not exist.',
    action: 'Compare the id with `organizations:list` of the command-line tool or `GET /v1/organizations`.',
  },
  member_not_found: {
    status: 404,
    message: 'Member not found.',
    meaning: 'The organization has no such member.',
    action: 'Use the id of the membership, not of the user.',
  },
  invitation_not_found: {
    status: 404,
    message: 'Invitation not found.',
    meaning: "The organization has no such invitation, or it is for another email address than the caller's.",
    action: 'Compare it with the list of invitations. Sign in as the invited user.',
  },
  webhook_not_found: {
    status: 404,
    message: 'Webhook not found.',
    meaning:
      'The app or the organization has no such webhook. Webhooks of apps are not those of their organization.',
    action: 'Compare it with the list of webhooks.',
  },
  webhook_delivery_not_found: {
    status: 404,
    message: 'Webhook delivery not found.',
    meaning: 'The webhook has no such delivery, or it is older than `EVENT_RETENTION_DAYS`.',
    action: 'Compare it with the list of deliveries.',
  },
  team_not_found: {
    status: 404,
    message: 'Team not found.',
    meaning: 'The organization has no such team.',
    action: 'Compare it with the list of teams.',
  },
  team_app_not_found: {
    status: 404,
    message: 'Team app not found.',
    meaning: 'The team has no such assignment of an app.',
    action: 'Use the id of the assignment, not of the app.',
  },
  team_member_not_found: {
    status: 404,
    message: 'Team member not found.',
    meaning: 'The team has no such assignment of a member.',
    action: 'Use the id of the assignment, not of the member.',
  },
  license_key_not_found: {
    status: 404,
    message: 'License key not found.',
    meaning: 'The organization has no such license key.',
    action: 'Compare it with the list of license keys.',
  },
  git_connection_not_found: {
    status: 404,
    message: 'Git connection not found.',
    meaning: 'The organization has no such git connection, or it is for another app.',
    action: 'Compare it with the list of git connections.',
  },
  git_hook_not_found: {
    status: 404,
    message: 'Git hook not found.',
    meaning: 'There is no such hook, or the delivery does not prove that it knows the secret of the hook.',
    action: 'Compare address and secret with those of `POST …/repository/hook/rotate-secret`.',
  },
  submission_not_found: {
    status: 404,
    message: 'Submission not found.',
    meaning: 'The app has no deployment with this id that goes to a destination.',
    action: 'Use the id of a deployment whose `appDestinationId` is not `null`.',
  },
  store_release_not_found: {
    status: 404,
    message: 'Store release not found.',
    meaning: 'The release was deleted with its deployment meanwhile.',
    action: 'Use the id of another deployment.',
  },
  store_key_not_found: {
    status: 404,
    message: 'Store key not found.',
    meaning:
      'The app has no such file of a key for a store. Files that no destination uses are deleted after a day.',
    action: 'Upload the file again.',
  },
  git_repository_not_found: {
    status: 404,
    message:
      'No git connection sees acme/shop at GitHub. Add one with POST /v1/organizations/{organizationId}/git-connections, or make the repository public.',
    meaning:
      'The app cannot be linked: no [git connection](guides/git-repositories.md) that the caller can use sees the repository, and it is not public.',
    action: 'Check the path, or add a git connection with access to the repository.',
  },
  app_repository_not_found: {
    status: 404,
    message:
      'The app is not linked to a repository: link one with "apps:link" of the command-line tool or PUT /v1/apps/{appId}/repository.',
    meaning: 'The app is not linked to a git repository.',
    action: 'Link it, with `apps:link` of the command-line tool or `PUT /v1/apps/{appId}/repository`.',
  },
  audit_event_not_found: {
    status: 404,
    message: 'Audit event not found.',
    meaning: 'The organization has no such audit event.',
    action: 'Compare it with the list of audit events.',
  },
  user_not_found: {
    status: 404,
    message: 'User not found.',
    meaning: 'The user was deleted during the request.',
    action: 'Sign in again.',
  },
  token_not_found: {
    status: 404,
    message: 'Token not found.',
    meaning: 'The user has no such API token.',
    action: 'Compare it with `GET /v1/tokens`.',
  },
  app_not_found: {
    status: 404,
    message: 'App not found.',
    meaning: 'The caller cannot see this app, or it does not exist. For devices: there is no such app.',
    action: 'Compare the id with `apps:list` of the command-line tool or `GET /v1/apps`.',
  },
  channel_not_found: {
    status: 404,
    message: 'Channel not found.',
    meaning: 'The app has no such channel. Also the response to a device that requests one.',
    action: 'Compare it with the list of channels.',
  },
  build_not_found: {
    status: 404,
    message: 'Build not found.',
    meaning: 'The app has no such build.',
    action: 'Compare it with the list of builds.',
  },
  build_source_not_found: {
    status: 404,
    message: 'Build source not found.',
    meaning: 'The app has no such build source, or it is not ready.',
    action: 'Check the id, or wait until it is ready.',
  },
  build_share_not_found: {
    status: 404,
    message: 'Build share not found.',
    meaning: 'There is no such share of a build, it has expired, or it was deleted.',
    action: 'Ask the person who sent you the address for another one.',
  },
  build_artifact_not_found: {
    status: 404,
    message: 'Build artifact not found.',
    meaning: 'The build has no such artifact, or the artifact is pending or hosted elsewhere.',
    action: 'Publish the bundle first. Download a registered bundle from its own URL.',
  },
  icon_not_found: {
    status: 404,
    message: 'Icon not found.',
    meaning: 'The file of the artifact has no icon that can be shown: a PNG or WebP picture of at most 1 MB.',
    action: 'Show another picture.',
  },
  bundle_not_found: {
    status: 404,
    message: 'Bundle not found.',
    meaning:
      'The app has no such bundle. For a delta also: the bundle is not published, or was never deployed.',
    action: 'Use the id that creating it returned.',
  },
  bundle_file_not_found: {
    status: 404,
    message: 'Bundle file not found.',
    meaning: 'The bundle has no such file.',
    action: 'Use the id that adding the file returned.',
  },
  file_upload_not_found: {
    status: 404,
    message: 'File upload not found.',
    meaning:
      'The file has no such multipart upload, or the upload is completed, or it failed and was discarded.',
    action: 'Start a new one with `mpu-create`.',
  },
  file_not_found: {
    status: 404,
    message: 'File not found.',
    meaning:
      'For a download: the bundle is unknown or not published, has no file with this `href`, or has the other type.',
    action: 'Use the URL from the update check and the paths in the manifest.',
  },
  environment_not_found: {
    status: 404,
    message: 'Environment not found.',
    meaning: 'The app has no such environment.',
    action: 'Compare it with the list of environments.',
  },
  environment_variable_not_found: {
    status: 404,
    message: 'Environment variable not found.',
    meaning: 'The environment has no such variable.',
    action: 'Compare it with the list of variables.',
  },
  environment_secret_not_found: {
    status: 404,
    message: 'Environment secret not found.',
    meaning: 'The environment has no such secret.',
    action: 'Compare it with the list of secrets.',
  },
  automation_not_found: {
    status: 404,
    message: 'Automation not found.',
    meaning: 'The app has no such automation.',
    action: 'Compare it with the list of automations.',
  },
  configuration_not_found: {
    status: 404,
    message: 'Configuration not found.',
    meaning: 'The app has no such native configuration.',
    action: 'Compare it with the list of configurations.',
  },
  certificate_not_found: {
    status: 404,
    message: 'Certificate not found.',
    meaning: 'The app has no such certificate, or none for the platform of the build.',
    action: 'Compare it with the list of certificates.',
  },
  provisioning_profile_not_found: {
    status: 404,
    message: 'Provisioning profile not found.',
    meaning: 'The app has no such provisioning profile. Those without a certificate are deleted after a day.',
    action: 'Compare it with the list of provisioning profiles, or upload the file again.',
  },
  deployment_not_found: {
    status: 404,
    message: 'Deployment not found.',
    meaning: 'The app has no such deployment.',
    action: 'Compare it with the list of deployments.',
  },
  deployment_approval_not_found: {
    status: 404,
    message: 'Deployment approval not found.',
    meaning: 'The caller has not approved the deployment.',
    action: 'Nothing.',
  },
  rollout_plan_not_found: {
    status: 404,
    message: 'Rollout plan not found.',
    meaning: 'The deployment has no rollout plan.',
    action: 'Create one with PUT.',
  },
  destination_not_found: {
    status: 404,
    message: 'Destination not found.',
    meaning: 'The app has no such destination, or none of the platform of the build with this name.',
    action: 'Compare it with the list of destinations.',
  },
  device_not_found: {
    status: 404,
    message: 'Device not found.',
    meaning: 'The app knows no device with this id. A device becomes known with its first update check.',
    action: 'Let the device check for an update.',
  },
  blob_not_found: {
    status: 404,
    message: 'Blob not found.',
    meaning: 'The bytes of an artifact were removed during the request.',
    action: 'Request the artifact again.',
  },
  no_update: {
    status: 404,
    message: 'No update available for this device.',
    meaning:
      'For an update check: there is no update for the device. The channel is paused or expired, the app has no default channel, or no deployment fits.',
    action: 'Nothing: devices treat it as "no update". The message contains the reason.',
  },
} as const satisfies Readonly<Record<string, CataloguedError>>;
