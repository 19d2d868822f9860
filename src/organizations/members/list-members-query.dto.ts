import { type Role, roles } from '../../common/access/permissions.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';

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
