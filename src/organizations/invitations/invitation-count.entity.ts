import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';

/** How many invitations a user has sent on one day. Also those of organizations that were deleted since. */
@Entity('invitation_counts')
export class InvitationCount {
  @PrimaryColumn('uuid')
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  inviterId!: string;

  /** The last day with an invitation, in UTC. */
  @Column('date')
  day!: string;

  @Column('integer')
  count!: number;
}
