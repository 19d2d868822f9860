import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, Matches } from 'class-validator';
import { uuidPattern } from '../../common/validation/uuid.js';

/** Most packages of a license key. */
const MAX_PACKAGES = 1000;

/** Ids of packages: up to 1,000 UUIDs. They become lower case, doubles are dropped. */
export function IsPackageIds(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: [String], format: 'uuid', maxItems: MAX_PACKAGES }),
    Transform(({ value }: { value: unknown }) => normalized(value)),
    IsArray({ message: '$property must be a list of UUIDs.' }),
    ArrayMaxSize(MAX_PACKAGES, { message: `$property must hold at most ${MAX_PACKAGES} ids.` }),
    Matches(uuidPattern, { each: true, message: '$property must be a list of UUIDs.' }),
  );
}

function normalized(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return [...new Set(value.map((id: unknown) => (typeof id === 'string' ? id.toLowerCase() : id)))];
}
