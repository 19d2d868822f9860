import { ApiProperty } from '@nestjs/swagger';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';

const MAX_LENGTH = 1000;

/** A legal hold, which prevents the deletion of a bundle. */
export class PutLegalHoldDto {
  /**
   * Reason, 1 to 1,000 characters; stored with the bundle and in the audit log.
   * @example 'Case 2026-118: keep what was delivered in March'
   */
  @ApiProperty({ minLength: 1, maxLength: MAX_LENGTH })
  @MaxLength(MAX_LENGTH, { message: `$property must be at most ${MAX_LENGTH} characters long.` })
  @IsNotEmpty({ message: '$property must not be empty.' })
  @IsString({ message: '$property must be a text.' })
  reason!: string;
}
