import { type Role, roles } from '../../common/access/permissions.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { RefuseMisnamedLimits } from '../../common/validation/unknown-fields/refuse-unknown-fields.decorator.js';
import { MemberWithUserDto } from './member.dto.js';

/** Changes to a member. */
@RefuseMisnamedLimits(MemberWithUserDto)
@ApiExample({ role: 'member' })
export class UpdateMemberDto {
  /** The new role. */
  @IsOneOf(roles, 'Role')
  role!: Role;
}
