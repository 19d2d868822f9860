import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions, getSchemaPath } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, Matches } from 'class-validator';
import { permissions } from '../../common/access/permissions.js';
import { Satisfies } from '../../common/validation/satisfies.decorator.js';
import { uuidPattern } from '../../common/validation/uuid.js';

/** Most organizations, and most apps, that a token can be limited to. */
export const MAX_SCOPE_IDS = 100;

/** How permissions of a token look. The document names the list of permissions, as `Permission`. */
export const permissionsSchema = {
  oneOf: [
    { type: 'string', enum: ['all', 'read-only'] },
    {
      type: 'array',
      items: { $ref: getSchemaPath('Permission') },
      minItems: 1,
      uniqueItems: true,
      example: ['apps:read', 'bundles:write'],
    },
  ],
} satisfies ApiPropertyOptions;

/** Permissions of a token: `all`, `read-only` or a list. Doubles are dropped. */
export function IsTokenPermissions(): PropertyDecorator {
  return applyDecorators(
    ApiProperty(permissionsSchema),
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value) ? [...new Set<unknown>(value)] : value,
    ),
    Satisfies(
      isTokenPermissions,
      '$property must be "all", "read-only" or a list of permissions such as ["channels:read"].',
    ),
  );
}

/** Ids of objects that a token is limited to: 1 to 100 UUIDs. They become lower case, doubles are dropped. */
export function IsLimitIds(): PropertyDecorator {
  const schema = { format: 'uuid', minItems: 1, maxItems: MAX_SCOPE_IDS, nullable: true };
  return applyDecorators(
    ApiProperty({ type: [String], ...schema }),
    Transform(({ value }: { value: unknown }) => normalized(value)),
    IsArray({ message: '$property must be a list of UUIDs.' }),
    ArrayMinSize(1, { message: '$property must not be empty: null means no limit.' }),
    ArrayMaxSize(MAX_SCOPE_IDS, { message: `$property must hold at most ${MAX_SCOPE_IDS} ids.` }),
    Matches(uuidPattern, { each: true, message: '$property must be a list of UUIDs.' }),
  );
}

function isTokenPermissions(value: unknown): boolean {
  if (value === 'all' || value === 'read-only') return true;
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((permission: unknown) => (permissions as readonly unknown[]).includes(permission))
  );
}

function normalized(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return [...new Set(value.map((id: unknown) => (typeof id === 'string' ? id.toLowerCase() : id)))];
}
