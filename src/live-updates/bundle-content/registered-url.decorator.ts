import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { IsTextThat } from '../../common/validation/satisfies.decorator.js';
import { toRegisteredUrl } from './registered-url.js';

/** Longest URL, in characters, after percent-encoding. */
const MAX_LENGTH = 2000;

/** The URL of a zip that its owner hosts, in the form of `toRegisteredUrl`. */
export function IsRegisteredUrl(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', format: 'uri', nullable: true }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (toRegisteredUrl(value) ?? value) : value,
    ),
    IsTextThat(
      (text) => toRegisteredUrl(text) === text,
      '$property must be an https address (http only on localhost) without credentials and fragment, with two hexadecimal digits after every %.',
    ),
    IsText(MAX_LENGTH),
  );
}
