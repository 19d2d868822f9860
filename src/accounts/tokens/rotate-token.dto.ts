import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsWholeNumber } from '../../common/validation/is-whole-number.decorator.js';
import { IsAbsentOr } from '../../common/validation/optional.decorators.js';
import { RefuseUnknownFields } from '../../common/validation/unknown-fields/refuse-unknown-fields.decorator.js';
import { IssuedTokenDto } from './token.dto.js';

/** Longest overlap of a rotation, in seconds: a week. */
export const MAX_OVERLAP_SECONDS = 604_800;

/** How to rotate an API token. Unknown fields are a 400. */
@RefuseUnknownFields(IssuedTokenDto, 'tokenId')
@ApiExample({ overlapSeconds: 3600 })
export class RotateTokenDto {
  /** How long the old secret stays valid, in seconds (at most a week), so that every client can switch. */
  @ApiProperty({ default: 0 })
  @IsAbsentOr()
  @IsWholeNumber(0, MAX_OVERLAP_SECONDS)
  overlapSeconds?: number;
}
