import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, ValidateBy, type ValidationArguments } from 'class-validator';
import { findKeyViolation, MAX_KEY_LENGTH } from './environment-key.js';

/** Most variables of an environment, and most secrets. */
export const MAX_VALUES = 500;
/** Longest value in bytes. Linux passes at most 128 KiB to a program in one. */
export const MAX_VALUE_BYTES = 32 * 1024;
/** All keys and values of an environment's variables, or secrets, in bytes. Linux passes about 2 MiB in all. */
export const MAX_TOTAL_BYTES = 256 * 1024;

/** The key of a variable or secret. */
export function IsEnvironmentKey(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'string',
      minLength: 1,
      maxLength: MAX_KEY_LENGTH,
      pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
    }),
    ValidateBy({
      name: 'isEnvironmentKey',
      validator: {
        validate: (value) => findKeyViolation(value) === null,
        defaultMessage: (args) => `${args?.property} ${findKeyViolation(args?.value)}.`,
      },
    }),
  );
}

/** The value of a variable or secret: any text of at most 32 KiB in UTF-8, also an empty one. */
export function IsEnvironmentValue(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', maxLength: MAX_VALUE_BYTES }),
    ValidateBy(
      {
        name: 'isEnvironmentValue',
        validator: { validate: (value) => typeof value === 'string' && fits(value) },
      },
      { message: `$property must be at most ${MAX_VALUE_BYTES} bytes long.` },
    ),
    IsString({ message: '$property is required and must be a string.' }),
  );
}

/**
 * Variables of a single build, by key: at most 500, under the rules for keys and values of environments. For a field that
 * may be absent or `null`, combine it with `@IsNullable()`.
 */
export function IsEnvironmentVariables(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'object',
      additionalProperties: { type: 'string' },
      example: { API_URL: 'https://example.com' },
    }),
    ValidateBy({
      name: 'isEnvironmentVariables',
      validator: {
        validate: (value) => findViolation(value) === null,
        defaultMessage: (args?: ValidationArguments) => `${args?.property} ${findViolation(args?.value)}.`,
      },
    }),
  );
}

/** Why an object does not hold variables by key, to follow its name in a sentence; `null`: it does. */
function findViolation(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'must be an object of texts';
  const entries: [string, unknown][] = Object.entries(value);
  if (entries.length > MAX_VALUES) return `must hold at most ${MAX_VALUES} variables`;
  let total = 0;
  for (const [key, text] of entries) {
    const violation = findKeyViolation(key);
    if (violation !== null) return `has a wrong key: it ${violation}`;
    if (typeof text !== 'string' || !fits(text))
      return `must hold texts of at most ${MAX_VALUE_BYTES} bytes each`;
    total += key.length + Buffer.byteLength(text);
  }
  return total > MAX_TOTAL_BYTES ? `must hold at most ${MAX_TOTAL_BYTES} bytes in total` : null;
}

function fits(text: string): boolean {
  return text.length <= MAX_VALUE_BYTES && Buffer.byteLength(text) <= MAX_VALUE_BYTES;
}
