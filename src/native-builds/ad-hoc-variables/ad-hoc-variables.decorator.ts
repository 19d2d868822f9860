import { ApiPropertyOptional } from '@nestjs/swagger';
import { registerDecorator } from 'class-validator';
import { IsNullable } from '../../common/validation/optional.decorators.js';
import { findKeyViolation } from '../environment-values/environment-key.js';

const MAX_VARIABLES = 100;
/** Bytes of all keys and values. */
const MAX_BYTES = 128 * 1024;

/** Up to 100 variables of one build: texts by key, with the keys that an environment allows, 128 KiB together. */
export function IsAdHocVariables(): PropertyDecorator {
  return (target, property) => {
    ApiPropertyOptional({
      type: 'object',
      additionalProperties: { type: 'string' },
      nullable: true,
      example: { API_URL: 'https://api.example.com' },
    })(target, property);
    IsNullable()(target, property);
    registerDecorator({
      name: 'isAdHocVariables',
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: (value) => findProblem(value) === null,
        defaultMessage: (details) => `$property ${findProblem(details?.value) ?? 'is not valid'}.`,
      },
    });
  };
}

/** @returns what is wrong, to follow the name of the field; `null`: nothing */
export function findProblem(value: unknown): string | null {
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
