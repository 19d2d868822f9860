import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, Matches } from 'class-validator';
import { uuidPattern } from './uuid.js';

/**
 * Ids as one text in a query, separated by commas, which becomes a list in lower case without doubles. One decorator: the
 * plugin of Swagger would make it an array.
 *
 * @param max most ids
 * @param required whether it must be there; otherwise combine it with `@IsEmptyOr()` above it
 */
export function IdList(max: number, required = true): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'string',
      required,
      example: '0197d8f4-9a4c-7c38-9c2f-3d8b6f4a1e27,0197d8f4-9a4c-7c38-9c2f-3d8b6f4a1e28',
    }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? [...new Set(value.split(',').map((id) => id.trim().toLowerCase()))] : value,
    ),
    ArrayMaxSize(max, { message: `$property must be at most ${max} UUIDs.` }),
    Matches(uuidPattern, { each: true, message: '$property must be UUIDs, separated by commas.' }),
  );
}
