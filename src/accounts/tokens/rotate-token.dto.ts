import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { IsAbsentOr } from '../../common/validation/optional.decorators.js';

/** Longest overlap of a rotation, in seconds: a week. */
export const MAX_OVERLAP_SECONDS = 604_800;

/** How to rotate an API token. */
export class RotateTokenDto {
  /** How long the old secret stays valid, in seconds: until everything that uses it has the new one. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: MAX_OVERLAP_SECONDS, default: 0 })
  @IsAbsentOr()
  @Max(MAX_OVERLAP_SECONDS, { message: `$property must be at most ${MAX_OVERLAP_SECONDS}.` })
  @Min(0, { message: '$property must be at least 0.' })
  @IsInt({ message: '$property must be a whole number.' })
  overlapSeconds?: number;
}
