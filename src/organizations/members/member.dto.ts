import { ApiProperty } from '@nestjs/swagger';
import type { User } from '../../accounts/users/user.entity.js';
import { type Role, roles } from '../../common/access/permissions.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import type { Member } from './member.entity.js';

/** A user's place in an organization. */
export class MemberDto {
  @ApiId()
  id!: string;

  @ApiId()
  organizationId!: string;

  @ApiId()
  userId!: string;

  @ApiProperty({ enum: roles, enumName: 'Role' })
  role!: Role;

  /** When the member last used the organization; accurate to a few minutes. */
  @ApiTime()
  lastSeenAt!: string | null;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** The part of a user that other members see. */
export class MemberUserDto {
  @ApiId()
  id!: string;

  /** @example 'ada@example.com' */
  @ApiProperty({ format: 'email' })
  email!: string;

  /** Full name. */
  name!: string | null;

  /** Address of a picture. */
  image!: string | null;
}

/** A member with its user. */
@ApiExample({ role: 'member' })
export class MemberWithUserDto extends MemberDto {
  user!: MemberUserDto;
}

export function toMemberDto(member: Member): MemberDto {
  return {
    id: member.id,
    organizationId: member.organizationId,
    userId: member.userId,
    role: member.role,
    lastSeenAt: member.lastSeenAt?.toISOString() ?? null,
    createdAt: member.createdAt.toISOString(),
    updatedAt: member.updatedAt.toISOString(),
  };
}

export function toMemberWithUserDto(member: Member, user: User): MemberWithUserDto {
  return {
    ...toMemberDto(member),
    user: { id: user.id, email: user.email, name: user.name, image: user.image },
  };
}
