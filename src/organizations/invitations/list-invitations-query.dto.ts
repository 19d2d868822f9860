import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn } from 'class-validator';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { emptyAsAbsent } from '../../common/validation/empty-as-absent.js';
import { IsAbsentOr } from '../../common/validation/optional.decorators.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import {
  type InvitationRole,
  invitationRoles,
  type InvitationStatus,
  invitationStatuses,
} from './invitation.entity.js';

/** Which invitations to list. */
export class ListInvitationsQuery extends PageQuery {
  /** Only invitations whose id or e-mail address contains this text, whatever its case. */
  @QueryText()
  query?: string;

  /** Only invitations to this role. */
  @ApiPropertyOptional({ enum: invitationRoles, enumName: 'InvitationRole' })
  @Transform(({ value }: { value: unknown }) => emptyAsAbsent(value))
  @IsAbsentOr()
  @IsIn(invitationRoles, { message: `$property must be one of ${invitationRoles.join(', ')}.` })
  role?: InvitationRole;

  /** Only invitations of this status. */
  @ApiPropertyOptional({ enum: invitationStatuses, enumName: 'InvitationStatus' })
  @Transform(({ value }: { value: unknown }) => emptyAsAbsent(value))
  @IsAbsentOr()
  @IsIn(invitationStatuses, { message: `$property must be one of ${invitationStatuses.join(', ')}.` })
  status?: InvitationStatus;
}
