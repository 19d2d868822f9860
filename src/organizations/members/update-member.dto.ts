import { type Role, roles } from '../../common/access/permissions.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';

/** Changes to a member. */
export class UpdateMemberDto {
  /** The new role. */
  @IsOneOf(roles, 'Role')
  role!: Role;
}
