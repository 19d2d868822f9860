import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsLabels } from '../../common/validation/is-list-of-words.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsWholeNumber } from '../../common/validation/is-whole-number.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsAbsentOr, IsNullable } from '../../common/validation/optional.decorators.js';
import {
  type AppType,
  appTypes,
  MAX_BUILD_NUMBER,
  MAX_DEVICE_RETENTION_DAYS,
  MAX_JOB_LOG_RETENTION_DAYS,
  type BuildStack,
  buildStacks,
  MAX_BUILD_RETENTION_DAYS,
  MAX_RUNNER_LABELS,
} from './app.entity.js';
import { IsBundleRetentionCount } from './bundle-retention-count.decorator.js';
import { IsPublicKeys } from './public-keys.decorator.js';

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
