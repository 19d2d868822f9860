import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsString, Matches, MaxLength } from 'class-validator';

/** Longest name of an object, in characters. */
export const MAX_NAME_LENGTH = 128;

/** The name of an object: 1 to `maximum` characters, at least one of them visible, no control characters or line breaks. */
export function IsName(maximum = MAX_NAME_LENGTH): PropertyDecorator {
  const message = `$property must be 1 to ${maximum} visible characters long.`;
  return applyDecorators(
    ApiProperty({ type: 'string', minLength: 1, maxLength: maximum }),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value)),
    // The first one that fails is reported.
    IsString({ message: '$property is required and must be a string.' }),
    MaxLength(maximum, { message }),
    Matches(/[^\p{Z}\p{C}]/u, { message }),
    Matches(/^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u, {
      message: '$property must not contain control characters.',
    }),
  );
}

/** A name as names are compared: without regard to case, and to how accents are composed. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** The columns of a name; `undefined` for an absent one. */
export function nameColumns(name: string | undefined) {
  return { name, nameLower: name === undefined ? undefined : nameKey(name) };
}
