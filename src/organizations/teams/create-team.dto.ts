import { IsString, MaxLength } from 'class-validator';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsNullable } from '../../common/validation/optional.decorators.js';

/** A new team. */
export class CreateTeamDto {
  /**
   * Unique in the organization, ignoring case.
   * @example 'Mobile'
   */
  @IsName()
  name!: string;

  /** At most 1,000 characters; `null`: none. */
  @IsNullable()
  @MaxLength(1000, { message: '$property must be at most 1000 characters long.' })
  @IsString({ message: '$property must be a string.' })
  description?: string | null;
}
