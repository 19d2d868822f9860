import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsEmail } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { EXAMPLE_TIME } from '../../common/openapi/example-values.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import {
  type Invitation,
  type InvitationRole,
  invitationRoles,
  type InvitationStatus,
  invitationStatuses,
} from './invitation.entity.js';

/** An offer of membership in an organization to the owner of an email address. */
@ApiExample({ role: 'member', status: 'pending', mailedAt: EXAMPLE_TIME })
export class InvitationDto {
  @ApiId()
  id!: string;

  @ApiId()
  organizationId!: string;

  /**
   * In lower case.
   * @example 'ada@example.com'
   */
  @ApiProperty({ format: 'email' })
  email!: string;

  /** The role of the new member. */
  @ApiProperty({ enum: invitationRoles, enumName: 'InvitationRole' })
  role!: InvitationRole;

  /** `canceled`: revoked. An expired invitation stays `pending`: see `expiresAt`. */
  @ApiProperty({ enum: invitationStatuses, enumName: 'InvitationStatus' })
  status!: InvitationStatus;

  /** The user who sent the invitation; `null`: the user was deleted. */
  @ApiId()
  inviterId!: string | null;

  /** Expiry, seven days after creation. An expired invitation can be neither accepted nor rejected. */
  @ApiTime()
  expiresAt!: string;

  /** When the mail server took the message to the invited person; `null`: not yet, or the server sends no mail. */
  @ApiTime()
  mailedAt!: string | null;

  /** Why the last attempt to send that message failed; attempts continue for at least a day. `null`: no failure. */
  @ApiProperty({ type: 'string', nullable: true })
  mailError!: string | null;

  /**
   * Address of the page on which the invited person joins, also without an account. Only the response that creates an
   * invitation contains it, on a server that sends no mail; pass it on to that person alone. `null`: everywhere else, if
   * the server mails it, and if people cannot create accounts by invitations.
   */
  @ApiProperty({ type: 'string', format: 'uri', nullable: true })
  link!: string | null;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** An invitation as the invited user sees it. */
export class ReceivedInvitationDto extends InvitationDto {
  /**
   * Name of the organization that invites.
   * @example 'Acme'
   */
  organizationName!: string;
}

/** An invitation that was just made. */
export interface NewInvitation {
  readonly invitation: Invitation;
  /** Path and query of the link, which is known only now; `null`: there is none to pass on. */
  readonly linkPath: string | null;
}

/** An invitation and the name of the organization. */
export interface ReceivedInvitation {
  readonly invitation: Invitation;
  readonly organizationName: string;
}

/** The response for an invitation, without its link. */
export function toInvitationDto(invitation: Invitation): InvitationDto {
  return {
    id: invitation.id,
    organizationId: invitation.organizationId,
    email: invitation.email,
    role: invitation.role,
    status: invitation.status,
    inviterId: invitation.inviterId,
    expiresAt: invitation.expiresAt.toISOString(),
    mailedAt: invitation.mailedAt?.toISOString() ?? null,
    mailError: invitation.mailError,
    link: null,
    createdAt: invitation.createdAt.toISOString(),
    updatedAt: invitation.updatedAt.toISOString(),
  };
}

/** What the invited user is shown of an invitation. */
export function toReceivedInvitationDto(received: ReceivedInvitation): ReceivedInvitationDto {
  return { ...toInvitationDto(received.invitation), organizationName: received.organizationName };
}

/** No quoted and no international names: mail servers that take them are rare, and `format: email` names neither. */
const EMAIL = { allow_utf8_local_part: false, blacklisted_chars: '"' };

/** A new invitation. */
@ApiExample({ role: 'member' })
export class CreateInvitationDto {
  /**
   * The address to invite, ignoring case.
   * @example 'ada@example.com'
   */
  @ApiProperty({ type: 'string', format: 'email' })
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.trim().toLowerCase() : value,
  )
  @IsEmail(EMAIL, { message: '$property must be an e-mail address.' })
  email!: string;

  /** The role of the new member. There are no invitations as owner: an owner transfers ownership to a member. */
  @IsOneOf(invitationRoles, 'InvitationRole')
  role!: InvitationRole;
}

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
