import { IsBoolean } from 'class-validator';
import { IsDateInput } from '../../common/validation/date-input.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsAbsentOr, IsNullable } from '../../common/validation/optional.decorators.js';

/** A new channel. */
export class CreateChannelDto {
  /**
   * Unique in the app, whatever its case.
   * @example 'production'
   */
  @IsName()
  name!: string;

  /** Whether only signed bundles are delivered. */
  @IsAbsentOr()
  @IsBoolean({ message: '$property must be true or false.' })
  protected?: boolean;

  /** From then on nothing is delivered; `null`: never. Unix milliseconds are accepted too. */
  @IsNullable()
  @IsDateInput()
  expiresAt?: Date | null;
}
