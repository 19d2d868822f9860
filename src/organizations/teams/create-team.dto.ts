import { IsText } from '../../common/validation/is-text.decorator.js';
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
  @IsText(1000)
  description?: string | null;
}
