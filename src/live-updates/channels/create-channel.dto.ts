import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { IsBundleRetentionCount } from '../../apps/apps/bundle-retention-count.decorator.js';
import { IsDateInput } from '../../common/validation/date-input.decorator.js';
import { IsWholeNumber } from '../../common/validation/is-whole-number.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsAbsentOr, IsNullable } from '../../common/validation/optional.decorators.js';
import { MAX_ROLLBACK_LIMIT } from './channel.entity.js';
import { FreezeWindowInputDto } from '../../common/freezes/freeze-window.dto.js';
import { IsFreezeWindows, IsRequiredApprovals } from '../../common/freezes/policy-fields.decorators.js';

/** A new channel. */
export class CreateChannelDto {
  /**
   * Unique in the app, ignoring case.
   * @example 'production'
   */
  @IsName()
  name!: string;

  /** Whether only signed bundles are delivered. */
  @IsAbsentOr()
  @IsBoolean({ message: '$property must be true or false.' })
  protected?: boolean;

  /** Delivery stops at this time; `null`: never. Also accepts Unix milliseconds. */
  @IsNullable()
  @IsDateInput()
  expiresAt?: Date | null;

  /**
   * How many people other than its creator must approve a deployment before it is delivered; 0 or `null`:
   * none. Requires the permission `channels:govern`. Existing deployments keep their number.
   */
  @IsRequiredApprovals()
  requiredApprovals?: number | null;

  /**
   * Freeze windows, in which no deployment starts or grows. Replaces all existing windows; `null`: none. Requires the
   * permission `channels:govern`.
   */
  @IsFreezeWindows()
  freezeWindows?: FreezeWindowInputDto[] | null;

  /** How many of the newest bundles of the channel to keep, besides those in use; `null`: the setting of the app. */
  @IsNullable()
  @IsBundleRetentionCount()
  bundleRetentionCount?: number | null;

  /**
   * After so many roll-backs of a bundle, a device is not offered the bundle again in the same native version; `null`: it
   * always is. A new channel has 2.
   */
  @IsNullable()
  @ApiPropertyOptional({ nullable: true })
  @IsWholeNumber(1, MAX_ROLLBACK_LIMIT)
  rollbackLimit?: number | null;
}
