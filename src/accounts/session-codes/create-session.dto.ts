import { ApiProperty } from '@nestjs/swagger';
import { Equals, IsString, MaxLength } from 'class-validator';

/** Exchanges an approved session code for a session. */
export class CreateSessionDto {
  /**
   * The `id` of the session code, not the code that people type.
   * @example 'sUq0m6yYtq3o5v2yJb0bS1xgq7yqk9wL'
   */
  @MaxLength(256, { message: 'code must be at most 256 characters long.' })
  @IsString({ message: 'code is required and must be a string.' })
  code!: string;

  /** How the user signs in: always `code`. */
  @ApiProperty({ enum: ['code'] })
  @Equals('code', { message: 'provider must be "code".' })
  provider!: 'code';
}
