import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { EXAMPLE_TIME } from '../../common/openapi/example-values.js';

export const inboxKinds = [
  /** A deployment that the caller can approve. */
  'approval',
  /** A rollout plan that waits until a user resumes it. */
  'plan_held',
  /** A submission that has failed, or a release that the review of a store has rejected. */
  'submission_refused',
  /** A submission or a release that a person has to continue in the store, or to release. */
  'submission_waiting',
  /** A release in a store that is paused or halted. */
  'release_stopped',
  /** A change of a release in a store that a user has requested, and that has failed. */
  'release_change_failed',
  /** Builds with files that are damaged in the storage. */
  'files_damaged',
  /** A certificate or a provisioning profile that expires within 30 days, or has expired in the last seven. */
  'signing_expiring',
  /** A webhook whose last attempts have all failed; Slipway tries again. */
  'webhook_failing',
  /** A webhook that Slipway, not a user, has disabled. */
  'webhook_disabled',
] as const;
export type InboxKind = (typeof inboxKinds)[number];

/** What an entry is about. Fields that do not fit its kind are `null`. */
@ApiExample({ appName: 'Shop', appChannelName: 'production', name: '2.4.1' })
export class InboxObjectDto {
  /**
   * Of the object as people call it: the name or the number of the build, the name of the certificate, the provisioning
   * profile or the webhook.
   * @example '2.4.1'
   */
  name!: string;

  /** `null`: a webhook of the organization. */
  @ApiId()
  appId!: string | null;

  /** @example 'Shop' */
  appName!: string | null;

  @ApiId()
  appChannelId!: string | null;

  /** @example 'production' */
  appChannelName!: string | null;

  @ApiId()
  appDestinationId!: string | null;

  /** Such as `Google Play`. */
  appDestinationName!: string | null;

  @ApiId()
  appDeploymentId!: string | null;

  @ApiId()
  appBuildId!: string | null;

  /** Of a provisioning profile, the certificate that it is used with. */
  @ApiId()
  appCertificateId!: string | null;

  @ApiId()
  appProvisioningProfileId!: string | null;

  @ApiId()
  webhookId!: string | null;
}

/** Something that waits for the caller. */
@ApiExample({
  kind: 'approval',
  since: EXAMPLE_TIME,
  sentence: 'Mia Chen asks: “Fix checkout on iPad”. 1 approval is missing.',
})
export class InboxEntryDto {
  /** Of the object; unique among the entries of the same kind. */
  @ApiId()
  id!: string;

  @ApiProperty({ enum: inboxKinds, enumName: 'InboxKind' })
  kind!: InboxKind;

  /** When it began to wait. */
  @ApiTime()
  since!: string;

  object!: InboxObjectDto;

  /** Why it waits. May quote what users and stores have written. */
  sentence!: string;

  /**
   * Path of the page of the console where it is done.
   * @example '/apps/0199b0c2-7c1e-70d0-a4bf-eb7d64b71c74/deployments/0199b0c2-7c1e-7ce4-a683-e7013a18cdf3'
   */
  link!: string;
}

/** What waits for the caller. */
export class InboxDto {
  /** Newest first, at most 100. */
  @ApiProperty({ type: [InboxEntryDto] })
  entries!: InboxEntryDto[];

  /** How many more there are. */
  @ApiProperty({ type: 'integer', minimum: 0, example: 0 })
  more!: number;
}
