import { ApiProperty } from '@nestjs/swagger';
import { Equals } from 'class-validator';
import { IsText } from '../../common/validation/is-text.decorator.js';

/** Exchanges an approved session code for a session. */
export class CreateSessionDto {
  /**
   * The `id` of the session code, not the code that people type.
   * @example 'sUq0m6yYtq3o5v2yJb0bS1xgq7yqk9wL'
   */
  @IsText(256)
  code!: string;

  /** How the user signs in: always `code`. */
  @ApiProperty({ enum: ['code'] })
  @Equals('code', { message: 'provider must be "code".' })
  provider!: 'code';
}
