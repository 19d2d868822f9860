import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray } from 'class-validator';
import { IsTextThat } from './satisfies.decorator.js';
import { isRefPattern, MAX_REF_PATTERN_LENGTH, MAX_REF_PATTERNS } from '../ref-patterns.js';

/** Patterns of branches and tags, at most 20. */
export function IsAllowedRefs(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: MAX_REF_PATTERN_LENGTH },
      maxItems: MAX_REF_PATTERNS,
      example: ['main', 'release/*'],
    }),
    IsTextThat(
      isRefPattern,
      `$property must hold patterns such as release/*: 1 to ${MAX_REF_PATTERN_LENGTH} characters with at most three *.`,
      { each: true },
    ),
    ArrayMaxSize(MAX_REF_PATTERNS, { message: `$property must hold at most ${MAX_REF_PATTERNS} patterns.` }),
    IsArray({ message: '$property must be a list.' }),
  );
}
