import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { type Role, roles } from '../../common/access/permissions.js';

/** Changes to a member. */
export class UpdateMemberDto {
  /** The new role. */
  @ApiProperty({ enum: roles, enumName: 'Role' })
  @IsIn(roles, { message: `$property must be one of ${roles.join(', ')}.` })
  role!: Role;
}
