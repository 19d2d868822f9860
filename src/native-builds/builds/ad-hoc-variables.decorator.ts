import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsNullable } from '../../common/validation/optional.decorators.js';
import { Satisfies } from '../../common/validation/satisfies.decorator.js';
import { findKeyViolation } from '../environment-values/environment-key.js';

const MAX_VARIABLES = 100;
/** Bytes of all keys and values. */
const MAX_BYTES = 128 * 1024;

/** Up to 100 variables of one build: texts by key, with the keys that an environment allows, 128 KiB together. */
export function IsAdHocVariables(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: 'object',
      additionalProperties: { type: 'string' },
      nullable: true,
      example: { API_URL: 'https://api.example.com' },
    }),
    IsNullable(),
    Satisfies(
      (value) => findProblem(value) === null,
      ({ value }) => `$property ${findProblem(value)}.`,
    ),
  );
}

/** @returns what is wrong, to follow the name of the field; `null`: nothing */
function findProblem(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'must be an object of texts';
  const entries: [string, unknown][] = Object.entries(value);
  if (entries.length > MAX_VARIABLES) return `must have at most ${MAX_VARIABLES} variables`;
  for (const [key, text] of entries) {
    const violation = findKeyViolation(key);
    if (violation !== null) return `has a key that ${violation}`;
    if (typeof text !== 'string') return `must be an object of texts, and ${key} is none`;
  }
  const bytes = entries.reduce((sum, [key, text]) => sum + Buffer.byteLength(key + String(text)), 0);
  return bytes > MAX_BYTES ? `must be at most ${MAX_BYTES} bytes together` : null;
}
