import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import {
  type InvitationRole,
  invitationRoles,
  type InvitationStatus,
  invitationStatuses,
} from './invitation.entity.js';

/** Which invitations to list. */
export class ListInvitationsQuery extends PageQuery {
  /** Only invitations whose id or e-mail address contains this text, ignoring case. */
  @QueryText()
  query?: string;

  /** Only invitations to this role. */
  @IsEmptyOr()
  @IsOneOf(invitationRoles, 'InvitationRole')
  role?: InvitationRole;

  /** Only invitations of this status. */
  @IsEmptyOr()
  @IsOneOf(invitationStatuses, 'InvitationStatus')
  status?: InvitationStatus;
}
