import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsBoolean } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { exampleId } from '../../common/openapi/example-values.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsLabels } from '../../common/validation/is-list-of-words.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsAbsentOr, IsEmptyOr, IsNullable } from '../../common/validation/optional.decorators.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsWholeNumber } from '../../common/validation/is-whole-number.decorator.js';
import { Relations } from '../../common/validation/relations.decorator.js';
import { AppRepositoryDto, toAppRepositoryDto } from '../repository/app-repository.dto.js';
import type { AppRepository } from '../repository/app-repository.entity.js';
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
  MAX_BUILD_NUMBER,
} from './app.entity.js';
import { IsPublicKeys } from './public-keys.decorator.js';
import { IsBundleRetentionCount } from './bundle-retention-count.decorator.js';

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

  /** Whether nothing is deployed to a channel whose newest deployment has the same content already. */
  skipUnchanged!: boolean;

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

  /** With the relation `repository`: the git repository that it is built from; `null`: it is linked to none. */
  @ApiPropertyOptional({ type: AppRepositoryDto, nullable: true })
  repository?: AppRepositoryDto | null;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** The response for an app. @param repository `undefined`: it was not asked for; `null`: there is none */
export function toAppDto(app: App, repository?: AppRepository | null): AppDto {
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
    skipUnchanged: app.skipUnchanged,
    deviceRetentionDays: app.deviceRetentionDays,
    jobLogRetentionDays: app.jobLogRetentionDays,
    bundleRetentionCount: app.bundleRetentionCount,
    buildSourceRetentionDays: app.buildSourceRetentionDays,
    buildArtifactRetentionDays: app.buildArtifactRetentionDays,
    nextAppBuildNumber: app.nextBuildNumber,
    buildStack: app.buildStack,
    runnerLabels: app.runnerLabels,
    ...(repository === undefined
      ? {}
      : { repository: repository === null ? null : toAppRepositoryDto(repository) }),
    createdAt: app.createdAt.toISOString(),
    updatedAt: app.updatedAt.toISOString(),
  };
}

/** What to include with an app. */
export class GetAppQuery {
  @Relations('repository')
  relations?: string[];
}

/** The owner of a new app. */
export class CreateAppQuery {
  /** The organization that will own the app; optional for members of exactly one. */
  @IsEmptyOr()
  @IsId()
  organizationId?: string;
}

/** A new app. */
export class CreateAppDto {
  /** @example 'Shop' */
  @IsName()
  name!: string;

  /** The framework of the app. */
  @ApiProperty({ enum: appTypes, enumName: 'AppType', default: 'capacitor' })
  @IsAbsentOr()
  @IsIn(appTypes, { message: `$property must be one of ${appTypes.join(', ')}.` })
  type?: AppType;

  /**
   * RSA public keys (PEM, 2,048 to 8,192 bits) that verify the signatures of bundles; one match is enough. Empty:
   * signatures
   * are not verified.
   */
  @IsAbsentOr()
  @IsPublicKeys()
  publicKeys?: string[];

  /** Builds are only for runners that have all of these labels; empty: for every runner. */
  @IsAbsentOr()
  @IsLabels(MAX_RUNNER_LABELS)
  runnerLabels?: string[];

  /** The organization that will own the app. The query parameter wins. */
  @IsNullable()
  @IsId()
  organizationId?: string;
}

/** Which apps to list. */
export class ListAppsQuery extends PageQuery {
  /** Only apps of this organization; without it, all apps that the caller can reach. */
  @IsEmptyOr()
  @IsId()
  organizationId?: string;

  /** Only apps with exactly this name, ignoring case. */
  @QueryText()
  name?: string;

  /** Only apps whose id or name contains this text, ignoring case. */
  @QueryText()
  query?: string;
}

/** The new owner of an app. */
export class TransferAppDto {
  /** The organization that will own the app. */
  @IsId()
  organizationId!: string;
}

/** Changes to an app; absent fields stay as they are, `null` clears. */
@ApiExample({ name: 'Shop' })
export class UpdateAppDto {
  /** @example 'Shop' */
  @IsAbsentOr()
  @IsName()
  name?: string;

  /** The framework of the app. */
  @IsAbsentOr()
  @IsOneOf(appTypes, 'AppType')
  type?: AppType;

  /** The default channel, for devices that request none; `null`: none. */
  @IsNullable()
  @IsId()
  appChannelId?: string | null;

  /** The environment of builds that name none; `null`: they have no environment. */
  @IsNullable()
  @IsId()
  appEnvironmentId?: string | null;

  /** As `appEnvironmentId`, by name, ignoring case. The id wins. */
  @IsNullable()
  @IsName()
  appEnvironmentName?: string | null;

  /** The stack of builds that ask for none; `null`: the default of the server. */
  @ApiPropertyOptional({ type: 'string', enum: [...buildStacks, null], nullable: true })
  @IsNullable()
  @IsIn(buildStacks, { message: `$property must be one of ${buildStacks.join(', ')}.` })
  buildStack?: BuildStack | null;

  /** Builds are only for runners that have all of these labels; empty: for every runner. */
  @IsAbsentOr()
  @IsLabels(MAX_RUNNER_LABELS)
  runnerLabels?: string[];

  /** Whether devices may list the app's channels without a token. */
  @IsAbsentOr()
  @IsBoolean({ message: '$property must be true or false.' })
  appChannelDiscoveryEnabled?: boolean;

  /**
   * RSA public keys (PEM, 2,048 to 8,192 bits) that verify the signatures of bundles; one match is enough. Empty:
   * signatures
   * are not verified.
   */
  @IsAbsentOr()
  @IsPublicKeys()
  publicKeys?: string[];

  /**
   * Whether the server stores custom ids of devices only as hashes. Existing ids are hashed in the background, which
   * cannot be undone.
   */
  @IsAbsentOr()
  @IsBoolean({ message: '$property must be true or false.' })
  customIdHashing?: boolean;

  /**
   * Whether devices that run a bundle which Slipway does not know are offered no signed bundle in manifest form, because they
   * may reuse wrong files. Known are the bundles of the app, and those whose manifests are imported.
   */
  @IsAbsentOr()
  @IsBoolean({ message: '$property must be true or false.' })
  withholdFromUnknownBundles?: boolean;

  /**
   * Whether nothing is deployed to a channel whose newest deployment has the same content, for at least the same share: the
   * response then has that deployment, with the warning `same_content`.
   */
  @IsAbsentOr()
  @IsBoolean({ message: '$property must be true or false.' })
  skipUnchanged?: boolean;

  /** Days after the last check-in when devices are deleted; `null`: as `DEVICE_RETENTION_DAYS` of the server says. */
  @IsNullable()
  @IsWholeNumber(1, MAX_DEVICE_RETENTION_DAYS)
  deviceRetentionDays?: number | null;

  /** Days after the end of a job when its log is deleted; `null`: as `JOB_LOG_RETENTION_DAYS` of the server says. */
  @IsNullable()
  @IsWholeNumber(1, MAX_JOB_LOG_RETENTION_DAYS)
  jobLogRetentionDays?: number | null;

  /**
   * How many of the newest bundles of each channel to keep, besides those in use, unless the channel has its own
   * setting; the others are deleted
   * in the background. `null`: all are kept.
   */
  @IsNullable()
  @IsBundleRetentionCount()
  bundleRetentionCount?: number | null;

  /** Days after which the sources of ended builds are deleted; `null`: as `BUILD_SOURCE_RETENTION_DAYS` says. */
  @IsNullable()
  @IsWholeNumber(1, MAX_BUILD_RETENTION_DAYS)
  buildSourceRetentionDays?: number | null;

  /** Days after which artifacts of native builds are deleted; `null`: as `BUILD_ARTIFACT_RETENTION_DAYS` says. */
  @IsNullable()
  @IsWholeNumber(1, MAX_BUILD_RETENTION_DAYS)
  buildArtifactRetentionDays?: number | null;

  /** The number that the next build gets; greater than that of every build so far. */
  @IsAbsentOr()
  @IsWholeNumber(1, MAX_BUILD_NUMBER)
  nextAppBuildNumber?: number;
}
