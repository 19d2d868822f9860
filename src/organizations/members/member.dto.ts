import { ApiProperty } from '@nestjs/swagger';
import type { User } from '../../accounts/users/user.entity.js';
import { type Role, roles } from '../../common/access/permissions.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import { RefuseMisnamedLimits } from '../../common/validation/refuse-unknown-fields.decorator.js';
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

/** Which members to list. */
export class ListMembersQuery extends PageQuery {
  /** Only the member of this id. */
  @IsEmptyOr()
  @IsId()
  id?: string;

  /** Only members whose id, user id or e-mail address contains this text, ignoring case. */
  @QueryText()
  query?: string;

  /** Only members of this role. */
  @IsEmptyOr()
  @IsOneOf(roles, 'Role')
  role?: Role;
}

/** Changes to a member. */
@RefuseMisnamedLimits(MemberWithUserDto)
@ApiExample({ role: 'member' })
export class UpdateMemberDto {
  /** The new role. */
  @IsOneOf(roles, 'Role')
  role!: Role;
}

/** The new owner. */
export class TransferOwnershipDto {
  /** Id of another member of the organization (not its user id). */
  @IsId()
  memberId!: string;
}

/** A member of the organization, without name and e-mail address. */
@ApiExample({ role: 'member' })
export class MemberEventDto {
  @ApiId()
  memberId!: string;

  /** Id of the user. */
  @ApiId()
  userId!: string;

  /** The role; of a member who was removed, the last one. */
  @ApiProperty({ enum: roles, enumName: 'Role' })
  role!: Role;

  /** The role before the change; `null`: the role was not changed. */
  @ApiProperty({ type: 'string', enum: [...roles, null], nullable: true })
  previousRole!: Role | null;

  /** Whether a group of the OpenID provider has made the user a member. */
  fromGroups!: boolean;
}

/** @param previousRole `null`: the role was not changed */
export function toMemberEventDto(
  { id, userId, role, fromGroups }: Member,
  previousRole: Role | null,
): MemberEventDto {
  return { memberId: id, userId, role, previousRole, fromGroups };
}
