import { applyDecorators } from '@nestjs/common';
import { Matches } from 'class-validator';
import { IsText } from '../../common/validation/is-text.decorator.js';

/** The name of an artifact's file: without folders, 1 to 255 characters. */
export function IsFileName(): PropertyDecorator {
  return applyDecorators(
    Matches(/^[^/\\\p{C}]+$/u, {
      message: '$property must be a file name without folders and control characters.',
    }),
    IsText(255, 1),
  );
}
