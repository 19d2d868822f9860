import { ApiProperty } from '@nestjs/swagger';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import {
  type Invitation,
  type InvitationRole,
  invitationRoles,
  type InvitationStatus,
  invitationStatuses,
} from './invitation.entity.js';

/** The offer of a place in an organization to whoever signs in with an e-mail address. */
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

  /** What the invited user becomes. */
  @ApiProperty({ enum: invitationRoles, enumName: 'InvitationRole' })
  role!: InvitationRole;

  /** `canceled`: revoked. One that has expired stays `pending`: see `expiresAt`. */
  @ApiProperty({ enum: invitationStatuses, enumName: 'InvitationStatus' })
  status!: InvitationStatus;

  /** The user who invited; `null`: exists no more. */
  @ApiId()
  inviterId!: string | null;

  /** From then on it can be neither accepted nor rejected: seven days after it was made. */
  @ApiTime()
  expiresAt!: string;

  /** When the mail server took the message to the invited person; `null`: not yet, or the server sends no mail. */
  @ApiTime()
  mailedAt!: string | null;

  /** Why the last attempt to send that message failed; it is repeated for a day and longer. */
  @ApiProperty({ type: 'string', nullable: true })
  mailError!: string | null;

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

/** An invitation and the name of the organization. */
export interface ReceivedInvitation {
  readonly invitation: Invitation;
  readonly organizationName: string;
}

/** What is shown of an invitation. */
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
    createdAt: invitation.createdAt.toISOString(),
    updatedAt: invitation.updatedAt.toISOString(),
  };
}

/** What the invited user is shown of an invitation. */
export function toReceivedInvitationDto(received: ReceivedInvitation): ReceivedInvitationDto {
  return { ...toInvitationDto(received.invitation), organizationName: received.organizationName };
}
