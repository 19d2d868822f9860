import { applyDecorators } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';

/** Documents the id in the path: unlike other ids, any text. */
export function ApiDeviceId(): MethodDecorator {
  return applyDecorators(
    ApiParam({ name: 'deviceId', description: 'Id that the device chose.', schema: { type: 'string' } }),
    ApiErrors('device_not_found'),
  );
}
