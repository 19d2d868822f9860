import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';

/**
 * One of a few values.
 *
 * @param values every value that is accepted
 * @param enumName the name of their schema in the OpenAPI document
 */
export function IsOneOf(values: readonly string[], enumName: string): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ enum: values, enumName }),
    IsIn(values, { message: `$property must be one of ${values.join(', ')}.` }),
  );
}
