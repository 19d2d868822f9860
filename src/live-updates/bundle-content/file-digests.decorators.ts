import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Matches } from 'class-validator';

/** A SHA-256 in hexadecimal; becomes lower case. */
export function IsSha256(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', pattern: '^[0-9A-Fa-f]{64}$' }),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value)),
    Matches(/^[0-9a-f]{64}$/, { message: '$property must be a SHA-256 as 64 hexadecimal digits.' }),
  );
}

/** An RSA signature in Base64, at most 4,096 characters. */
export function IsBase64Signature(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', format: 'byte', maxLength: 4096 }),
    Matches(/^(?=.{4,4096}$)([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, {
      message: '$property must be a signature in Base64.',
    }),
  );
}
