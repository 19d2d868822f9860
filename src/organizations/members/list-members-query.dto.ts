import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn } from 'class-validator';
import { type Role, roles } from '../../common/access/permissions.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { emptyAsAbsent } from '../../common/validation/empty-as-absent.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsAbsentOr } from '../../common/validation/optional.decorators.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';

/** Which members to list. */
export class ListMembersQuery extends PageQuery {
  /** Only the member of this id. */
  @Transform(({ value }: { value: unknown }) => emptyAsAbsent(value))
  @IsAbsentOr()
  @IsId()
  id?: string;

  /** Only members whose id, user id or e-mail address contains this text, whatever its case. */
  @QueryText()
  query?: string;

  /** Only members of this role. */
  @ApiPropertyOptional({ enum: roles, enumName: 'Role' })
  @Transform(({ value }: { value: unknown }) => emptyAsAbsent(value))
  @IsAbsentOr()
  @IsIn(roles, { message: `$property must be one of ${roles.join(', ')}.` })
  role?: Role;
}
