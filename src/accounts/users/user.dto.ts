import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import type { User } from './user.entity.js';

/** A person, or a machine that acts as one. */
@ApiExample({ emailVerified: true })
export class UserDto {
  /** @example '0199b0c2-7c1e-7bd3-a3c1-4c29f4a7d8aa' */
  @ApiId()
  id!: string;

  /** @example 'ada@example.com' */
  @ApiProperty({ format: 'email' })
  email!: string;

  /** Whether the address was confirmed. */
  emailVerified!: boolean;

  /** @example 'Ada Lovelace' */
  name!: string | null;

  /** Address of a picture. */
  image!: string | null;

  /** Whether the user signs in with a second factor. */
  twoFactorEnabled!: boolean;

  /** When the user last called the API; accurate to a few minutes. */
  @ApiTime()
  lastSeenAt!: string;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** The response for a user. */
export function toUserDto(user: User): UserDto {
  return {
    id: user.id,
    email: user.email,
    emailVerified: user.emailVerified,
    name: user.name,
    image: user.image,
    twoFactorEnabled: user.twoFactorEnabled,
    lastSeenAt: (user.lastSeenAt ?? user.createdAt).toISOString(),
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}

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
