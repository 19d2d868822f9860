import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { MinDate } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { databaseNow } from '../../common/database-clock.js';
import { IsDateInput } from '../../common/validation/date-input.decorator.js';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { IsNullable } from '../../common/validation/optional.decorators.js';
import { IsTextThat } from '../../common/validation/satisfies.decorator.js';
import type { BuildShare } from './build-share.entity.js';
import { sharePath } from './share-path.js';

/** A page with the files of a build, for everyone who has its address. */
@ApiExample({ description: 'For the testers of the checkout.' })
export class BuildShareDto {
  /** Part of the address of the page. */
  @ApiId()
  id!: string;

  @ApiId()
  appBuildId!: string;

  /** Text that the page shows. */
  description!: string | null;

  /** The share ends at this time; `null`: never. */
  @ApiTime()
  expiresAt!: string | null;

  /** Whether the page asks for a password. */
  hasPassword!: boolean;

  /** Address of the page. Everyone who has it can open the page. */
  @ApiProperty({ format: 'uri' })
  url!: string;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** The response for a share. @param origin the origin of its page */
export function toBuildShareDto(share: BuildShare, origin: string): BuildShareDto {
  return {
    id: share.id,
    appBuildId: share.buildId,
    description: share.description,
    expiresAt: share.expiresAt?.toISOString() ?? null,
    hasPassword: share.passwordHash !== null,
    url: new URL(sharePath(share.id), origin).href,
    createdAt: share.createdAt.toISOString(),
    updatedAt: share.updatedAt.toISOString(),
  };
}

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
