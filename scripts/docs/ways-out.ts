import type { ErrorCode } from '../../src/common/errors/catalogue/error-catalogue.ts';

/** How to get out of an error with each client. `null`: this client cannot send what it takes. */
interface WayOut {
  /** A command of the command-line tool, or options of the one that failed. */
  readonly cli: string | null;
  /** A method of the Node SDK; those of Python have the same fields. */
  readonly sdk: string | null;
  /** A request. */
  readonly http: string;
}

/**
 * The 400s and 409s that another request ends, where that is not simply the same one with other values. Checked by hand
 * against version 4.18.4 of the command-line tool and 0.1.3 of the SDK.
 */
export const waysOut: Partial<Record<ErrorCode, WayOut>> = {
  unsigned_bundle: {
    cli: '`apps:liveupdates:upload --private-key` or another `--channel`',
    sdk: null,
    http: '`PATCH /v1/apps/{appId}/channels/{channelId}` with `protected: false`',
  },
  invalid_signature: {
    cli: '`apps:liveupdates:upload --private-key` with the key of the app',
    sdk: null,
    http: '`PATCH /v1/apps/{appId}` with `publicKeys`',
  },
  certificate_required: {
    cli: '`apps:builds:create --certificate`',
    sdk: '`apps.builds.create` with `appCertificateName`',
    http: '`POST …/builds` with `appCertificateName`',
  },
  build_numbers_used_up: {
    cli: null,
    sdk: '`apps.update` with `nextAppBuildNumber`',
    http: '`PATCH /v1/apps/{appId}` with `nextAppBuildNumber`',
  },
  build_running: {
    cli: '`apps:builds:cancel`',
    sdk: '`jobs.cancel`',
    http: '`PATCH /v1/jobs/{jobId}` with `status: canceled`',
  },
  imports_pending: {
    cli: '`apps:builds:cancel`',
    sdk: '`jobs.cancel`',
    http: '`PATCH /v1/jobs/{jobId}` with `status: canceled`',
  },
  submission_open: {
    cli: '`apps:deployments:cancel`',
    sdk: '`jobs.cancel`',
    http: '`PATCH /v1/jobs/{jobId}` with `status: canceled`',
  },
  already_submitted: {
    cli: null,
    sdk: null,
    http: '`POST …/deployments` with `force: true`',
  },
  channel_frozen: {
    cli: null,
    sdk: null,
    http: '`POST …/deployments` with `emergency`',
  },
  destination_frozen: {
    cli: null,
    sdk: null,
    http: '`POST …/deployments` with `emergency`',
  },
  deployment_superseded: {
    cli: '`apps:deployments:create --channel`',
    sdk: '`apps.deployments.create`',
    http: '`POST …/deployments` with the same `appBuildId`',
  },
  legal_hold: {
    cli: null,
    sdk: null,
    http: '`DELETE …/bundles/{bundleId}/legal-hold`',
  },
  environment_key_taken: {
    cli: '`apps:environments:set`',
    sdk: '`apps.environments.variables.update`',
    http: '`POST …/variables/set`',
  },
  webhook_disabled: {
    cli: null,
    sdk: '`apps.webhooks.update` with `enabled: true`',
    http: '`PATCH …/webhooks/{webhookId}` with `enabled: true`',
  },
  git_credentials_refused: {
    cli: null,
    sdk: '`organizations.gitConnections.update` with the credential',
    http: '`PATCH …/git-connections/{gitConnectionId}` with the credential',
  },
  already_member: {
    cli: null,
    sdk: null,
    http: '`PATCH …/members/{memberId}` with `role`',
  },
  already_invited: {
    cli: null,
    sdk: '`organizations.invitations.delete`',
    http: '`DELETE …/invitations/{invitationId}`',
  },
  last_owner: {
    cli: null,
    sdk: null,
    http: '`POST …/transfer-ownership`',
  },
};
