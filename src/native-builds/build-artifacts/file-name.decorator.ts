import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { IsText } from '../../common/validation/is-text.decorator.js';

const FILE_NAME = /^[^/\\\p{C}]+$/u;

/** The name of an artifact's file: without folders, 1 to 255 characters. */
export function IsFileName(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', pattern: FILE_NAME.source }),
    Matches(FILE_NAME, {
      message: '$property must be a file name without folders and control characters.',
    }),
    IsText(255, 1),
  );
}
