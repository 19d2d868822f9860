import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional } from 'class-validator';
import { QueryText } from '../../common/validation/query-text.decorator.js';

/** The parameters of the signed address of a file. */
export class SignedAddressQuery {
  /** Until when the signed address works, in Unix milliseconds. */
  @ApiPropertyOptional({ type: 'integer' })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? Number(value) : value))
  @IsOptional()
  @IsInt({ message: '$property must be a whole number.' })
  expiresAt?: number;

  /** Signature of the signed address. */
  @QueryText()
  signature?: string;
}
