import { ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { MinDate } from 'class-validator';
import { databaseNow } from '../../common/database-clock.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsDateInput } from '../../common/validation/date-input.decorator.js';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { IsNullable } from '../../common/validation/optional.decorators.js';
import { IsTextThat } from '../../common/validation/satisfies.decorator.js';

const MAX_DESCRIPTION_LENGTH = 1000;
const MIN_PASSWORD_LENGTH = 8;
const MAX_PASSWORD_LENGTH = 128;

/** A new share of a build. */
@ApiExample({ description: 'For the testers of the checkout.' })
export class CreateBuildShareDto {
  /** Text that the page shows, without formatting. */
  @IsNullable()
  @IsText(MAX_DESCRIPTION_LENGTH)
  description?: string | null;

  /** The share ends at this time; `null`: never. Also accepts Unix milliseconds. */
  @IsNullable()
  @MinDate(() => databaseNow(), { message: '$property must be in the future.' })
  @IsDateInput()
  expiresAt?: Date | null;

  /** The page asks for this password; `null`: it does not. The API stores only a hash, and never returns it. */
  @IsNullable()
  @ApiPropertyOptional({
    type: 'string',
    minLength: MIN_PASSWORD_LENGTH,
    maxLength: MAX_PASSWORD_LENGTH,
    nullable: true,
  })
  @IsTextThat(
    isPassword,
    `$property must be a string of ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`,
  )
  password?: string | null;
}

/** Changes to a share; absent fields stay unchanged, `null` clears. */
@ApiExample({ description: 'For the testers of the checkout.' })
export class UpdateBuildShareDto extends PartialType(CreateBuildShareDto, { skipNullProperties: false }) {}

/** Characters as people count them, not UTF-16 units. */
function isPassword(text: string): boolean {
  const { length } = Array.from(text.slice(0, 2 * MAX_PASSWORD_LENGTH + 1));
  return length >= MIN_PASSWORD_LENGTH && length <= MAX_PASSWORD_LENGTH;
}
