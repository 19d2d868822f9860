import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';

/**
 * Documents the answer of a list: a bare array, and the headers that `sendPage` sets.
 *
 * @param dto what the array holds
 * @param byCursor whether `sendCursorPage` answers with a cursor
 */
export function ApiPage(dto: Type, { byCursor = false } = {}): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(dto),
    ApiOkResponse({
      schema: { type: 'array', items: { $ref: getSchemaPath(dto) } },
      headers: {
        'X-Total-Count': {
          description: byCursor
            ? 'Length of the whole list; absent with `cursor`.'
            : 'Length of the whole list.',
          required: !byCursor,
          schema: { type: 'integer' },
        },
        Link: {
          description: byCursor
            ? 'The first, previous, next and last page (RFC 8288); with `cursor`, the first and the next one.'
            : 'The first, previous, next and last page (RFC 8288).',
          required: true,
          schema: { type: 'string' },
        },
      },
    }),
  );
}
