import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { emptyAsAbsent } from './empty-as-absent.js';

/** An optional text in the query, at most 1,000 characters; empty counts as absent. */
export function QueryText(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => emptyAsAbsent(value)),
    IsOptional(),
    IsString({ message: '$property must be given once.' }),
    MaxLength(1000, { message: '$property must be at most 1000 characters long.' }),
  );
}
