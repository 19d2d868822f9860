import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { emptyAsAbsent } from '../validation/empty-as-absent.js';

/** Entries of a list that are returned when the caller does not say how many. */
export const DEFAULT_LIMIT = 50;
/** Most entries of a list that one request returns; larger limits are lowered to it. */
export const MAX_LIMIT = 100;

/** Which part of a list is wanted. All lists take it. */
export class PageQuery {
  /** How many entries to return, from 1; more than 100 counts as 100. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, default: DEFAULT_LIMIT })
  @Transform(({ value }: { value: unknown }) => clamp(toInteger(emptyAsAbsent(value))))
  @IsOptional()
  @Min(1, { message: 'limit must be at least 1.' })
  @IsInt({ message: 'limit must be a whole number.' })
  limit?: number;

  /** How many entries to skip, from 0. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: 2147483647, default: 0 })
  @Transform(({ value }: { value: unknown }) => toInteger(emptyAsAbsent(value)))
  @IsOptional()
  @Max(2_147_483_647, { message: 'offset must be at most 2147483647.' })
  @Min(0, { message: 'offset must be at least 0.' })
  @IsInt({ message: 'offset must be a whole number.' })
  offset?: number;
}

/** Only plain decimal digits count as a number: not `1.5`, `1e3`, `0x10` or an array. */
function toInteger(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
}

function clamp(value: unknown): unknown {
  return typeof value === 'number' ? Math.min(value, MAX_LIMIT) : value;
}
