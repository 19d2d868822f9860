import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { exampleId } from '../../common/openapi/example-values.js';
import {
  type App,
  type AppType,
  appTypes,
  type BuildStack,
  buildStacks,
  MAX_BUNDLE_RETENTION_COUNT,
  MAX_DEVICE_RETENTION_DAYS,
  MAX_JOB_LOG_RETENTION_DAYS,
  MAX_BUILD_RETENTION_DAYS,
  MAX_RUNNER_LABELS,
} from './app.entity.js';

/** A mobile app. */
@ApiExample({
  type: 'capacitor',
  appChannelId: exampleId('Channel'),
  publicKeys: [],
  runnerLabels: [],
  nextAppBuildNumber: 43,
})
export class AppDto {
  @ApiId()
  id!: string;

  @ApiId()
  organizationId!: string;

  /** @example 'Shop' */
  name!: string;

  @ApiProperty({ enum: appTypes, enumName: 'AppType' })
  type!: AppType;

  /** The default channel, for devices that request none; `null`: none. */
  @ApiId()
  appChannelId!: string | null;

  /** The environment of builds that name none; `null`: they have no environment. */
  @ApiId()
  appEnvironmentId!: string | null;

  /** Whether devices may list the app's channels without a token. */
  appChannelDiscoveryEnabled!: boolean;

  /** RSA public keys (PEM) that verify the signatures of bundles; empty: signatures are not verified. */
  publicKeys!: string[];

  /** Whether the server stores custom ids of devices only as hashes. */
  customIdHashing!: boolean;

  /** Whether devices that run a bundle which Slipway does not know are offered no signed bundle in manifest form. */
  withholdFromUnknownBundles!: boolean;

  /** Days after the last check-in when devices are deleted; `null`: as `DEVICE_RETENTION_DAYS` of the server says. */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 1, maximum: MAX_DEVICE_RETENTION_DAYS })
  deviceRetentionDays!: number | null;

  /** Days after the end of a job when its log is deleted; `null`: as `JOB_LOG_RETENTION_DAYS` of the server says. */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 1, maximum: MAX_JOB_LOG_RETENTION_DAYS })
  jobLogRetentionDays!: number | null;

  /**
   * How many of the newest bundles of each channel are kept, besides those in use, unless the channel has its own
   * setting; `null`: all.
   */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 1, maximum: MAX_BUNDLE_RETENTION_COUNT })
  bundleRetentionCount!: number | null;

  /** Days after which the sources of ended builds are deleted; `null`: as `BUILD_SOURCE_RETENTION_DAYS` says. */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 1, maximum: MAX_BUILD_RETENTION_DAYS })
  buildSourceRetentionDays!: number | null;

  /** Days after which artifacts of native builds are deleted; `null`: as `BUILD_ARTIFACT_RETENTION_DAYS` says. */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 1, maximum: MAX_BUILD_RETENTION_DAYS })
  buildArtifactRetentionDays!: number | null;

  /** The number that the next build gets. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  nextAppBuildNumber!: number;

  /** The stack of builds that ask for none; `null`: the default of the server. */
  @ApiProperty({ type: 'string', enum: [...buildStacks, null], nullable: true })
  buildStack!: BuildStack | null;

  /** Builds are only for runners that have all of these labels; empty: for every runner. */
  @ApiProperty({ type: [String], maxItems: MAX_RUNNER_LABELS })
  runnerLabels!: string[];

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** The response for an app. */
export function toAppDto(app: App): AppDto {
  return {
    id: app.id,
    organizationId: app.organizationId,
    name: app.name,
    type: app.type,
    appChannelId: app.defaultChannelId,
    appEnvironmentId: app.appEnvironmentId,
    appChannelDiscoveryEnabled: app.channelDiscoveryEnabled,
    publicKeys: app.publicKeys,
    customIdHashing: app.customIdHashing,
    withholdFromUnknownBundles: app.withholdFromUnknownBundles,
    deviceRetentionDays: app.deviceRetentionDays,
    jobLogRetentionDays: app.jobLogRetentionDays,
    bundleRetentionCount: app.bundleRetentionCount,
    buildSourceRetentionDays: app.buildSourceRetentionDays,
    buildArtifactRetentionDays: app.buildArtifactRetentionDays,
    nextAppBuildNumber: app.nextBuildNumber,
    buildStack: app.buildStack,
    runnerLabels: app.runnerLabels,
    createdAt: app.createdAt.toISOString(),
    updatedAt: app.updatedAt.toISOString(),
  };
}
