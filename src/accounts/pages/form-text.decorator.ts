import { applyDecorators } from '@nestjs/common';
import { IsString, MaxLength } from 'class-validator';

/** A text of a form. */
export function FormText(maxLength: number): PropertyDecorator {
  return applyDecorators(
    MaxLength(maxLength, { message: `$property must be at most ${maxLength} characters long.` }),
    IsString({ message: '$property must be given once.' }),
  );
}
