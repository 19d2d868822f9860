import { ApiParam } from '@nestjs/swagger';

/** Documents the id in the path: unlike other ids, any text. */
export function ApiDeviceId(): MethodDecorator {
  return ApiParam({
    name: 'deviceId',
    description: 'Id that the device has chosen.',
    schema: { type: 'string' },
  });
}
