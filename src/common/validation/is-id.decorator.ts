import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { uuidPattern } from './uuid.js';

/** The id of an object, in a body or a query: a UUID. */
export function IsId(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', format: 'uuid' }),
    Matches(uuidPattern, { message: '$property must be a UUID.' }),
  );
}
