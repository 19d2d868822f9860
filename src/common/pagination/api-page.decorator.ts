import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';

/**
 * Documents the answer of a list: a bare array, and the headers that `sendPage` sets.
 *
 * @param dto what the array holds
 */
export function ApiPage(dto: Type): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(dto),
    ApiOkResponse({
      schema: { type: 'array', items: { $ref: getSchemaPath(dto) } },
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
