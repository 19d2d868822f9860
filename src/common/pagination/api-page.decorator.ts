import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';

/**
 * Documents the answer of a list: a bare array, and the headers that `sendPage` sets.
 *
 * @param dtos what the array may hold
 */
export function ApiPage(...dtos: Type[]): MethodDecorator {
  const items = dtos.map((dto) => ({ $ref: getSchemaPath(dto) }));
  return applyDecorators(
    ApiExtraModels(...dtos),
    ApiOkResponse({
      schema: { type: 'array', items: items.length === 1 ? items[0] : { anyOf: items } },
      headers: {
        'X-Total-Count': {
          description: 'Length of the whole list.',
          required: true,
          schema: { type: 'integer' },
        },
        Link: {
          description: 'The first, previous, next and last page (RFC 8288).',
          required: true,
          schema: { type: 'string' },
        },
      },
    }),
  );
}
