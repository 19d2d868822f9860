import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, Matches } from 'class-validator';
import { WithoutDoubles } from './without-doubles.decorator.js';

/** Letters, digits and `. _ : -`, at most 63 characters. */
const word = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,62}$/;

/** Labels of a runner, or those that a job needs. Doubles are dropped. */
export function IsLabels(maximum: number): PropertyDecorator {
  return IsListOfWords(maximum, 'labels', ['large']);
}

/** Words such as labels and build stacks. Doubles are dropped. */
export function IsListOfWords(maximum: number, what: string, example: string[]): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: [String], maxItems: maximum, example }),
    WithoutDoubles(),
    IsArray({ message: `$property must be a list of ${what}.` }),
    ArrayMaxSize(maximum, { message: `$property must hold at most ${maximum} ${what}.` }),
    Matches(word, {
      each: true,
      message: '$property must consist of 1 to 63 letters, digits and ". _ : -" each.',
    }),
  );
}
