import { ApiProperty } from '@nestjs/swagger';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';

const MAX_LENGTH = 1000;

/** Why a bundle must not be deleted. */
export class PutLegalHoldDto {
  /**
   * For people; it is kept with the bundle and in the audit log.
   * @example 'Case 2026-118: keep what was delivered in March'
   */
  @ApiProperty({ minLength: 1, maxLength: MAX_LENGTH })
  @MaxLength(MAX_LENGTH, { message: `$property must be at most ${MAX_LENGTH} characters long.` })
  @IsNotEmpty({ message: '$property must not be empty.' })
  @IsString({ message: '$property must be a text.' })
  reason!: string;
}
