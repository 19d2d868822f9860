import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsBoolean, IsInt, IsObject, Max, Min, ValidateNested } from 'class-validator';
import { IsBundleRetentionCount } from '../../apps/apps/bundle-retention-count.decorator.js';
import { IsDateInput } from '../../common/validation/date-input.decorator.js';
import { IsWholeNumber } from '../../common/validation/is-whole-number.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsAbsentOr, IsNullable } from '../../common/validation/optional.decorators.js';
import { MAX_ROLLBACK_LIMIT } from './channel.entity.js';
import { FreezeWindowInputDto, MAX_FREEZE_WINDOWS } from '../../common/freezes/freeze-window.dto.js';

const MAX_APPROVALS = 5;
const approvals = `$property must be a whole number from 0 to ${MAX_APPROVALS}.`;

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
  @IsNullable()
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_APPROVALS, nullable: true })
  @Max(MAX_APPROVALS, { message: approvals })
  @Min(0, { message: approvals })
  @IsInt({ message: approvals })
  requiredApprovals?: number | null;

  /**
   * Freeze windows, in which no deployment starts or grows. Replaces all existing windows; `null`: none. Requires the
   * permission `channels:govern`.
   */
  @IsNullable()
  @ApiPropertyOptional({ type: [FreezeWindowInputDto], maxItems: MAX_FREEZE_WINDOWS, nullable: true })
  @ValidateNested({ each: true, message: '$property must hold objects with from and to.' })
  @Type(() => FreezeWindowInputDto)
  // Nested arrays would not be validated.
  @IsObject({ each: true, message: '$property must hold objects with from and to.' })
  @ArrayMaxSize(MAX_FREEZE_WINDOWS, { message: `$property must hold at most ${MAX_FREEZE_WINDOWS} windows.` })
  @IsArray({ message: '$property must be a list.' })
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
