import { ApiProperty } from '@nestjs/swagger';

/** Documents a field of a response as an id: a UUID. `string | null` makes it nullable. */
export function ApiId(): PropertyDecorator {
  return ApiProperty({ format: 'uuid' });
}

/** Documents a field of a response as a point in time: ISO 8601 in UTC. `string | null` makes it nullable. */
export function ApiTime(): PropertyDecorator {
  return ApiProperty({ format: 'date-time' });
}
