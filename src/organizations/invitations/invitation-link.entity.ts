import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { Row } from '../../database/schema/row.entity.js';
import { Invitation } from './invitation.entity.js';

/** A link with which a person without an account creates one and accepts the invitation. It lives as long as that is open. */
@Entity('invitation_links')
@Unique(['hash'])
export class InvitationLink extends Row {
  @Index()
  @Column('uuid')
  @ForeignKey(() => Invitation, { onDelete: 'CASCADE' })
  invitationId!: string;

  /** SHA-256 of the secret in the link, lower-case hexadecimal. */
  @Column('text')
  hash!: string;

  /** Whether only the invited address has received it: opening it then proves the address. */
  @Column('boolean')
  mailed!: boolean;
}
