import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { emptyAsAbsent } from './empty-as-absent.js';

/** An optional text in the query; empty counts as absent. @param maxLength in characters */
export function QueryText(maxLength = 1000): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => emptyAsAbsent(value)),
    IsOptional(),
    IsString({ message: '$property must be given once.' }),
    MaxLength(maxLength, { message: `$property must be at most ${maxLength} characters long.` }),
  );
}
