import { applyDecorators, type Type } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';

/** Documents the answer of a list: a bare array, and the headers that `sendPage` sets. */
export function ApiPage(dto: Type): MethodDecorator {
  return applyDecorators(
    ApiOkResponse({
      type: [dto],
      headers: {
        'X-Total-Count': { description: 'Length of the whole list.', schema: { type: 'integer' } },
        Link: {
          description: 'The first, previous, next and last page (RFC 8288).',
          schema: { type: 'string' },
        },
      },
    }),
  );
}
