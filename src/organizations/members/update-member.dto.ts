import { type Role, roles } from '../../common/access/permissions.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';

/** Changes to a member. */
@ApiExample({ role: 'member' })
export class UpdateMemberDto {
  /** The new role. */
  @IsOneOf(roles, 'Role')
  role!: Role;
}
