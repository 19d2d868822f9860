import { ApiProperty } from '@nestjs/swagger';
import { Equals, IsBoolean } from 'class-validator';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsWholeNumber } from '../../common/validation/is-whole-number.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsAbsentOr, IsNullable } from '../../common/validation/optional.decorators.js';
import { type AppType, appTypes, MAX_BUILD_NUMBER, MAX_DEVICE_RETENTION_DAYS } from './app.entity.js';
import { IsBundleRetentionCount } from './bundle-retention-count.decorator.js';
import { IsPublicKeys } from './public-keys.decorator.js';

/** Changes to an app; absent fields stay as they are, `null` clears. */
export class UpdateAppDto {
  /** @example 'Shop' */
  @IsAbsentOr()
  @IsName()
  name?: string;

  /** What the app is made with. */
  @IsAbsentOr()
  @IsOneOf(appTypes, 'AppType')
  type?: AppType;

  /** The default channel: of devices that ask for none; `null`: there is none. */
  @IsNullable()
  @IsId()
  appChannelId?: string | null;

  /** The default environment of builds. There are no environments yet, so only `null` is accepted. */
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true })
  @IsNullable()
  @Equals(null, { message: '$property must be the id of an environment of this app.' })
  appEnvironmentId?: null;

  /** Whether devices may list the app's channels without a token. */
  @IsAbsentOr()
  @IsBoolean({ message: '$property must be true or false.' })
  appChannelDiscoveryEnabled?: boolean;

  /**
   * RSA public keys (PEM, 2,048 to 8,192 bits) that verify the signatures of bundles: any of them may. Empty: signatures
   * are not verified.
   */
  @IsAbsentOr()
  @IsPublicKeys()
  publicKeys?: string[];

  /**
   * Whether the custom ids of devices are kept as hashes only. Those that are there are hashed in the background;
   * switching it off brings none of them back.
   */
  @IsAbsentOr()
  @IsBoolean({ message: '$property must be true or false.' })
  customIdHashing?: boolean;

  /** Days after which devices that were not seen are deleted; `null`: never. */
  @IsNullable()
  @IsWholeNumber(1, MAX_DEVICE_RETENTION_DAYS)
  deviceRetentionDays?: number | null;

  /**
   * Newest bundles that are kept of each channel that does not say otherwise, besides those in use; the others are deleted
   * by and by. `null`: all are kept.
   */
  @IsNullable()
  @IsBundleRetentionCount()
  bundleRetentionCount?: number | null;

  /** The number that the next build gets; greater than that of every build so far. */
  @IsAbsentOr()
  @IsWholeNumber(1, MAX_BUILD_NUMBER)
  nextAppBuildNumber?: number;
}
