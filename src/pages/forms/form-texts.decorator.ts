import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsString, MaxLength } from 'class-validator';

/**
 * A field of a form that may be given several times, such as checkboxes of one name. Becomes a list.
 *
 * @param maxItems how often it may be given
 * @param maxLength of each, in characters
 */
export function FormTexts(maxItems: number, maxLength: number): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? (value as unknown[]) : [value])),
    MaxLength(maxLength, {
      each: true,
      message: `$property must be at most ${maxLength} characters long each.`,
    }),
    IsString({ each: true, message: '$property must be text.' }),
    ArrayMaxSize(maxItems, { message: `$property must be given at most ${maxItems} times.` }),
    IsArray({ message: '$property must be a list.' }),
  );
}
