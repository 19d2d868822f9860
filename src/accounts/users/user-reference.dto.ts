import { ApiProperty } from '@nestjs/swagger';
import { ApiId } from '../../common/openapi/api-fields.decorators.js';
import type { User } from './user.entity.js';

/** A user, as responses name the author of something. */
export class UserReferenceDto {
  @ApiId()
  id!: string;

  /**
   * Full name; `null`: none was given.
   * @example 'Ada Lovelace'
   */
  name!: string | null;

  /** @example 'ada@example.com' */
  @ApiProperty({ format: 'email' })
  email!: string;
}

/** The reference to a user. */
export function toUserReferenceDto({ id, name, email }: User): UserReferenceDto {
  return { id, name, email };
}
