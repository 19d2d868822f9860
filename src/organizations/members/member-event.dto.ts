import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { type Role, roles } from '../../common/access/permissions.js';
import { ApiId } from '../../common/openapi/api-fields.decorators.js';
import type { Member } from './member.entity.js';

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
