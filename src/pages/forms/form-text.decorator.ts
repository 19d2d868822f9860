import { applyDecorators } from '@nestjs/common';
import { IsString, MaxLength } from 'class-validator';

/** A text field of a form. @param maxLength in characters */
export function FormText(maxLength: number): PropertyDecorator {
  return applyDecorators(
    MaxLength(maxLength, { message: `$property must be at most ${maxLength} characters long.` }),
    IsString({ message: '$property must be given once.' }),
  );
}
