import { ApiProperty } from '@nestjs/swagger';
import type { User } from '../../accounts/users/user.entity.js';
import { type Role, roles } from '../../common/access/permissions.js';
import type { Member } from './member.entity.js';

/** A user's place in an organization. */
export class MemberDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  organizationId!: string;

  @ApiProperty({ format: 'uuid' })
  userId!: string;

  @ApiProperty({ enum: roles, enumName: 'Role' })
  role!: Role;

  /** When the member last worked with the organization; exact to a few minutes. */
  @ApiProperty({ format: 'date-time', type: 'string', nullable: true })
  lastSeenAt!: string | null;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;
}

/** What members may know of each other. */
export class MemberUserDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  /** @example 'ada@example.com' */
  @ApiProperty({ format: 'email' })
  email!: string;

  /** Full name. */
  name!: string | null;

  /** Address of a picture. */
  image!: string | null;
}

/** A member together with who it is. */
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
