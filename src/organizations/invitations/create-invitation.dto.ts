import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsEmail } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { type InvitationRole, invitationRoles } from './invitation.entity.js';

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
