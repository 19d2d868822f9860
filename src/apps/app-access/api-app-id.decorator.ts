import { applyDecorators } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';

/** Documents the `:appId` of a path, which the access guard reads, and its 404. */
export function ApiAppId(): MethodDecorator {
  return applyDecorators(
    ApiParam({ name: 'appId', description: 'Id of the app.', schema: { type: 'string', format: 'uuid' } }),
    ApiErrors(404),
  );
}
