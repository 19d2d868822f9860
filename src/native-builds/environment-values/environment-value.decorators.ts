import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsString } from 'class-validator';
import { IsTextThat, Satisfies } from '../../common/validation/satisfies.decorator.js';
import { findKeyViolation, MAX_KEY_LENGTH } from './environment-key.js';

/** Most variables of an environment, and most secrets. */
export const MAX_VALUES = 500;
/** Longest value in bytes. Linux passes at most 128 KiB to a program in one. */
export const MAX_VALUE_BYTES = 32 * 1024;
/** All keys and values of an environment's variables, or secrets, in bytes. Linux passes about 2 MiB in all. */
export const MAX_TOTAL_BYTES = 256 * 1024;

/** Most lines that the secrets of an environment have in all: each is searched for in every log, in about ten forms. */
export const MAX_SECRET_LINES = 1500;

/**
 * The key of a variable or secret. `export ` before it is dropped: the command-line tool sends lines such as
 * `export API_URL=…` of a file for a shell as they are.
 */
export function IsEnvironmentKey(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'string',
      minLength: 1,
      maxLength: MAX_KEY_LENGTH,
      pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
    }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.replace(/^export\s+/, '') : value,
    ),
    Satisfies(
      (value) => findKeyViolation(value) === null,
      ({ value }) => `$property ${findKeyViolation(value)}.`,
    ),
  );
}

/** The value of a variable or secret: any text of at most 32 KiB in UTF-8, also an empty one. */
export function IsEnvironmentValue(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', maxLength: MAX_VALUE_BYTES }),
    IsTextThat(fits, `$property must be at most ${MAX_VALUE_BYTES} bytes long.`),
    IsString({ message: '$property is required and must be a string.' }),
  );
}

function fits(text: string): boolean {
  return text.length <= MAX_VALUE_BYTES && Buffer.byteLength(text) <= MAX_VALUE_BYTES;
}
