import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsNullable } from '../../common/validation/optional.decorators.js';
import { Satisfies } from '../../common/validation/satisfies.decorator.js';

const MAX_LOCALES = 100;
const MAX_LENGTH = 4000;
/** `default`, or a locale such as `de` and `pt-BR`. */
const LOCALE = /^(default|[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,5})$/;

/** Texts by locale, at most 4,000 code points each; `default` for the default language. */
export function IsReleaseNotes(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: 'object',
      additionalProperties: { type: 'string', maxLength: MAX_LENGTH },
      nullable: true,
      example: { default: 'Fixes the checkout.' },
    }),
    IsNullable(),
    Satisfies(
      isReleaseNotes,
      `$property must be an object of texts of at most ${MAX_LENGTH} characters by locale, such as default, de or pt-BR.`,
    ),
  );
}

function isReleaseNotes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries: [string, unknown][] = Object.entries(value);
  return (
    entries.length <= MAX_LOCALES &&
    entries.every(([key, text]) => LOCALE.test(key) && typeof text === 'string' && isShort(text))
  );
}

/** A code point has one or two UTF-16 units, so most long texts need not be counted. */
function isShort(text: string): boolean {
  return text.length <= 2 * MAX_LENGTH && [...text].length <= MAX_LENGTH;
}
