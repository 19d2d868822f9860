import { ApiProperty } from '@nestjs/swagger';
import { Equals } from 'class-validator';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { IsAbsentOr } from '../../common/validation/optional.decorators.js';
import type { StoreKey } from './store-key.entity.js';

/** The file of a key. */
export class CreateStoreKeyDto {
  /** The file as it was downloaded, at most 64 KiB. */
  @ApiProperty({ type: 'string', format: 'binary' })
  @IsAbsentOr()
  @Equals(undefined, { message: '$property must be sent as a file, with a file name.' })
  file?: unknown;
}

/** A file that signs in to a store. Its content is encrypted and never returned. */
export class StoreKeyDto {
  @ApiId()
  id!: string;

  @ApiId()
  appId!: string;

  @ApiTime()
  createdAt!: string;
}

/** The response for a key. */
export function toStoreKeyDto({ id, appId, createdAt }: StoreKey): StoreKeyDto {
  return { id, appId, createdAt: createdAt.toISOString() };
}
